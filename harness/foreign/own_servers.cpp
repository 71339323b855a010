#include "harness/foreign/own_servers.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "harness/core/limits.h"
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

/// Empty if any of them is no address.
std::vector<Endpoint> addresses_in(const json& said) {
    const auto nodes = said.find("nodes");
    if (nodes == said.end() || !nodes->is_array()) return {};
    std::vector<Endpoint> addresses;
    try {
        for (const json& node : *nodes) {
            addresses.push_back(resolved(parse_endpoint(node.get<std::string>())));
        }
    } catch (const json::exception&) {
        return {};
    } catch (const std::invalid_argument&) {
        return {};
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
    if (away_) return false;
    tell("stop", node);
    leaves(node, "go_on", length);
    return true;
}

std::optional<NodeId> OwnServers::kill_leader(Duration length) {
    if (away_) return std::nullopt;
    const json said = tell({{"op", "kill_leader"}});
    const auto told = said.find("node");
    if (told == said.end() || !told->is_number_unsigned() || *told >= count()) {
        throw std::runtime_error("The servers of " + library_ +
                                 " do not say which of them was killed; right would be one line, "
                                 "as {\"done\": \"kill_leader\", \"node\": 0}.");
    }
    const NodeId leader{told->get<std::uint32_t>()};
    leaves(leader, "start", length);
    return leader;
}

void OwnServers::leaves(NodeId node, const char* comes_back, Duration length) {
    away_ = {node, comes_back, Clock::now() + length};
    away_until_ = away_->due;
}

void OwnServers::come_back() {
    const Away away = *std::exchange(away_, std::nullopt);
    tell(away.comes_back, away.node);
    away_until_ = Clock::now();
}

std::optional<OwnServers::Clock::time_point> OwnServers::next_due() const {
    return away_ ? std::optional(away_->due) : std::nullopt;
}

Duration OwnServers::do_due(Clock::time_point now) {
    if (!away_ || away_->due > now) return Duration(0);
    const auto late = std::chrono::duration_cast<Duration>(now - away_->due);
    come_back();
    return late;
}

void OwnServers::restore() {
    if (away_) come_back();
    tell({{"op", "await"}});
}

json OwnServers::tell(const nlohmann::ordered_json& order) {
    process_.say(order.dump() + "\n");  // if it has ended, hear() says so
    const json said = hear();
    if (said.contains("done")) return said;
    std::string why;
    if (const auto error = said.find("error"); error != said.end() && error->is_string()) {
        why = ": " + printable(error->get<std::string>());
    }
    throw std::runtime_error("The servers of " + library_ + " do not do " + order.dump() + why +
                             "; right would be one line with \"done\".");
}

json OwnServers::hear() {
    std::string line;
    const std::string name = "The servers of " + library_;
    switch (process_.hear(line, kLongest)) {
        case DriverProcess::Heard::line: break;
        case DriverProcess::Heard::silence:
            throw std::runtime_error(name +
                                     " do not answer within a minute; right would be a line for "
                                     "each order, sooner.");
        case DriverProcess::Heard::flood:
            throw std::runtime_error(name + " say too much in one line; right would be at most " +
                                     std::to_string(kLongestLine) + " bytes.");
        case DriverProcess::Heard::end: {
            const std::string words = process_.last_words();
            throw std::runtime_error(name + ": their program " + process_.how_it_ended() +
                                     (words.empty() ? "" : ": " + words) + ".");
        }
    }
    json said = json::parse(line, nullptr, false);
    if (said.is_object()) return said;
    throw std::runtime_error(name + " say no JSON object: " + printable(line) +
                             "; right would be one in each line.");
}

}  // namespace locklab
