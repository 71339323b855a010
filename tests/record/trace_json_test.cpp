// Traces are read strictly: what would be run is what was written, or it is an error.

#include "harness/record/trace_json.h"

#include <gtest/gtest.h>

namespace locklab::trace_json_test {
namespace {

using Json = nlohmann::ordered_json;
using namespace std::chrono_literals;

const Algorithm& renewing() {
    static const Algorithm algorithm{.name = "renewing",
                                     .label = {},
                                     .idea = {},
                                     .source = {},
                                     .colour = {},
                                     .defaults = {},
                                     .renews = true,
                                     .safe_under = {},
                                     .broken_by = {},
                                     .make = nullptr};
    return algorithm;
}

const Algorithm* find(std::string_view name) { return name == "renewing" ? &renewing() : nullptr; }

Trace example() {
    Trace trace;
    RunSpec& spec = trace.spec;
    spec.algorithm = &renewing();
    spec.options = {.ttl = 1s, .retry = 2ms, .give_up = 3s, .renewal = 400ms, .clock_unit = 5us};
    spec.workload.job = {6ms, 7ms};
    spec.workload.think = {8ms, 9ms};
    spec.workload.wait = {WaitPolicy::Kind::exponential, 10ms};
    spec.workload.give_up = 3s;
    spec.workload.job_limit = 11ms;
    spec.clients = 12;
    spec.grants = 13;
    spec.budget[Hazard::pause] = 2;
    spec.scale = 14s;
    spec.command_timeout = 15ms;
    spec.patience = 16s;
    spec.latency = "constant:17us";
    trace.seed = ~std::uint64_t{0};
    trace.run = 18;
    trace.picks = {0, 4'294'967'295, 19};
    return trace;
}

Json example_json() { return Json::parse(to_json(example())); }

std::string error_of(const std::string& text) {
    try {
        read_trace(text, "t", find);
    } catch (const FormatError& error) {
        return error.what();
    }
    return "read";
}

std::string error_with(const char* key, const Json& value) {
    Json json = example_json();
    json[key] = value;
    return error_of(json.dump());
}

TEST(TraceJsonTest, reads_all_that_it_writes) {
    const std::string text = to_json(example());
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
    EXPECT_EQ(text.back(), '\n');
    const Trace trace = read_trace(text, "t", find);
    EXPECT_EQ(to_json(trace), text);
    EXPECT_EQ(trace.spec.algorithm, &renewing());
    EXPECT_EQ(trace.spec.options.ttl, 1s);
    EXPECT_EQ(trace.spec.options.give_up, 3s);
    EXPECT_EQ(trace.spec.workload.give_up, 3s);
    EXPECT_EQ(trace.spec.workload.job.most, 7ms);
    EXPECT_EQ(trace.spec.workload.wait.kind, WaitPolicy::Kind::exponential);
    EXPECT_EQ(trace.spec.workload.wait.delay, 10ms);
    EXPECT_EQ(trace.spec.budget[Hazard::pause], 2U);
    EXPECT_EQ(trace.spec.latency, "constant:17us");
    EXPECT_EQ(trace.seed, ~std::uint64_t{0});
    EXPECT_EQ(trace.picks, example().picks);
}

TEST(TraceJsonTest, every_time_has_a_key_of_its_own) {
    Json json = example_json();
    std::int64_t value = 100'000;
    for (auto& [key, old] : json.items()) {
        if (key.ends_with("_us")) old = ++value;
    }
    EXPECT_EQ(value, 100'016);
    EXPECT_EQ(to_json(read_trace(json.dump(), "t", find)), json.dump() + "\n");
}

TEST(TraceJsonTest, has_regular_pauses_only_where_there_are_any) {
    EXPECT_EQ(to_json(example()).find("pause_"), std::string::npos);
    Trace trace = example();
    trace.spec.pauses = {5s, 2s};
    const std::string text = to_json(trace);
    const Trace again = read_trace(text, "t", find);
    EXPECT_EQ(to_json(again), text);
    EXPECT_EQ(again.spec.pauses.every, 5s);
    EXPECT_EQ(again.spec.pauses.length, 2s);
    Json json = Json::parse(text);
    json["pause_every_us"] = 15;
    EXPECT_EQ(error_of(json.dump()),
              "t:1: pause_every_us must be at least a millionth of patience_us");
    json["pause_every_us"] = 18'000'000'000'001;
    EXPECT_EQ(error_of(json.dump()), "t:1: pause_every_us must be at most 18000000000000");
    json.erase("pause_every_us");
    EXPECT_NE(error_of(json.dump()).find("unknown key 'pause_length_us'"), std::string::npos);
}

TEST(TraceJsonTest, may_be_spread_over_lines) {
    EXPECT_EQ(to_json(read_trace(example_json().dump(4) + "\r\n\n", "t", find)),
              to_json(example()));
}

TEST(TraceJsonTest, rejects_what_is_missing_unknown_or_of_another_type) {
    const Json whole = example_json();
    for (const auto& [key, value] : whole.items()) {
        Json json = whole;
        json.erase(key);
        EXPECT_EQ(error_of(json.dump()).rfind("t:1: the key '" + key + "' is missing", 0), 0U);
        for (const Json& wrong : {Json(nullptr), Json(true), Json(-1), Json(1.5), Json("x"),
                                  Json::object(), Json(1e300)}) {
            if (key == "latency" && wrong.is_string()) continue;  // not known here, but in sim
            EXPECT_EQ(error_with(key.c_str(), wrong).rfind("t:1: ", 0), 0U) << key << wrong;
        }
    }
    EXPECT_EQ(error_with("pick", 1).rfind("t:1: unknown key 'pick'; did you mean 'picks'?", 0), 0U);
    EXPECT_NE(error_of(""), "read");
    EXPECT_NE(error_of("[]"), "read");
    EXPECT_NE(error_of(to_json(example()) + to_json(example())), "read");
}

TEST(TraceJsonTest, says_what_would_be_right) {
    EXPECT_EQ(error_with("format", "locklab-history"), "t:1: format must be \"locklab-trace\"");
    EXPECT_EQ(error_with("version", 2), "t:1: version must be 1");
    EXPECT_EQ(error_with("algorithm", "x"), "t:1: there is no algorithm 'x' (see locklab list)");
    EXPECT_EQ(error_with("clients", 0), "t:1: clients must be at least 1");
    EXPECT_EQ(error_with("clients", 10'001),
              "t:1: 'clients' is '10001', not a whole number from 0 to 10000");
    EXPECT_EQ(error_with("grants", 1'000'001),
              "t:1: 'grants' is '1000001', not a whole number from 0 to 1000000");
    EXPECT_EQ(error_with("faults", "pause=1,pause=1"), "t:1: fault 'pause' is given twice");
    EXPECT_EQ(error_with("wait", "ficed"),
              "t:1: unknown wait 'ficed'; did you mean 'fixed'? Known: fixed, jitter, exponential");
    EXPECT_EQ(error_with("picks", {1, 4'294'967'296}),
              "t:1: pick 1 must be a whole number from 0 to 4294967295");
}

/// What would go on for ever, fill the memory, or overflow.
TEST(TraceJsonTest, rejects_what_makes_no_sense) {
    for (const char* key : {"clock_unit_us", "wait_us", "job_most_us", "scale_us",
                            "command_timeout_us", "patience_us", "renewal_us"}) {
        EXPECT_EQ(error_with(key, 0), "t:1: " + std::string(key) + " must be above zero");
    }
    const Json whole = example_json();
    for (const auto& [key, value] : whole.items()) {
        if (!key.ends_with("_us")) continue;
        EXPECT_EQ(error_with(key.c_str(), 18'000'000'000'001),
                  "t:1: " + key + " must be at most 18000000000000")
            << key;
    }
    EXPECT_EQ(error_with("scale_us", 86'400'000'001), "t:1: scale_us must be at most 86400000000");
    EXPECT_EQ(error_with("wait_us", 15),
              "t:1: wait_us must be at least a millionth of patience_us");
    EXPECT_EQ(error_with("wait_us", 16), "read");
}

TEST(TraceJsonTest, without_a_word_of_it_only_the_locks_key_is_evicted) {
    Trace trace = example();
    trace.spec.budget[Hazard::evict] = 1;
    const std::string text = to_json(trace);
    EXPECT_TRUE(read_trace(text, "t", find).spec.evicts_any_key);
    Json json = Json::parse(text);
    json.erase("evicts_any_key");
    const Trace older = read_trace(json.dump(), "t", find);
    EXPECT_FALSE(older.spec.evicts_any_key);
    EXPECT_EQ(to_json(older), json.dump() + "\n");
}

TEST(TraceJsonTest, says_that_writes_are_guarded) {
    Trace trace = example();
    EXPECT_EQ(to_json(trace).find("guards_writes"), std::string::npos);
    trace.spec.guards_writes = true;
    EXPECT_TRUE(read_trace(to_json(trace), "t", find).spec.guards_writes);
}

}  // namespace
}  // namespace locklab::trace_json_test
