// Searches of driver processes in virtual time: what they find, how it is shrunk and comes again.

#include "harness/foreign/virtual_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <sstream>

#include "algorithms/registry.h"
#include "harness/check/judge.h"
#include "harness/core/usage_error.h"
#include "harness/foreign/library.h"
#include "harness/foreign/play_drives.h"
#include "harness/record/history_json.h"
#include "tests/core/places.h"
#include "tests/foreign/python_library.h"
#include "tests/foreign/short_spec.h"

namespace locklab::virtual_search_test {
namespace {

VirtualSearchResult search(const Subject& subject, Hazard hazard,
                           const VirtualSearchLimits& limits) {
    PlaySpec spec;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    if (hazard != kNoFault) spec.faults[hazard] = 1;
    VirtualSearchResult result = search_virtually(subject, spec, limits, Watcher());
    if (!result.find) return result;
    spec.seed = result.find->seed;
    VirtualWorld world(subject, spec.clients);
    GivenDrive drive(picks_of(result.find->deviations));
    EXPECT_FALSE(play_virtually(world, subject, spec, drive).proved.empty());
    return result;
}

VirtualSearchResult search(const char* lock, Hazard hazard, const VirtualSearchLimits& limits) {
    return search(Subject(*algorithm_named(lock), built_program()), hazard, limits);
}

TEST(VirtualSearch, a_pause_breaks_a_lease_in_every_order) {
    for (const PlayOrder order : {PlayOrder::random, PlayOrder::pct, PlayOrder::delay}) {
        const auto result = search("set_nx_del", Hazard::pause, {order, 300, 1, 1});
        ASSERT_TRUE(result.find) << static_cast<int>(order);
        EXPECT_TRUE(result.find->came_again);
        EXPECT_LE(result.find->deviations.size(), 1U);
        EXPECT_GE(result.find->found_with, result.find->deviations.size());
    }
}

TEST(VirtualSearch, what_is_found_beside_is_that_of_the_plays_up_to_the_find) {
    VirtualSearchLimits limits{PlayOrder::pct, 300, 2, 2};
    limits.asks_oracles = true;
    const auto result = search("set_nx_del", Hazard::pause, limits);
    ASSERT_TRUE(result.find);
    EXPECT_EQ(result.oracles.of(Oracle::deaths).runs, result.plays);
    EXPECT_GT(result.oracles.of(Oracle::never_told).count.of, 0U);
    EXPECT_TRUE(result.oracles.has_exact_clocks());
    limits.threads = 1;
    const auto again = search("set_nx_del", Hazard::pause, limits);
    for (const OracleRow& row : kOracles) {
        EXPECT_EQ(again.oracles.of(row.oracle).count, result.oracles.of(row.oracle).count)
            << row.name;
    }
}

/// The first cause of what is found, as whoever reads the file is told.
std::optional<Cause> cause_of_find(const VirtualSearchResult& result) {
    EXPECT_TRUE(result.find);
    if (!result.find) return std::nullopt;
    EXPECT_TRUE(result.find->came_again);
    std::stringstream file;
    write_history(file, result.find->play.history);
    const Judgement here = judge(result.find->play.history);
    const Judgement there = judge(read_history(file, "find"));
    EXPECT_EQ(here.verdict, Verdict::violated);
    EXPECT_EQ(there.verdict, here.verdict);
    if (here.violations.empty() || there.violations.empty()) return std::nullopt;
    EXPECT_EQ(there.violations.front().cause, here.violations.front().cause);
    return here.violations.front().cause;
}

TEST(VirtualSearch, a_find_tells_its_cause) {
    const VirtualSearchLimits limits{PlayOrder::pct, 300, 2, 1};
    for (const char* lock : {"set_nx_del", "set_nx_lua"}) {
        EXPECT_EQ(cause_of_find(search(lock, Hazard::pause, limits)), Cause::expired_while_held);
    }
    EXPECT_EQ(cause_of_find(search("set_nx_lua", Hazard::restart, limits)), Cause::lost_data);
    const std::filesystem::path source = source_dir();
    for (const Library& library : read_libraries(source / "drivers", source / "build/libraries")) {
        if (library.row() != "lib:redis-py" || !library.is_installed()) continue;
        const auto result = search(Subject(library), Hazard::pause, limits);
        EXPECT_EQ(cause_of_find(result), Cause::expired_while_held);
    }
}

TEST(VirtualSearch, of_a_deadline_in_a_value_too_a_find_tells_its_cause) {
    const VirtualSearchLimits limits{PlayOrder::pct, 300, 2, 1};
    EXPECT_EQ(cause_of_find(search("setnx_timestamp_del", Hazard::pause, limits)),
              Cause::expired_while_held);
    EXPECT_EQ(cause_of_find(search("setnx_timestamp_del", Hazard::clock_jump, limits)),
              Cause::clock);
}

/// A driver in a few words of shell, which grants each time; `step` says what a step answers.
Library shell_library(const std::string& step, const std::string& open = "said=") {
    Library library;
    library.name = library.library = "odd";
    library.version = "1";
    library.installed = "/";
    library.run = {"bash", "-c",
                   R"(steps=0
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *'"hello"'*) said='"library":"odd","version":"1","nodes":"one"'
      said+=',"waits":false,"renews":false,"extends":false,"tells":false,"fences":false' ;;
    *'"acquire"'*) said='"granted":true,"token":"t"' ;;
    *'"step"'*) steps=$((steps + 1)); )" +
                       step + R"( ;;
    *'"open"'*) )" + open +
                       R"( ;;
    *'"release"'*) said='"released":null' ;;
    *'"exit"'*) exit ;;
    *) said= ;;
  esac
  echo "{\"id\":$id,\"called_us\":0,\"answered_us\":0${said:+,$said}}"
