// locklab proxy: the fault proxy alone, until it is interrupted.

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/command_line.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/core/limits.h"
#include "harness/live/endpoint.h"
#include "harness/live/reactor.h"
#include "harness/proxy/fault_proxy.h"
#include "harness/record/files.h"
#include "harness/stage/proxy_rules.h"

namespace locklab {

namespace {

constexpr Duration kFlushEvery = std::chrono::milliseconds(100);

/// The proxy's event log: a file, or nothing. Events reach the file soon after they happen.
class EventFile final : public Reactor::Sleeper {
public:
    EventFile(Reactor& reactor, const std::string& path)
        : reactor_(reactor), path_(path), log_(path.empty() ? EventLog::Sink() : sink()) {
        if (path.empty()) return;
        file_.open(path, std::ios::binary | std::ios::trunc);
        if (!file_) throw UsageError("the file " + path + " cannot be written");
        wake({});
    }
    ~EventFile() { reactor_.forget(*this); }

    EventLog& log() { return log_; }
    void wake(const Reactor::Alarm&) override {
        log_.flush();
        reactor_.wake_after(kFlushEvery, *this, {});
    }
    void close() {
        log_.flush();
        file_.close();
        if (!path_.empty() && !file_) throw FileError("the file " + path_ + " is not whole");
    }

private:
    EventLog::Sink sink() {
        return [this](std::string_view bytes) {
            file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
            file_.flush();
        };
    }

    Reactor& reactor_;
    const std::string path_;
    std::ofstream file_;
    EventLog log_;
};

ProxyPlan plan_of(const std::string& file) {
    std::string text;
    try {
        text = read_text(file, kMostYaml, "the proxy's rules");
    } catch (const FileError& error) {
        throw UsageError(error.what());
    }
    ProxyPlan plan = read_proxy_plan(text, file);
    for (ProxyLink& link : plan.links) {
        link.node = resolved(link.node);
        link.listen = resolved(link.listen);
    }
    return plan;
}

nlohmann::ordered_json summary(const ProxyPlan& plan, const FaultProxy& proxy) {
    nlohmann::ordered_json said{{"connections", proxy.connections()}};
    for (std::size_t i = 0; i < plan.links.size(); ++i) {
        said["links"].push_back({{"client", plan.links[i].name.client},
                                 {"node", plan.links[i].name.node},
                                 {"listen", to_string(proxy.endpoint(i))}});
    }
    said["rules"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < plan.rules.size(); ++i) {
        const FaultRule& rule = plan.rules[i];
        const std::uint64_t fitted = proxy.fitted()[i];
        const bool has_struck = rule.nth == 0 ? fitted > 0 : fitted >= rule.nth;
        said["rules"].push_back({{"fault", std::string(name_of(rule.fault))},
                                 {"commands_that_fit", fitted},
                                 {"came_to_its_turn", has_struck}});
    }
    return said;
}

int show(const std::string& file) {
    try {
        std::ifstream in = open_to_read(file);
        EventReader reader(in);
        std::optional<std::int64_t> begin;
        while (const std::optional<LinkEvent> event = reader.next()) {
            if (!begin) begin = event->head.at_ns;
            std::cout << to_string(*event, *begin) << "\n";
        }
    } catch (const FileError& error) {
        throw UsageError(error.what());
    }
    return kExitHolds;
}

int serve(const std::string& rules, const std::string& events, bool json) {
    const ProxyPlan plan = plan_of(rules);
    Reactor reactor;
    EventFile file(reactor, events);
    FaultProxy proxy(reactor, plan, file.log(), tell_on_stderr);
    std::ostream& progress = json ? std::cerr : std::cout;
    for (std::size_t i = 0; i < plan.links.size(); ++i) {
        progress << plan.links[i].name.client << " finds " << plan.links[i].name.node << " at "
                 << to_string(proxy.endpoint(i)) << "\n";
    }
    progress.flush();
    const StopFlag& interrupted = interrupt_flag();
    while (!interrupted) reactor.turn();
    file.close();
    const nlohmann::ordered_json said = summary(plan, proxy);
    if (json) {
        std::cout << said.dump(2) << "\n";
        return kExitHolds;
    }
    std::size_t number = 0;
    for (const auto& rule : said["rules"]) {
        std::cout << "rule " << ++number << " (" << rule["fault"].get<std::string>()
                  << "): " << rule["commands_that_fit"] << " commands fitted"
                  << (rule["came_to_its_turn"].get<bool>() ? "" : ", and none was struck") << "\n";
    }
    return kExitHolds;
}

}  // namespace

int proxy_verb(const Arguments& arguments) {
    CommandLine line("proxy",
                     {{"events", kText, "write everything that goes through to this file"},
                      {"show", kText, "print such a file in words, and do nothing else"}},
                     1);
    if (!line.parse(arguments)) {
        std::cout << "\nFaults that a rule may name:\n";
        for (const LinkFaultRow& row : kLinkFaults) {
            std::cout << "  " << row.name << "\n      " << row.meaning << "\n";
        }
        return kExitHolds;
    }
    if (line.has("show")) {
        if (line.json()) throw UsageError("--show prints lines, and has no --json");
        return show(line.get("show"));
    }
    if (line.operands().empty()) {
        throw UsageError("which rules? right would be: locklab proxy RULES.yaml");
    }
    return serve(line.operands()[0], line.has("events") ? line.get("events") : "", line.json());
}

}  // namespace locklab
