// Servers that hang in plays of driver processes: what is sent to one waits until it goes on, and
// then runs as it would at a process that was stopped.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/registry.h"
#include "harness/check/judge.h"
#include "harness/foreign/hangs.h"
#include "harness/foreign/play_drives.h"
#include "harness/foreign/real_play.h"
#include "harness/foreign/virtual_search.h"
#include "harness/record/history_json.h"
#include "tests/core/places.h"
#include "tests/corpus/corpus.h"
#include "tests/foreign/python_library.h"

namespace locklab::virtual_freeze_test {
namespace {

PlaySpec spec_of(const Subject& subject, std::initializer_list<Hazard> hazards) {
    FaultBudget faults;
    for (const Hazard hazard : hazards) faults[hazard] = 1;
    PlaySpec spec = play_of(subject, faults, 1);
    spec.nodes = std::max(1U, subject.row().topology().masters);
    return spec;
}

Subject own(const char* lock) { return {*algorithm_named(lock), built_program()}; }
Subject on_several(const char* lock) {
    return {corpus::entry_named(lock)->algorithm, corpus_driver()};
}

/// Events at one instant are told a microsecond apart.
constexpr Duration kAtOnce = std::chrono::milliseconds(1);

struct Stretch {
    NodeId node;
    Instant from;
    Instant until;

    bool has(Instant at) const { return from + kAtOnce < at && at < until - kAtOnce; }
    bool ends_at(Instant at) const { return until - kAtOnce < at && at < until + kAtOnce; }
};

/// Those that ended while the play went on.
std::vector<Stretch> hangs_of(const History& history) {
    std::vector<Stretch> found;
    for (const Event& event : history.events) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault == nullptr || fault->hazard != Hazard::freeze) continue;
        const Instant until = event.at + fault->amount;
        if (until + kAtOnce < history.end) found.push_back({fault->node, event.at, until});
    }
    return found;
}

/// A command that came while its server hung.
struct Waited {
    std::uint64_t call = 0;
    ClientId client;
    Instant sent;
    std::optional<Instant> ran{};
    bool given_up = false;  ///< its client had an end of its operation while the server still hung
};

std::vector<Waited> waited_in(const History& history, const Stretch& hang) {
    std::vector<Waited> found;
    for (const Event& event : history.events) {
        const auto* sent = std::get_if<event::Sent>(&event.detail);
        if (sent != nullptr && sent->node == hang.node && hang.has(event.at)) {
            found.push_back({sent->call, event.client, event.at});
        }
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        const bool ends = std::holds_alternative<event::Failed>(event.detail) ||
                          std::holds_alternative<event::Refused>(event.detail) ||
                          std::holds_alternative<event::Released>(event.detail);
        for (Waited& each : found) {
            if (ran != nullptr && ran->call == each.call) each.ran = event.at;
            if (ends && each.client == event.client && hang.has(event.at)) each.given_up = true;
        }
    }
    return found;
}

/// Random plays with their commands, each with its hangs.
template <class Look>
void in_plays(const Subject& subject, const PlaySpec& spec, std::uint64_t plays, Look look) {
    VirtualWorld world(subject, spec.clients, spec.nodes);
    for (std::uint64_t play = 0; play < plays; ++play) {
        RandomDrive drive(1, play);
        const PlayResult made =
            play_virtually(world, subject, spec, drive, play, PlayDetail::commands);
        EXPECT_EQ(judge(made.history).overlaps > 0, !made.proved.empty());
        for (const Stretch& hang : hangs_of(made.history)) look(made.history, hang);
    }
}

/// What its server does or says in the stretch.
std::size_t signs_of_life(const History& history, const Stretch& hang) {
    std::map<std::uint64_t, NodeId> nodes;
    std::size_t signs = 0;
    for (const Event& event : history.events) {
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            nodes[sent->call] = sent->node;
        }
        if (!hang.has(event.at)) continue;
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        const auto* replied = std::get_if<event::Replied>(&event.detail);
        if (ran != nullptr && ran->node == hang.node) ++signs;
        if (replied != nullptr && nodes[replied->call] == hang.node) ++signs;
    }
    return signs;
}

TEST(VirtualFreeze, what_is_sent_to_a_server_that_hangs_runs_when_it_goes_on) {
    const Subject subject = own("set_nx_lua");
    std::size_t waited = 0;
    std::size_t given_up = 0;
    // What has arrived cannot be lost on its way any more.
    in_plays(subject, spec_of(subject, {Hazard::freeze, Hazard::lose_request}), 100,
             [&](const History& history, const Stretch& hang) {
                 EXPECT_EQ(signs_of_life(history, hang), 0U);
                 for (const Waited& each : waited_in(history, hang)) {
                     ++waited;
                     given_up += each.given_up ? 1 : 0;
                     EXPECT_TRUE(each.ran && hang.ends_at(*each.ran)) << "call " << each.call;
                 }
             });
    EXPECT_GT(waited, 20U);
    EXPECT_GT(given_up, 20U) << "its client gives up after a fifth of a TTL";
}

