// Which keys a server loses in plays of driver processes.

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/check/judge.h"
#include "harness/foreign/play_course.h"
#include "harness/foreign/real_play.h"
#include "harness/foreign/virtual_search.h"
#include "tests/foreign/python_library.h"
#include "tests/foreign/short_spec.h"

namespace locklab::virtual_evictions_test {
namespace {

/// What its manifest calls its key says only that somebody was here; another key excludes.
const std::string kTwoKeys = python_driver(
    R"(        said = {"granted": tell("SET", key + ":owner", "it", "NX") == b"+OK\r\n"}
        tell("SET", key, "was here"))",
    R"(        said = {"released": tell("DEL", key + ":owner") == b":1\r\n"})");

PlaySpec with_one(Hazard fault) {
    PlaySpec spec = short_spec();
    spec.faults[fault] = 1;
    return spec;
}
PlaySpec evicting() { return with_one(Hazard::evict); }

TEST(VirtualEvictions, any_key_that_a_server_has_may_go) {
    const Library library = python_library(kTwoKeys);
    const Subject subject(library);
    const PlaySpec spec = evicting();
    const auto result = search_virtually(subject, spec, {PlayOrder::pct, 200, 2, 1}, {});
    ASSERT_TRUE(result.find);
    EXPECT_TRUE(result.find->came_again);
    std::vector<std::string> gone;
    for (const Event& event : result.find->play.history.events) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault != nullptr) gone.push_back(fault->key);
    }
    EXPECT_EQ(gone, std::vector<std::string>{std::string(kVirtualKey) + ":owner"});

    const RealReplay replay = replay_really(
        subject, spec, result.find->play.script, [] { return false; }, 20);
    EXPECT_TRUE(replay.proved) << replay.missing << replay.trouble;
}

/// It is held while either of two keys is there.
const std::string kMirrored = python_driver(
    R"(        one = tell("SET", key, "it", "NX") == b"+OK\r\n"
        other = tell("SET", key + ":mirror", "it", "NX") == b"+OK\r\n"
        said = {"granted": one and other})",
    R"(        said = {"released": tell("DEL", key, key + ":mirror") == b":2\r\n"})");

TEST(VirtualEvictions, all_keys_go_where_one_would_not_matter) {
    const Library library = python_library(kMirrored);
    const Subject subject(library);
    const auto one = search_virtually(subject, evicting(), {PlayOrder::pct, 100, 2, 1}, {});
    EXPECT_FALSE(one.find);
    EXPECT_EQ(why_nothing(one, evicting().faults), "");
    const PlaySpec spec = with_one(Hazard::flush);
    const auto all = search_virtually(subject, spec, {PlayOrder::pct, 200, 2, 1}, {});
    ASSERT_TRUE(all.find);
    EXPECT_TRUE(all.find->came_again);
    EXPECT_EQ(judge(all.find->play.history).violations.at(0).cause, Cause::lost_data);
    const RealReplay replay = replay_really(
        subject, spec, all.find->play.script, [] { return false; }, 20);
    EXPECT_TRUE(replay.proved) << replay.missing << replay.trouble;
}

/// It asks the server whether it is there, and excludes by a socket's name.
const std::string kNoKeys = python_driver(R"(        tell("PING")
        mine = socket.socket(socket.AF_UNIX)
        try:
            mine.bind("\0" + key)
            held, said = mine, {"granted": True}
        except OSError:
            said = {"granted": False})",
                                          R"(        held.close()
        said = {"released": True})");

/// A play in which nothing was lost shows nothing of a loss.
TEST(VirtualEvictions, what_is_not_there_does_not_go) {
    const Library library = python_library(kNoKeys);
    for (const Hazard fault : {Hazard::evict, Hazard::flush}) {
        const PlaySpec spec = with_one(fault);
        const auto result =
            search_virtually(Subject(library), spec, {PlayOrder::pct, 20, 2, 1}, {});
        EXPECT_FALSE(result.find);
        EXPECT_GT(result.inside, 0U);
        EXPECT_EQ(why_nothing(result, spec.faults), std::string(name_of(fault)) + " never struck");
    }
}

}  // namespace
}  // namespace locklab::virtual_evictions_test
