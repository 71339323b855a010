#include "harness/play/explore_trace.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/core/limits.h"
#include "harness/explore/evicted_keys.h"
#include "harness/explore/step_text.h"
#include "harness/record/client_options_json.h"
#include "harness/record/json_line.h"

namespace locklab {

namespace {

/// In traces in which a server restarts.
constexpr const char* kOutage = "outage_us";
/// In traces whose messages take time.
constexpr const char* kLatency = "latency_us";
/// In traces at whose end a client of the search waits.
constexpr const char* kWaiter = "waiter";
/// Of a find in which another key than the lock's own may be evicted.
constexpr const char* kKeys = "evicted_keys";

struct TimeRow {
    std::string_view key;
    Duration& (*of)(Bounds& bounds);
};

/// All times of the bounds, with their keys in the file.
constexpr std::array<TimeRow, 10> kTimes{{
    {"ttl_us", [](Bounds& b) -> Duration& { return b.options.ttl; }},
    {"renewal_us", [](Bounds& b) -> Duration& { return b.options.renewal; }},
    {"clock_unit_us", [](Bounds& b) -> Duration& { return b.options.clock_unit; }},
    {"job_us", [](Bounds& b) -> Duration& { return b.job; }},
    {"wait_us", [](Bounds& b) -> Duration& { return b.wait; }},
    {"command_timeout_us", [](Bounds& b) -> Duration& { return b.command_timeout; }},
    {"slow_job_us", [](Bounds& b) -> Duration& { return b.slow_job; }},
    {"pause_us", [](Bounds& b) -> Duration& { return b.pause; }},
    {"delay_us", [](Bounds& b) -> Duration& { return b.delay; }},
    {"clock_us", [](Bounds& b) -> Duration& { return b.clock; }},
}};

/// In the order of TokenStyle.
constexpr std::array<std::string_view, 3> kTokenStyles{"mixed", "same_head", "same_tail"};

void read_steps(JsonLine& line, Find& find) {
    const nlohmann::json& list = line.at("steps");
    if (!list.is_array()) line.fail("steps must be a list of words");
    if (list.size() > kMostSteps) {
        line.fail("it has more than " + std::to_string(kMostSteps) + " steps; no find has as many");
    }
    for (const nlohmann::json& word : list) {
        const std::string text = word.is_string() ? word.get<std::string>() : word.dump();
        const std::optional<Step> step = parse_step(text);
        if (!step) {
            line.fail("step " + std::to_string(find.steps.size()) + ", '" + text.substr(0, 40) +
                      "', is none; right would be, for instance, 'A send' or 'pass 300ms'");
        }
        if (step->client >= find.bounds.clients) {
            line.fail("step " + std::to_string(find.steps.size()) + ", '" + text +
                      "', is of a client that is not there");
        }
        if (server_of_step(*step) >= find.bounds.nodes()) {
            line.fail("step " + std::to_string(find.steps.size()) + ", '" + text +
                      "', is at a server that is not there");
        }
        const bool fails_over = step->kind == Step::Kind::failover;
        const bool learns = step->kind == Step::Kind::learn;
        if ((fails_over || learns) && !find.bounds.faults.takes_over()) {
            line.fail("step " + std::to_string(find.steps.size()) + ", '" + text +
                      "', needs a replica; right would be failover=1 among the faults");
        }
        const bool evicts = step->kind == Step::Kind::evict;
        if (evicts && step->ms >= find.evicted_keys().size()) {
            line.fail("step " + std::to_string(find.steps.size()) + ", '" + text +
                      "', is of a key that " + kKeys + " does not list");
        }
        find.steps.push_back(*step);
    }
}

void read_keys(JsonLine& line, Bounds& bounds) {
    if (!line.has(kKeys)) return;
    const nlohmann::json& list = line.at(kKeys);
    const bool right = list.is_array() && !list.empty() && list.size() <= kMostEvictedKeys;
    if (!right) line.fail(std::string(kKeys) + " must be a list of 1 to 64 names");
    bounds.keys.clear();
    for (const nlohmann::json& name : list) {
        if (!name.is_string()) line.fail(std::string(kKeys) + " must hold names");
        bounds.keys.push_back(name.get<std::string>());
    }
    if (bounds.keys.front() != Bounds().keys.front()) {
        line.fail(std::string(kKeys) + " must begin with '" + Bounds().keys.front() + "'");
    }
}

void read_offsets(JsonLine& line, Find& find) {
    const nlohmann::json& list = line.at("clock_offsets_us");
    const bool right = list.is_array() && list.size() == find.bounds.clients;
    if (!right) line.fail("clock_offsets_us must be a list with one number for each client");
    for (const nlohmann::json& offset : list) {
        const std::int64_t limit = us(Bounds::kLongest);
        const bool fits = offset.is_number_integer() && offset.get<std::int64_t>() <= limit &&
                          offset.get<std::int64_t>() >= -limit;
        if (!fits) line.fail("clock_offsets_us must hold whole numbers of half a minute at most");
        find.clock_offsets.emplace_back(offset.get<std::int64_t>());
    }
}

}  // namespace

Find find_of(const Algorithm& algorithm, const Bounds& bounds, const Path& witness, bool newcomer) {
    Find find;
    find.algorithm = &algorithm;
    find.bounds = bounds;
    find.steps = witness.steps;
    find.tokens = witness.tokens;
    find.newcomer = newcomer;
    for (std::uint32_t i = 0; i < bounds.clients; ++i) {
        find.clock_offsets.push_back(std::chrono::milliseconds(witness.clocks[i]));
    }
    return find;
}

Find find_of(const Algorithm& algorithm, const Bounds& bounds, const Path& witness,
             ClientId waiter) {
    const bool newcomer = waiter.value == bounds.clients;
    Find find = find_of(algorithm, bounds, witness, newcomer);
    if (!newcomer) find.waiter = waiter;
    return find;
}

std::string trace_name(const Find& find) {
    const Bounds& bounds = find.bounds;
    return "explore." + std::string(find.algorithm->name) + "." + to_string(bounds.faults) + ".c" +
           std::to_string(bounds.clients) + "r" + std::to_string(bounds.rounds) + "a" +
           std::to_string(bounds.attempts) +
           (bounds.latency == Duration::zero() ? "" : ".latency" + to_string(bounds.latency));
}

std::string to_json(const Find& find) {
    Bounds bounds = find.bounds;
    bounds.command_timeout = bounds.timeout();
    nlohmann::ordered_json json;
    json["format"] = "locklab-trace";
    json["version"] = 1;
    json["kind"] = "steps";
    json["algorithm"] = find.algorithm->name;
    json["clients"] = bounds.clients;
    json["rounds"] = bounds.rounds;
    json["attempts"] = bounds.attempts;
    json["faults"] = to_string(bounds.faults);
    for (const TimeRow& row : kTimes) json[std::string(row.key)] = us(row.of(bounds));
    json["clock_offsets_us"] = nlohmann::ordered_json::array();
    for (const Duration offset : find.clock_offsets) json["clock_offsets_us"].push_back(us(offset));
    if (find.tokens != Find().tokens) {
        json["tokens"] = kTokenStyles[static_cast<std::size_t>(find.tokens)];
    }
    if (bounds.takes_again) json["takes_again"] = true;
    if (bounds.faults.has(FaultSize::outage)) json[kOutage] = us(bounds.outage);
    if (bounds.latency > Duration::zero()) json[kLatency] = us(bounds.latency);
    if (bounds.servers != 1) json["servers"] = bounds.servers;
    if (!bounds.unequal.empty()) json[kUnequalClients] = to_json(bounds.unequal);
    if (std::ranges::any_of(find.steps, [](const Step& step) {
            return step.kind == Step::Kind::evict && step.ms > 0;
        })) {
        json[kKeys] = bounds.keys;
    }
    json["newcomer"] = find.newcomer;
    if (find.waiter) json[kWaiter] = find.waiter->value;
    json["steps"] = nlohmann::ordered_json::array();
    for (const Step& step : find.steps) json["steps"].push_back(to_string(step));
    return json.dump() + "\n";
}

bool is_find_trace(std::string_view text) { return peek_text(text, "kind") == "steps"; }

Find read_find(std::string_view text, std::string_view name) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    JsonLine line(name, 1, text);
    if (line.text("format") != "locklab-trace") line.fail("format must be \"locklab-trace\"");
    if (line.whole("version") != 1) line.fail("version must be 1");
    if (line.text("kind") != "steps") line.fail("kind must be \"steps\"");
    Find find;
    const std::string algorithm = line.text("algorithm");
    find.algorithm = algorithm_named(algorithm);
    if (find.algorithm == nullptr) {
        line.fail("there is no algorithm '" + algorithm + "' (see locklab list)");
    }
    Bounds& bounds = find.bounds;
    bounds.clients = static_cast<std::uint32_t>(line.whole("clients", Bounds::kMostClients));
    if (bounds.clients == 0) line.fail("clients must be at least 1");
    bounds.rounds = static_cast<std::uint32_t>(line.whole("rounds", 1000));
    bounds.attempts = static_cast<std::uint32_t>(line.whole("attempts", 1000));
    try {
        bounds.faults = parse_faults(line.text("faults"));
    } catch (const std::invalid_argument& error) {
        line.fail(error.what());
    }
    const auto read_time = [&](std::string_view key) {
        const Duration time = line.time(key);
        if (time > Bounds::kLongest) line.fail(std::string(key) + " must be half a minute at most");
        return time;
    };
    for (const TimeRow& row : kTimes) row.of(bounds) = read_time(row.key);
    if (bounds.options.clock_unit <= Duration::zero())
        line.fail("clock_unit_us must be above zero");
    find.newcomer = line.flag("newcomer");
    // Files of older versions have none of these keys.
    if (line.has(kOutage)) bounds.outage = read_time(kOutage);
    if (line.has(kLatency)) bounds.latency = read_time(kLatency);
    if (line.has(kWaiter)) {
        find.waiter = ClientId{static_cast<std::uint32_t>(line.whole(kWaiter, bounds.clients - 1))};
        if (find.newcomer) line.fail("waiter and newcomer do not go together; give one of them");
    }
    if (line.has("tokens")) {
        find.tokens = static_cast<TokenStyle>(line.word("tokens", kTokenStyles));
    }
    bounds.unequal = read_unequal_clients(line, bounds.clients, Bounds::kLongest);
    if (line.has("takes_again")) bounds.takes_again = line.flag("takes_again");
    if (line.has("servers")) {
        bounds.servers = static_cast<std::uint32_t>(line.whole("servers", Bounds::kMostServers));
        if (bounds.servers == 0) line.fail("servers must be at least 1");
    }
    if (bounds.faults.takes_over() && bounds.servers > 1) {
        line.fail("failover needs exactly one master; right would be \"servers\": 1");
    }
    read_keys(line, bounds);
    read_offsets(line, find);
    read_steps(line, find);
    line.done("trace of a find");
    return find;
}

}  // namespace locklab
