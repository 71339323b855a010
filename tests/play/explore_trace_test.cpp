// A find, written as a trace, is read as it was; a file that cannot be one is refused with what is
// wrong and what would be right.

#include "harness/play/explore_trace.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "algorithms/registry.h"
#include "harness/core/fault_text.h"

namespace locklab::explore_trace_test {
namespace {

using std::chrono::milliseconds;

Find find_with(const char* faults, std::vector<Step> steps) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    Bounds bounds = bounds_for(lock);
    bounds.faults = parse_faults(faults);
    bounds.outage = milliseconds(120);
    Path path;
    path.steps = std::move(steps);
    return find_of(lock, bounds, path, false);
}

/// The same text with one word for another; there must be one.
std::string with(std::string text, const std::string& word, const std::string& other) {
    const std::size_t at = text.find(word);
    EXPECT_NE(at, std::string::npos) << word;
    return text.replace(at, word.size(), other);
}

std::string complaint(const std::string& text) {
    try {
        read_find(text, "x.json");
        return "none";
    } catch (const std::exception& error) {
        return error.what();
    }
}

TEST(ExploreTrace, is_read_as_it_was_written) {
    const std::vector<Step> steps{{Step::Kind::wake, 0, 0, false, 0},
                                  {Step::Kind::restart, 0, 0, false, 0},
                                  {Step::Kind::pass, 0, 0, false, 7},
                                  {Step::Kind::back, 0, 0, false, 0}};
    Find find = find_with("restart=1", steps);
    find.bounds.outage = milliseconds(77);
    const std::string text = to_json(find);
    const Find read = read_find(text, "x.json");
    EXPECT_EQ(read.steps, steps);
    EXPECT_EQ(read.bounds.outage, milliseconds(77));
    EXPECT_EQ(to_json(read), text);
}

TEST(ExploreTrace, a_restart_of_older_files_has_no_outage) {
    const std::string text = to_json(find_with("restart=1", {}));
    const Find read = read_find(with(text, "\"outage_us\":120000,", ""), "x.json");
    EXPECT_EQ(read.bounds.outage, Duration::zero());
}

TEST(ExploreTrace, says_what_is_wrong_and_what_right) {
    const std::string failover =
        to_json(find_with("failover=1", {{Step::Kind::failover, 0, 0, false, 0}}));
    EXPECT_EQ(complaint(failover), "none");
    EXPECT_NE(complaint(with(failover, "\"failover=1\"", "\"none\""))
                  .find("'failover', needs a replica; right would be failover=1 among the faults"),
              std::string::npos);
    EXPECT_NE(complaint(with(failover, "\"newcomer\"", "\"servers\":2,\"newcomer\""))
                  .find("failover needs exactly one master; right would be \"servers\": 1"),
              std::string::npos);
    const std::string calm = to_json(find_with("none", {{Step::Kind::wake, 1, 0, false, 0}}));
    EXPECT_NE(complaint(with(calm, "B wake", "D wake")).find("of a client that is not there"),
              std::string::npos);
    EXPECT_NE(complaint(with(calm, "B wake", "B send at 2")).find("a server that is not there"),
              std::string::npos);
    EXPECT_NE(complaint(with(calm, "B wake", "B walks")).find("is none; right would be"),
              std::string::npos);
    const std::string restart = to_json(find_with("restart=1", {}));
    EXPECT_NE(complaint(with(restart, "120000", "31000000")).find("half a minute at most"),
              std::string::npos);
}

TEST(ExploreTrace, tells_which_key_was_evicted) {
    const Algorithm& lock = *algorithm_named("fenced");
    Bounds bounds = bounds_for(lock);
    bounds.faults = parse_faults("evict=1");
    Path path;
    path.steps = {{Step::Kind::evict, 0, 0, false, 1}};
    const std::string text = to_json(find_of(lock, bounds, path, false));
    EXPECT_NE(text.find("\"evicted_keys\":[\"lock\",\"lock:fence\"]"), std::string::npos);
    EXPECT_NE(text.find("\"redis_evict key 2\""), std::string::npos);
    const Find read = read_find(text, "x.json");
    EXPECT_EQ(read.steps, path.steps);
    EXPECT_EQ(read.bounds.keys, bounds.keys);
    EXPECT_EQ(to_json(read), text);
    EXPECT_NE(complaint(with(text, "key 2", "key 3")).find("of a key that evicted_keys"),
              std::string::npos);
    EXPECT_NE(complaint(with(text, "key 2", "key 1")).find("is none; right would be"),
              std::string::npos);
    EXPECT_NE(complaint(with(text, "[\"lock\",", "[\"luck\",")).find("must begin with 'lock'"),
              std::string::npos);
    // In older files nothing but the lock's own key is evicted, and they list none.
    path.steps = {{Step::Kind::evict, 0, 0, false, 0}};
    const std::string older = to_json(find_of(lock, bounds, path, false));
    EXPECT_EQ(older.find("evicted_keys"), std::string::npos);
    EXPECT_EQ(read_find(older, "x.json").steps, path.steps);
}

}  // namespace
}  // namespace locklab::explore_trace_test
