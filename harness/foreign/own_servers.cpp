#include "harness/foreign/own_servers.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "harness/core/printable.h"

namespace locklab {

namespace {

using nlohmann::json;

/// Far longer than an election takes, even on a busy machine.
constexpr Duration kLongest = std::chrono::seconds(60);

DriverProcess::Start with_folder(DriverProcess::Start start, const TempFolder& folder) {
    start.words.push_back(folder.path().string());
    return start;
}

TempFolder fresh_folder() {
    TempFolder::remove_dead(kServersFolder);
    return TempFolder(kServersFolder);
}

std::vector<std::string> addresses_in(const json& said) {
    const auto nodes = said.find("nodes");
    if (nodes == said.end() || !nodes->is_array() || nodes->empty()) return {};
    std::vector<std::string> addresses;
    for (const json& node : *nodes) {
        if (!node.is_string()) return {};
        addresses.push_back(node.get<std::string>());
    }
    return addresses;
}

}  // namespace

OwnServers::OwnServers(std::string library, DriverProcess::Start start)
    : library_(std::move(library)),
      folder_(fresh_folder()),
      process_(with_folder(std::move(start), folder_)) {
    nodes_ = addresses_in(hear());
    if (nodes_.empty()) {
        throw std::runtime_error("The servers of " + library_ +
                                 " do not say where they are; right would be one line, as "
                                 "{\"nodes\": [\"127.0.0.1:2379\"]}.");
    }
}

bool OwnServers::freeze(NodeId node, Duration length) {
    if (thaws_) return false;
    frozen_ = node;
    tell("stop");
    thaws_ = hung_until_ = Clock::now() + length;
    return true;
}

Duration OwnServers::do_due(Clock::time_point now) {
    if (!thaws_ || *thaws_ > now) return Duration(0);
    const auto late = std::chrono::duration_cast<Duration>(now - *thaws_);
    thaw();
    return late;
}

void OwnServers::thaw() {
    if (!std::exchange(thaws_, std::nullopt)) return;
    tell("go_on");
    hung_until_ = Clock::now();
}

void OwnServers::tell(const char* what) {
    const std::string order = json{{"op", what}, {"node", frozen_.value}}.dump();
    if (process_.say(order + "\n") && hear().contains("done")) return;
    throw std::runtime_error("The servers of " + library_ + " do not do " + order + ".");
}

json OwnServers::hear() {
    std::string line;
    const std::string name = "The servers of " + library_;
    switch (process_.hear(line, kLongest)) {
        case DriverProcess::Heard::line: break;
        case DriverProcess::Heard::silence:
            throw std::runtime_error(name + " do not answer within a minute.");
        case DriverProcess::Heard::flood:
            throw std::runtime_error(name + " say more than one line may have.");
        case DriverProcess::Heard::end: {
            const std::string words = process_.last_words();
            throw std::runtime_error(name + ": their program " + process_.how_it_ended() +
                                     (words.empty() ? "" : ": " + words) + ".");
        }
    }
    json said = json::parse(line, nullptr, false);
    if (said.is_object()) return said;
    throw std::runtime_error(name + " say no JSON: " + printable(line));
}

}  // namespace locklab
