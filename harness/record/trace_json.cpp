#include "harness/record/trace_json.h"

#include <array>
#include <nlohmann/json.hpp>

#include "harness/core/fault_text.h"
#include "harness/core/limits.h"
#include "harness/core/usage_error.h"
#include "harness/record/client_options_json.h"
#include "harness/record/files.h"

namespace locklab {

namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::string_view kFormat = "locklab-trace";
constexpr std::array<std::string_view, 3> kWaits{"fixed", "jitter", "exponential"};
/// In the order of Workload::Again; files without the key mean never.
constexpr std::array<std::string_view, 3> kAgain{"never", "sometimes", "always"};
/// A file without it is of a time when only the lock's key was evicted.
constexpr const char* kEvictsAny = "evicts_any_key";
/// Of a run whose writes the lock's own Redis refuses.
constexpr const char* kGuards = "guards_writes";
constexpr std::uint64_t kMostGrants = 1'000'000;
/// Products of the scale with a fault's hundredths and quantiles must not overflow.
constexpr Duration kLargestScale = std::chrono::hours(24);

/// All times of a specification, with their keys in the file.
struct TimeRow {
    std::string_view key;
    Duration& (*of)(RunSpec& spec);
};

constexpr std::array<TimeRow, 16> kTimes{{
    {"ttl_us", [](RunSpec& s) -> Duration& { return s.options.ttl; }},
    {"retry_us", [](RunSpec& s) -> Duration& { return s.options.retry; }},
    {"give_up_us", [](RunSpec& s) -> Duration& { return s.options.give_up; }},
    {"renewal_us", [](RunSpec& s) -> Duration& { return s.options.renewal; }},
    {"clock_unit_us", [](RunSpec& s) -> Duration& { return s.options.clock_unit; }},
    {"job_least_us", [](RunSpec& s) -> Duration& { return s.workload.job.least; }},
    {"job_most_us", [](RunSpec& s) -> Duration& { return s.workload.job.most; }},
    {"job_limit_us", [](RunSpec& s) -> Duration& { return s.workload.job_limit; }},
    {"think_least_us", [](RunSpec& s) -> Duration& { return s.workload.think.least; }},
    {"think_most_us", [](RunSpec& s) -> Duration& { return s.workload.think.most; }},
    {"away_least_us", [](RunSpec& s) -> Duration& { return s.workload.away.least; }},
    {"away_most_us", [](RunSpec& s) -> Duration& { return s.workload.away.most; }},
    {"wait_us", [](RunSpec& s) -> Duration& { return s.workload.wait.delay; }},
    {"scale_us", [](RunSpec& s) -> Duration& { return s.scale; }},
    {"command_timeout_us", [](RunSpec& s) -> Duration& { return s.command_timeout; }},
    {"patience_us", [](RunSpec& s) -> Duration& { return s.patience; }},
}};

/// The same for regular pauses; files without them mean none.
constexpr std::array<TimeRow, 2> kPauseTimes{{
    {"pause_every_us", [](RunSpec& s) -> Duration& { return s.pauses.every; }},
    {"pause_length_us", [](RunSpec& s) -> Duration& { return s.pauses.length; }},
}};

/// Refuses values that would make a run endless, or meaningless.
void check_sense(RunSpec& spec, JsonLine& line) {
    const auto above_zero = [&](Duration time, const char* key) {
        if (time <= Duration::zero()) line.fail(std::string(key) + " must be above zero");
    };
    const auto at_most = [&](Duration time, std::string_view key, Duration most) {
        if (time <= most) return;
        line.fail(std::string(key) + " must be at most " + std::to_string(us(most)));
    };
    for (const TimeRow& row : kTimes) at_most(row.of(spec), row.key, kLongestPatience);
    for (const TimeRow& row : kPauseTimes) at_most(row.of(spec), row.key, kLongestPatience);
    at_most(spec.scale, "scale_us", kLargestScale);
    above_zero(spec.options.clock_unit, "clock_unit_us");
    above_zero(spec.workload.wait.delay, "wait_us");
    above_zero(spec.workload.job.most, "job_most_us");
    above_zero(spec.scale, "scale_us");
    above_zero(spec.command_timeout, "command_timeout_us");
    above_zero(spec.patience, "patience_us");
    if (spec.workload.wait.delay < spec.patience / kMostTries) {
        line.fail("wait_us must be at least a millionth of patience_us");
    }
    const bool pauses = spec.pauses.every != Duration::zero();
    if (pauses && spec.pauses.every < spec.patience / kMostTries) {
        line.fail("pause_every_us must be at least a millionth of patience_us");
    }
    if (spec.algorithm->renews) above_zero(spec.options.renewal, "renewal_us");
}

std::vector<std::uint32_t> read_picks(JsonLine& line) {
    const nlohmann::json& list = line.at("picks");
    if (!list.is_array()) line.fail("picks must be an array of whole numbers");
    std::vector<std::uint32_t> picks;
    for (const nlohmann::json& pick : list) {
        if (!pick.is_number_unsigned() || pick.get<std::uint64_t>() > 0xFFFFFFFFU) {
            line.fail("pick " + std::to_string(picks.size()) +
                      " must be a whole number from 0 to 4294967295");
        }
        picks.push_back(pick.get<std::uint32_t>());
    }
    return picks;
}

void read_tasks(JsonLine& line, RunSpec& spec) {
    if (!line.has("tasks")) return;
    spec.tasks = static_cast<std::uint32_t>(line.whole("tasks", kMostTasks));
    if (spec.tasks == 0) line.fail("tasks must be at least 1");
    try {
        check_tasks(spec);
    } catch (const UsageError& error) {
        line.fail(error.what());
    }
}

/// The servers, and the locks at them.
void read_servers(JsonLine& line, RunSpec& spec) {
    if (line.has("topology")) {
        const std::string word = line.text("topology");
        const auto topology = parse_topology(word);
        if (!topology) {
            line.fail("topology '" + word + "' is none; right would be " + right_topologies());
        }
        spec.topology = *topology;
    }
    if (line.has("locks")) {
        spec.resources = static_cast<std::uint32_t>(line.whole("locks", ResourceId::kMost));
        spec.workload.same_order = line.flag("same_order");
        if (spec.resources < 2 || spec.topology.masters != spec.resources) {
            line.fail("'locks' must be 2 or 3, and 'topology' have as many masters");
        }
    }
    try {
        check_locks(spec);
        spec.topology = topology_for(*spec.algorithm, spec.topology, spec.budget);
        check_guard(spec);
    } catch (const UsageError& error) {
        line.fail(error.what());
    }
}

/// The keys after the algorithm's name.
void add_options(nlohmann::ordered_json& json, RunSpec spec) {
    json["clients"] = spec.clients;
    if (spec.tasks != 1) json["tasks"] = spec.tasks;
    json["grants"] = spec.grants;
    json["faults"] = to_string(spec.budget);
    if (spec.drawn) json["drawn"] = true;
    const auto evicts = [](const HazardRow& row) { return row.loss == FaultLoss::key; };
    if (spec.budget.has(evicts) && spec.evicts_any_key) json[kEvictsAny] = true;
    json["latency"] = spec.latency;
    json["wait"] = kWaits[static_cast<std::size_t>(spec.workload.wait.kind)];
    for (const TimeRow& row : kTimes) json[std::string(row.key)] = us(row.of(spec));
    if (spec.pauses.every != Duration::zero()) {
        for (const TimeRow& row : kPauseTimes) json[std::string(row.key)] = us(row.of(spec));
    }
    if (spec.workload.takes_again != Workload::Again::never) {
        json["takes_again"] = kAgain[static_cast<std::size_t>(spec.workload.takes_again)];
    }
    if (spec.guards_writes) json[kGuards] = true;
    if (spec.topology != Topology()) json["topology"] = to_string(spec.topology);
    if (spec.resources != 1) {
        json["locks"] = spec.resources;
        json["same_order"] = spec.workload.same_order;
    }
    if (!spec.unequal.empty()) json[kUnequalClients] = to_json(spec.unequal);
}

const Algorithm& read_algorithm(JsonLine& line, FindAlgorithm find) {
    const std::string name = line.text("algorithm");
    const Algorithm* const algorithm = find(name);
    if (algorithm == nullptr) {
        line.fail("there is no algorithm '" + name + "' (see locklab list)");
    }
    return *algorithm;
}

/// The algorithm is known already.
void read_options(JsonLine& line, RunSpec& spec) {
    spec.clients = static_cast<std::uint32_t>(line.whole("clients", kMostClients));
    if (spec.clients == 0) line.fail("clients must be at least 1");
    spec.grants = line.whole("grants", kMostGrants);
    try {
        spec.budget = parse_faults(line.text("faults"));
    } catch (const std::invalid_argument& error) {
        line.fail(error.what());
    }
    if (line.has("drawn")) spec.drawn = line.flag("drawn");
    spec.evicts_any_key = line.has(kEvictsAny) && line.flag(kEvictsAny);
    spec.latency = line.text("latency");
    spec.workload.wait.kind = static_cast<WaitPolicy::Kind>(line.word("wait", kWaits));
    for (const TimeRow& row : kTimes) row.of(spec) = line.time(row.key);
    if (line.has(kPauseTimes[0].key)) {
        for (const TimeRow& row : kPauseTimes) row.of(spec) = line.time(row.key);
    }
    if (line.has("takes_again")) {
        spec.workload.takes_again = static_cast<Workload::Again>(line.word("takes_again", kAgain));
    }
    if (line.has(kGuards)) spec.guards_writes = line.flag(kGuards);
    read_servers(line, spec);
    spec.unequal = read_unequal_clients(line, spec.clients, kLargestScale);
    read_tasks(line, spec);
    spec.workload.give_up = spec.options.give_up;
    check_sense(spec, line);
}

}  // namespace