TEST(VirtualFreeze, what_waits_runs_in_the_order_in_which_it_came) {
    const Subject subject = own("set_nx_lua");
    std::size_t pairs = 0;
    in_plays(subject, spec_of(subject, {Hazard::freeze}), 60,
             [&](const History& history, const Stretch& hang) {
                 std::optional<Instant> before;
                 bool is_later = false;
                 for (const Event& event : history.events) {
                     const auto* ran = std::get_if<event::Executed>(&event.detail);
                     if (ran == nullptr || event.at < hang.until - kAtOnce) continue;
                     const bool came_later = ran->sent > hang.until - kAtOnce;
                     EXPECT_TRUE(came_later || !is_later);
                     is_later |= came_later;
                     if (came_later) continue;
                     EXPECT_LE(before.value_or(ran->sent), ran->sent);
                     pairs += before ? 1 : 0;
                     before = ran->sent;
                 }
             });
    EXPECT_GT(pairs, 20U);
}

/// A takes it for 40 % of a TTL, and the server hangs for longer than a lease. B's SET waits there,
/// and then A's DEL.
const std::string kPatient = python_driver(
    R"(        said = {"granted": tell("SET", key, "t", "NX", "PX", ttl) == b"+OK\r\n"})",
    R"(        said = {"released": tell("DEL", key) == b":1\r\n"})");

VirtualSearchResult search(const Subject& subject, std::uint64_t plays) {
    return search_virtually(subject, spec_of(subject, {Hazard::freeze}),
                            {PlayOrder::pct, plays, 2, 1}, Watcher());
}

TEST(VirtualFreeze, a_release_that_waits_deletes_the_key_of_who_waited_before_it) {
    const Library library = python_library(kPatient);
    const Subject subject(library);
    const auto result = search(subject, 300);
    ASSERT_TRUE(result.find);
    EXPECT_TRUE(result.find->came_again);
    const Judgement judgement = judge(result.find->play.history);
    ASSERT_FALSE(judgement.violations.empty());
    EXPECT_EQ(judgement.violations.front().cause, Cause::foreign_delete);
    // In real time the server is stopped. A busy machine spoils many plays.
    const RealReplay real = replay_really(
        subject, spec_of(subject, {Hazard::freeze}), result.find->play.script, [] { return false; },
        20);
    EXPECT_TRUE(real.proved) << real.missing << real.trouble;
}

/// Its client gives up before another's lease is over, so its DEL is the first of what waits.
TEST(VirtualFreeze, a_lock_whose_clients_give_up_in_time_is_not_accused) {
    const auto result = search(own("set_nx_del"), 150);
    EXPECT_FALSE(result.find);
    EXPECT_GT(result.struck[static_cast<std::size_t>(Hazard::freeze)], 50U);
    EXPECT_EQ(result.hangs.gone_on, 0U);
    EXPECT_GT(result.hangs.longest_wait, play_of(own("set_nx_del"), {}, 1).ttl * 2)
        << "they try on until a lease of nobody is over";
    EXPECT_EQ(result.hung, 0U);
    EXPECT_EQ(result.not_whole, 0U);
}

TEST(VirtualFreeze, a_majority_goes_on_while_one_hangs_and_who_asks_all_does_not) {
    const auto majority = search(on_several("majority"), 60);
    EXPECT_FALSE(majority.find);
    EXPECT_GT(majority.hangs.gone_on, 5U);
    const auto all = search(on_several("everywhere"), 60);
    EXPECT_FALSE(all.find);
    EXPECT_GT(all.hangs.count, 5U);
    EXPECT_EQ(all.hangs.gone_on, 0U);
}

/// What a lock sends in order to take it is no renewal, though one server gives its part later.
TEST(VirtualFreeze, a_grant_of_a_majority_tells_what_the_others_are_asked_as_it_is) {
    Algorithm renewed = corpus::entry_named("majority")->algorithm;
    renewed.renews = true;
    const Subject subject(renewed, corpus_driver());
    std::size_t waited = 0;
    in_plays(subject, spec_of(subject, {Hazard::freeze}), 30,
             [&](const History& history, const Stretch& hang) {
                 waited += waited_in(history, hang).size();
                 for (const Event& event : history.events) {
                     const auto* sent = std::get_if<event::Sent>(&event.detail);
                     if (sent != nullptr && sent->command[0] == "SET") {
                         EXPECT_EQ(event.phase, Phase::acquire);
                     }
                 }
             });
    EXPECT_GT(waited, 10U);
}

/// It gives up after a while, and asks again on the same connection.
const char* const kImpatient = R"(
import json, socket, sys
left, awaited, tries = b"", 0, 0
def tell(*words):
    global left, awaited
    link.sendall(b"".join([b"*%d\r\n" % len(words)] +
                          [b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words]))
    awaited += 1
    while True:
        while b"\r\n" not in left:
            left += link.recv(100)
        line, left = left.split(b"\r\n", 1)
        awaited -= 1
        if awaited == 0:
            return line
