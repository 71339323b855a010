// A library that counts its holders, and others made of it: a race that needs no fault, and what no
// search takes.

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "harness/foreign/virtual_search.h"
#include "tests/foreign/python_library.h"
#include "tests/foreign/short_spec.h"

namespace locklab::virtual_counter_test {
namespace {

/// Who counts itself in, finds that it is not the first, and counts itself out again may do that
/// when the key has been deleted and made anew: then the count says that nobody is inside.
const std::string kCounter =
    python_driver(R"(        said = {"granted": tell("INCR", key) == b":1\r\n"}
        if not said["granted"]:
            tell("DECR", key))",
                  R"(        said = {"released": tell("DEL", key) == b":1\r\n"})");

/// The holder has to leave, and come again, while another's message is on its way: time does not
/// pass meanwhile, so that it must do so before it is due. Where nobody acts early, it is not
/// found.
TEST(VirtualCounter, a_race_that_needs_no_fault_is_found) {
    const Library library = python_library(kCounter);
    const Subject subject(library);
    for (const PlayOrder order : {PlayOrder::random, PlayOrder::pct}) {
        const auto result = search_virtually(subject, short_spec(), {order, 200, 2, 1}, {});
        ASSERT_TRUE(result.find) << static_cast<int>(order);
        EXPECT_TRUE(result.find->came_again);
    }
}

/// One draw for each opening: what goes wrong with some draws only is found among others, and its
/// replay has their seed.
TEST(VirtualCounter, what_goes_wrong_by_chance_is_found_with_another_seed) {
    const Library library = python_library(
        python_driver(R"(        import os
        if getattr(sys, "of", None) is not link:
            sys.of, sys.drawn = link, os.urandom(1)[0] % 8
        won = tell("SET", key, "x", "NX", "PX", ttl).startswith(b"+OK")
        said = {"granted": won or sys.drawn == 3})",
                      R"(        said = {"released": tell("DEL", key) == b":1\r\n"})"));
    const Subject subject(library);
    PlaySpec spec = short_spec();
    const auto result = search_virtually(subject, spec, {PlayOrder::random, 1000, 2, 1}, {});
    ASSERT_TRUE(result.find);
    EXPECT_GT(result.plays, 100U);
    EXPECT_GT(result.find->seed, spec.seed);
    EXPECT_TRUE(result.find->came_again);
    EXPECT_FALSE(replay_virtually(subject, spec, result.find->deviations).find);
    spec.seed = result.find->seed;
    EXPECT_TRUE(replay_virtually(subject, spec, result.find->deviations).find);
}

TEST(VirtualCounter, who_changes_its_server_is_no_verdict_on_its_lock) {
    std::string lines = kCounter;
    const std::string take = "        said = {\"granted\": tell(\"INCR\", key) == b\":1\\r\\n\"}\n";
    const std::size_t at = lines.find(take);
    ASSERT_NE(at, std::string::npos);
    lines.insert(at, "        tell(\"SHUTDOWN\", \"NOSAVE\")\n");
    const Library library = python_library(lines.c_str());
    try {
        search_virtually(Subject(library), short_spec(), {PlayOrder::random, 5, 2, 1}, {});
        FAIL() << "it was not refused";
    } catch (const DriverTrouble& trouble) {
        EXPECT_NE(std::string(trouble.what()).find("sent SHUTDOWN NOSAVE"), std::string::npos)
            << trouble.what();
    }
}

/// Nobody reads what a driver says before it is at rest, and it waits until somebody does.
TEST(VirtualCounter, a_long_line_is_read_and_one_that_is_too_long_is_named) {
    const std::string take = "        said = {\"granted\": tell(\"INCR\", key) == b\":1\\r\\n\"}\n";
    const auto played = [&](std::size_t bytes) {
        std::string lines = kCounter;
        lines.insert(lines.find(take),
                     "        sys.stdout.write(' ' * " + std::to_string(bytes) + ")\n");
        const Library library = python_library(lines.c_str());
        try {
            search_virtually(Subject(library), short_spec(), {PlayOrder::pct, 1, 2, 1}, {});
        } catch (const DriverTrouble& trouble) {
            return std::string(trouble.what());
        }
        return std::string("played");
    };
    EXPECT_EQ(played(500'000), "played");
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(played(1'500'000), "The driver of odd says a line of more than 1,000,000 bytes.");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(15));
}

/// One that goes on, and one that is over before it answers: neither has the play's clock. The
/// first reads, since it would not survive a call that asks for the time: those are trapped.
TEST(VirtualCounter, who_starts_processes_is_refused) {
    const std::string begin = "import json, socket, sys\n";
    const std::string acquire = "    if a[\"op\"] == \"acquire\":\n";
    std::string early = kCounter;
    early.insert(early.find(begin),
                 "import subprocess\n"
                 "kept = subprocess.Popen(['/bin/cat'], env={}, stdin=subprocess.PIPE)\n");
    std::string late = kCounter;
    late.insert(late.find(acquire) + acquire.size(),
                "        import subprocess\n        subprocess.run(['/bin/true'], env={})\n");
    for (const std::string& lines : {early, late}) {
        const Library library = python_library(lines.c_str());
        try {
            search_virtually(Subject(library), short_spec(), {PlayOrder::pct, 5, 2, 1}, {});
            ADD_FAILURE() << lines;
        } catch (const DriverTrouble& trouble) {
            EXPECT_STREQ(trouble.what(),
                         "The driver of odd starts processes, which virtual time does not reach; "
                         "right would be a driver that is one process.");
        }
    }
}

}  // namespace
}  // namespace locklab::virtual_counter_test