std::string to_json(const Trace& trace) {
    nlohmann::ordered_json json;
    json["format"] = kFormat;
    json["version"] = kVersion;
    json["algorithm"] = trace.spec.algorithm->name;
    json["seed"] = trace.seed;
    json["run"] = trace.run;
    add_options(json, trace.spec);
    json["picks"] = trace.picks;
    return json.dump() + "\n";
}

std::string to_json(const GivenRun& given) {
    nlohmann::ordered_json json;
    json["algorithm"] = given.spec.algorithm->name;
    add_options(json, given.spec);
    json["lag_us"] = us(given.lag);
    return json.dump();
}

GivenRun read_given(std::string_view text, std::string_view name, FindAlgorithm find) {
    JsonLine line(name, 1, text);
    GivenRun given;
    given.spec.algorithm = &read_algorithm(line, find);
    read_options(line, given.spec);
    given.lag = line.time("lag_us");
    line.done("what the run was given");
    return given;
}

Trace read_trace(std::string_view text, std::string_view name, FindAlgorithm find) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    JsonLine line(name, 1, text);
    if (line.text("format") != kFormat) line.fail("format must be \"locklab-trace\"");
    if (line.whole("version") != kVersion) line.fail("version must be 1");
    Trace trace;
    trace.spec.algorithm = &read_algorithm(line, find);
    trace.seed = line.whole("seed");
    trace.run = line.whole("run");
    read_options(line, trace.spec);
    trace.picks = read_picks(line);
    line.done("trace");
    return trace;
}

std::string text_of_trace(const std::filesystem::path& path) {
    return read_text(path, kMostTrace, "a trace");
}

Trace read_trace_file(const std::filesystem::path& path, FindAlgorithm find) {
    return read_trace(text_of_trace(path), path.string(), find);
}

}  // namespace locklab