done)"};
    return library;
}

/// It is inside in its first play alone.
const char* const kForgetful =
    R"(said='"ok":true,"lost":false'; [ $steps -le 8 ] || said='"ok":true,"lost":true')";

TEST(VirtualSearch, a_find_that_does_not_come_again_is_shown_as_it_was_proved) {
    const Subject subject(shell_library(kForgetful));
    const auto result = search_virtually(subject, short_spec(), {PlayOrder::pct, 5, 1, 1}, {});
    ASSERT_TRUE(result.find);
    EXPECT_FALSE(result.find->proves_again);
    EXPECT_FALSE(result.find->came_again);
    EXPECT_FALSE(result.find->play.proved.empty());
    EXPECT_EQ(judge(result.find->play.history).verdict, Verdict::violated);
}

TEST(VirtualSearch, a_find_outlives_a_driver_that_dies_when_it_is_played_again) {
    const Subject subject(shell_library(R"(said='"ok":true,"lost":false')",
                                        "said=; opened=x$opened; [ $opened = x ] || exit 3"));
    const auto result = search_virtually(subject, short_spec(), {PlayOrder::pct, 5, 1, 1}, {});
    ASSERT_TRUE(result.find);
    EXPECT_FALSE(result.find->proves_again);
    EXPECT_EQ(result.find->trouble, "The driver of odd ended with code 3.");
    EXPECT_EQ(judge(result.find->play.history).verdict, Verdict::violated);
}

/// It grants each time, and its step is these lines.
std::string steps_forever(const std::string& step) {
    return "import json, os, sys, time\n"
           "for line in sys.stdin:\n"
           "    asked, said = json.loads(line), {}\n"
           "    match asked['op']:\n"
           "        case 'hello': said = dict(library='odd', version='1', nodes='one', "
           "waits=False,\n"
           "            renews=False, extends=False, tells=False, fences=False)\n"
           "        case 'acquire': said = dict(granted=True, token='t')\n"
           "        case 'release': said = dict(released=True)\n"
           "        case 'step': " +
           step +
           "\n"
           "    print(json.dumps({'id': asked['id'], 'called_us': 0, 'answered_us': 0, **said}),\n"
           "          flush=True)\n";
}

TEST(VirtualSearch, a_play_that_goes_on_for_too_long_is_not_whole) {
    const std::string lines = steps_forever("exec('while True: time.sleep(1)')");
    const auto result = search_virtually(Subject(python_library(lines.c_str())), short_spec(),
                                         {PlayOrder::pct, 2, 1, 1}, {});
    EXPECT_EQ(result.plays, 2U);
    EXPECT_EQ(result.not_whole, 2U);
    EXPECT_EQ(result.whole(), 0U);
    EXPECT_EQ(result.hung, 0U);
}