for line in sys.stdin:
    a = json.loads(line)
    said = {}
    if a["op"] == "hello":
        said = {"library": "odd", "version": "1", "nodes": "one", "renews": True}
        said |= {key: False for key in ("waits", "extends", "tells", "fences")}
    if a["op"] == "open":
        host, port = a["nodes"][0].rsplit(":", 1)
        link, key, ttl = socket.create_connection((host, int(port))), a["key"], str(a["ttl_ms"])
        link.settimeout(0.04)
        left, awaited = b"", 0
    if a["op"] == "acquire":
        tries += 1
        try:
            said = {"granted": tell("SET", key, str(tries), "NX", "PX", ttl) == b"+OK"}
        except OSError:
            said = {"granted": False}
    if a["op"] == "step":
        said = {"ok": True, "lost": False}
    if a["op"] == "release":
        try:
            said = {"released": tell("DEL", key) == b":1"}
        except OSError:
            said = {"released": None}
    if a["op"] == "exit":
        break
    print(json.dumps({"id": a["id"], "called_us": 0, "answered_us": 0, **said}), flush=True)
)";

/// It is seen only when what is before it on its connection has run: then its client is asked for
/// something else.
TEST(VirtualFreeze, what_waits_behind_another_command_is_no_renewal) {
    Library library = python_library(kImpatient);
    library.renews = true;
    const Subject subject(library);
    std::size_t late = 0;
    in_plays(subject, spec_of(subject, {Hazard::freeze}), 60,
             [&](const History& history, const Stretch& hang) {
                 for (const Event& event : history.events) {
                     const auto* sent = std::get_if<event::Sent>(&event.detail);
                     if (sent == nullptr) continue;
                     EXPECT_NE(event.phase, Phase::background) << to_string(sent->command);
                     late += hang.ends_at(event.at) ? 1 : 0;
                 }
             });
    EXPECT_GT(late, 20U);
}

/// Before it takes the lock it asks for what comes within a time, which the server keeps.
Library waits_at_server() {
    std::string lines = kPatient;
    const std::string take = "        said = {\"granted\": tell(\"SET\"";
    lines.insert(lines.find(take), "        tell(\"BLPOP\", key + \":queue\", \"0.02\")\n");
    return python_library(lines.c_str());
}

TEST(VirtualFreeze, a_server_that_hangs_ends_no_wait_of_its_clients) {
    const Library library = waits_at_server();
    const Subject subject(library);
    std::size_t hangs = 0;
    in_plays(subject, spec_of(subject, {Hazard::freeze}), 40,
             [&](const History& history, const Stretch& hang) {
                 ++hangs;
                 EXPECT_EQ(signs_of_life(history, hang), 0U);
             });
    EXPECT_GT(hangs, 10U);
}

/// Nor does it evict keys. What it is to run is lost if it is restarted, and then it hangs no more.
TEST(VirtualFreeze, a_server_that_is_restarted_hangs_no_more) {
    const Subject subject = own("set_nx_lua");
    const PlaySpec spec = spec_of(
        subject, {Hazard::freeze, Hazard::restart, Hazard::evict, Hazard::server_clock_jump});
    std::size_t restarted = 0;
    std::size_t lives_again = 0;
    in_plays(subject, spec, 200, [&](const History& history, const Stretch& hang) {
        std::optional<Instant> restart;
        for (const Event& event : history.events) {
            const auto* fault = std::get_if<event::Fault>(&event.detail);
            if (fault != nullptr && hang.has(event.at)) {
                EXPECT_TRUE(restart || fault->hazard != Hazard::evict);
                if (fault->hazard == Hazard::restart) restart = event.at;
            }
            const auto* ran = std::get_if<event::Executed>(&event.detail);
            if (ran == nullptr || !restart) continue;
            EXPECT_GT(ran->sent, *restart);
            lives_again += hang.has(event.at) ? 1 : 0;
        }
        restarted += restart ? 1 : 0;
    });
    EXPECT_GT(restarted, 3U);
    EXPECT_GT(lives_again, 3U);
}

/// Whatever was played before: a server's timers come at other times once it has hung.
void expect_same_plays(const Subject& subject) {
    const PlaySpec spec = spec_of(subject, {Hazard::freeze, Hazard::lose_reply});
    VirtualWorld world(subject, spec.clients, spec.nodes);
    std::map<std::uint64_t, std::set<std::string>> seen;
    for (int round = 0; round < 4; ++round) {
        for (const std::uint64_t play : {1, 2, 3, 4, 5}) {
            RandomDrive drive(1, play);
            const PlayResult made =
                play_virtually(world, subject, spec, drive, play, PlayDetail::commands);
            std::ostringstream text;
            write_history(text, made.history);
            std::set<std::string>& same = seen[play];
            same.insert(text.str() + made.transcript);
            ASSERT_EQ(same.size(), 1U) << *same.begin() << "\nand\n" << *same.rbegin();
        }
    }
}

TEST(VirtualFreeze, the_same_choices_give_the_same_history) {
    expect_same_plays(on_several("majority"));
    const Library library = waits_at_server();
    expect_same_plays(Subject(library));
}

}  // namespace
}  // namespace locklab::virtual_freeze_test