TEST(VirtualSearch, a_play_in_which_one_waits_for_ever_is_whole) {
    const std::string lines = steps_forever("os.read(os.pipe()[0], 1)");
    const auto result = search_virtually(Subject(python_library(lines.c_str())), short_spec(),
                                         {PlayOrder::pct, 2, 1, 1}, {});
    EXPECT_EQ(result.plays, 2U);
    EXPECT_EQ(result.hung, 2U);
    EXPECT_EQ(result.whole(), 2U);
}

TEST(VirtualSearch, who_stops_itself_is_not_taken_for_threads) {
    const std::string lines = steps_forever("os.kill(os.getpid(), 19)");
    const Subject subject(python_library(lines.c_str()));
    try {
        search_virtually(subject, short_spec(), {PlayOrder::pct, 2, 1, 1}, {});
        FAIL();
    } catch (const DriverTrouble& trouble) {
        EXPECT_EQ(std::string(trouble.what()),
                  "The driver of odd was stopped by a signal that locklab did not send (SIGSTOP); "
                  "what comes of the lock after that shows nothing.");
    }
}

TEST(VirtualSearch, of_given_choices_too_the_play_that_proved_is_shown) {
    const Subject subject(shell_library(kForgetful));
    const auto result = replay_virtually(subject, short_spec(), {});
    ASSERT_TRUE(result.find);
    EXPECT_FALSE(result.find->proves_again);
    EXPECT_EQ(judge(result.find->play.history).verdict, Verdict::violated);
}

TEST(VirtualSearch, steps_that_are_ok_are_counted) {
    for (const char* step : {R"(said='"ok":false,"lost":false')", R"(said='"ok":true,"lost":true')",
                             R"(said='"error":"broken","definite":false')"}) {
        const Subject subject(shell_library(step));
        const auto result = search_virtually(subject, short_spec(), {PlayOrder::pct, 3, 1, 1}, {});
        EXPECT_FALSE(result.find);
        EXPECT_GT(result.grants, 0U);
        EXPECT_EQ(result.inside, 0U) << step;
    }
}

TEST(VirtualSearch, given_choices_that_a_play_does_not_have_are_a_sentence) {
    const Subject subject(*algorithm_named("set_nx_lua"), built_program());
    const auto sentence = [&](const PlayDeviations& deviations) -> std::string {
        try {
            const auto result = replay_virtually(subject, short_spec(), deviations);
            EXPECT_GT(result.grants, 0U);
            EXPECT_GE(result.inside, result.grants);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(sentence({}), "none");
    EXPECT_EQ(sentence({{0, 1}}), "none");
    EXPECT_NE(sentence({{999, 1}}).find("this play has no choice 999"), std::string::npos);
    EXPECT_NE(sentence({{0, 99}}).find("no pick 99 at its choice 0"), std::string::npos);
    EXPECT_NE(sentence({{0, 2}, {0, 1}}).find("this play "), std::string::npos);
}

TEST(VirtualSearch, who_is_stopped_says_so) {
    const std::atomic<bool> stop{true};
    const Subject subject(*algorithm_named("set_nx_lua"), built_program());
    Watcher watcher;
    watcher.stop = &stop;
    const auto result =
        search_virtually(subject, short_spec(), {PlayOrder::pct, 99, 1, 1}, watcher);
    EXPECT_TRUE(result.interrupted);
    EXPECT_LE(result.plays, 1U);
}

TEST(VirtualSearch, who_is_stopped_does_not_wait_for_a_driver_that_never_rests) {
    const std::atomic<bool> stop{true};
    const Subject subject(shell_library("said=", "while :; do :; done"));
    Watcher watcher;
    watcher.stop = &stop;
    const auto result = search_virtually(subject, short_spec(), {PlayOrder::pct, 9, 1, 1}, watcher);
    EXPECT_TRUE(result.interrupted);
    EXPECT_EQ(result.plays, 0U);
}

/// What was proved before is told. Its driver never rests once it is to be played again.
TEST(VirtualSearch, a_find_outlives_a_stop_before_it_is_played_again) {
    std::atomic<bool> stop{false};
    const Subject subject(shell_library(R"(said='"ok":true,"lost":false')",
                                        "said=; opened=x$opened; while [ $opened != x ]; do :; "
                                        "done"));
    Watcher watcher;
    watcher.stop = &stop;
    watcher.on_show = [&](std::string_view) { stop = true; };
    const auto result = search_virtually(subject, short_spec(), {PlayOrder::pct, 5, 1, 1}, watcher);
    EXPECT_TRUE(result.interrupted);
    ASSERT_TRUE(result.find);
    EXPECT_TRUE(result.find->was_stopped);
    EXPECT_FALSE(result.find->proves_again);
    EXPECT_EQ(result.find->trouble, "");
    EXPECT_FALSE(result.find->play.proved.empty());
}

/// It takes a time-out for a grant.
const char* const kHopeful = R"(
import json, socket, sys
for line in sys.stdin:
    a = json.loads(line)
    def tell(*words):
        link.sendall(b"".join([b"*%d\r\n" % len(words)] +
                              [b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words]))
        return link.recv(100)
    def connect():
        link = socket.create_connection(node, 2)
        link.settimeout(2)
        return link
    said = {}
    if a["op"] == "hello":
        said = {"library": "odd", "version": "1", "nodes": "one"}
        said |= {key: False for key in ("waits", "renews", "extends", "tells", "fences")}
    if a["op"] == "open":
        host, port = a["nodes"][0].rsplit(":", 1)
        node, key, ttl = (host, int(port)), a["key"], a["ttl_ms"]
        link = connect()
    if a["op"] == "acquire":
        try:
            said = {"granted": tell("SET", key, "t", "NX", "PX", str(ttl)) == b"+OK\r\n"}
        except OSError:
            said, link = {"granted": True}, connect()
    if a["op"] == "step":
        said = {"ok": True, "lost": False}
    if a["op"] == "release":
        try:
            said = {"released": tell("DEL", key) == b":1\r\n"}
        except OSError:
            said, link = {"released": None}, connect()
    if a["op"] == "exit":
        break
    print(json.dumps({"id": a["id"], "called_us": 0, "answered_us": 0, **said}), flush=True)
)";

TEST(VirtualSearch, a_timeout_of_seconds_runs_out_while_another_is_inside) {
    const Library library = python_library(kHopeful);
    const Subject subject(library);
    PlaySpec spec = short_spec();
    EXPECT_FALSE(search_virtually(subject, spec, {PlayOrder::pct, 5, 2, 1}, {}).find);
    spec.faults[Hazard::lose_reply] = 1;
    const auto result = search_virtually(subject, spec, {PlayOrder::pct, 100, 2, 1}, {});
    ASSERT_TRUE(result.find);
    EXPECT_TRUE(result.find->came_again);
    EXPECT_GT(result.find->play.history.end, Instant(std::chrono::seconds(1)));
}

TEST(VirtualSearch, threads_find_the_same) {
    const auto one = search("set_nx_lua", Hazard::slow_job, {PlayOrder::random, 200, 1, 1});
    const auto two = search("set_nx_lua", Hazard::slow_job, {PlayOrder::random, 200, 1, 2});
    ASSERT_TRUE(one.find);
    ASSERT_TRUE(two.find);
    EXPECT_EQ(one.plays, two.plays);
    EXPECT_EQ(one.find->deviations, two.find->deviations);
    EXPECT_EQ(one.find->play.transcript, two.find->play.transcript);
}

TEST(VirtualSearch, what_holds_is_not_found_and_all_of_the_bound_is_played) {
    const auto result = search("set_nx_lua", kNoFault, {PlayOrder::delay, 1000, 1, 1});
    EXPECT_FALSE(result.find);
    EXPECT_TRUE(result.all_played);
    EXPECT_GT(result.plays, 10U);
    EXPECT_GT(result.grants, result.plays);
    const auto less = search("set_nx_lua", kNoFault, {PlayOrder::delay, 5, 1, 1});
    EXPECT_FALSE(less.all_played);
    EXPECT_EQ(less.plays, 5U);
}

}  // namespace
}  // namespace locklab::virtual_search_test
