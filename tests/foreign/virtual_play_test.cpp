// Plays of driver processes in virtual time: the same seed gives the same history, to the byte, and
// what is proved in them is what their locks do. LOCKLAB_PLAYS says of how many, 20 if it says
// nothing.

#include "harness/foreign/virtual_play.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/registry.h"
#include "harness/check/judge.h"
#include "harness/foreign/library.h"
#include "harness/foreign/play_course.h"
#include "harness/foreign/play_drives.h"
#include "harness/record/history_json.h"
#include "tests/core/places.h"
#include "tests/core/told_number.h"
#include "tests/foreign/fake_library.h"
#include "tests/foreign/python_library.h"

namespace locklab::virtual_play_test {
namespace {

std::vector<Library> all_libraries() {
    const std::filesystem::path source = source_dir();
    return read_libraries(source / "drivers", source / "build/libraries");
}

/// What virtual time reaches, of the libraries that are installed; and two locks of ours.
std::vector<std::string> subjects() {
    std::vector<std::string> names{"perfect_lock", "set_nx_lua"};
    for (const Library& library : all_libraries()) {
        const bool can_play = library.why_not_virtual().empty() && library.cannot_run.empty();
        if (can_play && library.is_installed()) names.push_back(library.row());
    }
    return names;
}

std::unique_ptr<Subject> subject_of(const std::string& name) {
    if (const Algorithm* algorithm = algorithm_named(name)) {
        return std::make_unique<Subject>(*algorithm, built_program());
    }
    const std::vector<Library> all = all_libraries();
    return std::make_unique<Subject>(require_library(all, name));
}

PlaySpec spec_of(const Subject& subject) {
    PlaySpec spec;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    return spec;
}

std::string text_of(const PlayResult& result) {
    std::ostringstream text;
    write_history(text, result.history);
    // A packed word of bullmq's holds what o'clock it is, which goes on from play to play.
    static const std::regex packed("\"[^\"]*[\x80-\xff][^\"]*\"");
    return std::regex_replace(text.str(), packed, "packed") + result.transcript;
}

/// Whoever judges the history finds what was proved, and nothing else.
void expect_true(const PlayResult& result) {
    EXPECT_EQ(judge(result.history).overlaps > 0, !result.proved.empty());
}

/// Of each grant a command is told that took the key, and none runs before it is sent, or is
/// answered before it ran.
void expect_told(const PlayResult& result) {
    std::map<std::uint64_t, int> stages;
    std::size_t grants = 0;
    std::size_t takings = 0;
    for (const Event& event : result.history.events) {
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            EXPECT_EQ(stages[sent->call]++, 0);
        } else if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
            EXPECT_EQ(stages[ran->call]++, 1) << to_string(ran->command);
            takings += ran->effect.kind == KeyEffect::Kind::created ? 1 : 0;
        } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
            EXPECT_EQ(stages[replied->call]++, 2);
        }
        grants += std::holds_alternative<event::Granted>(event.detail) ? 1 : 0;
    }
    // A perfect lock has no key, nor has one that is a subscription.
    const std::string& lock = result.history.algorithm;
    EXPECT_TRUE(takings >= grants || lock == "perfect_lock" || lock.starts_with("lib:portalocker"));
}

class VirtualPlayTest : public ::testing::TestWithParam<std::string> {};

TEST_P(VirtualPlayTest, the_same_seed_gives_the_same_history) {
    const auto subject = subject_of(GetParam());
    PlaySpec spec = spec_of(*subject);
    spec.faults[Hazard::pause] = 1;
    spec.faults[Hazard::lose_reply] = 1;
    VirtualWorld world(*subject, spec.clients);
    // Libraries draw, once, for what they make when it is first needed.
    RandomDrive first(1, 4);
    static_cast<void>(play_virtually(world, *subject, spec, first));
    std::set<std::string> seen;
    const std::uint64_t plays = told_number("LOCKLAB_PLAYS", 20);
    for (std::uint64_t play = 0; play < plays; ++play) {
        RandomDrive drive(1, 5);
        const PlayResult result =
            play_virtually(world, *subject, spec, drive, 0, PlayDetail::commands);
        expect_true(result);
        expect_told(result);
        seen.insert(text_of(result));
        ASSERT_EQ(seen.size(), 1U) << "play " << play << "\n"
                                   << *seen.begin() << "\nand\n"
                                   << *seen.rbegin();
    }
    EXPECT_NE(seen.begin()->find("granted"), std::string::npos);
    RandomDrive drive(1, 5);
    const PlayResult plain = play_virtually(world, *subject, spec, drive);
    EXPECT_TRUE(seen.begin()->ends_with(plain.transcript)) << "looks at the key changed the play";
}

INSTANTIATE_TEST_SUITE_P(Subjects, VirtualPlayTest, ::testing::ValuesIn(subjects()),
                         [](const auto& each) {
                             std::string name = each.param;
                             for (char& c : name) c = std::isalnum(c) ? c : '_';
                             return name;
                         });

/// How many of so many random plays prove an overlap.
int proved_in(const std::string& lock, const FaultBudget& faults, int plays) {
    const auto subject = subject_of(lock);
    PlaySpec spec = spec_of(*subject);
    spec.faults = faults;
    VirtualWorld world(*subject, spec.clients);
    int proved = 0;
    for (int play = 0; play < plays; ++play) {
        RandomDrive drive(1, static_cast<std::uint64_t>(play));
        const PlayResult result = play_virtually(world, *subject, spec, drive);
        expect_true(result);
        proved += result.proved.empty() ? 0 : 1;
    }
    return proved;
}

FaultBudget one_of(std::initializer_list<Hazard> hazards) {
    FaultBudget faults;
    for (const Hazard hazard : hazards) faults[hazard] = 1;
    return faults;
}

TEST(VirtualPlay, no_lock_is_caught_at_once) { EXPECT_EQ(proved_in("no_lock", {}, 3), 3); }

TEST(VirtualPlay, perfect_lock_is_never_accused) {
    const FaultBudget all =
        one_of({Hazard::slow_job, Hazard::crash, Hazard::pause, Hazard::lose_request,
                Hazard::lose_reply, Hazard::delay_request, Hazard::delay_reply, Hazard::retry,
                Hazard::restart, Hazard::freeze, Hazard::error_reply, Hazard::reset});
    EXPECT_EQ(proved_in("perfect_lock", all, 40), 0);
}

TEST(VirtualPlay, a_lease_is_outlived_by_a_pause_and_by_a_slow_job) {
    EXPECT_GT(proved_in("set_nx_lua", one_of({Hazard::pause}), 25), 0);
    EXPECT_GT(proved_in("set_nx_lua", one_of({Hazard::slow_job}), 25), 0);
    EXPECT_EQ(proved_in("set_nx_lua", {}, 10), 0);
}

TEST(VirtualPlay, a_command_that_comes_twice_or_late_or_is_lost_is_told_as_it_ran) {
    const auto subject = subject_of("set_nx_lua");
    for (const Hazard hazard : {Hazard::retry, Hazard::lose_request, Hazard::lose_reply,
                                Hazard::delay_request, Hazard::delay_reply}) {
        PlaySpec spec = spec_of(*subject);
        spec.rounds = 4;
        spec.faults[hazard] = 1;
        VirtualWorld world(*subject, spec.clients);
        std::size_t ran = 0;
        std::size_t replied = 0;
        std::uint64_t struck = 0;
        for (std::uint64_t play = 0; struck == 0 && play < 60; ++play) {
            RandomDrive drive(1, play);
            const PlayResult result =
                play_virtually(world, *subject, spec, drive, play, PlayDetail::commands);
            expect_true(result);
            for (const Event& event : result.history.events) {
                const auto* fault = std::get_if<event::Fault>(&event.detail);
                // The play is to go on until what is late has come.
                const bool is_short =
                    fault != nullptr && result.history.end < event.at + fault->amount;
                if (fault != nullptr && !is_short) struck = fault->call;
            }
            for (const Event& event : result.history.events) {
                const auto* execution = std::get_if<event::Executed>(&event.detail);
                const auto* reply = std::get_if<event::Replied>(&event.detail);
                ran += execution != nullptr && execution->call == struck ? 1 : 0;
                replied += reply != nullptr && reply->call == struck ? 1 : 0;
            }
        }
        ASSERT_NE(struck, 0U);
        const std::string name(row_of(hazard).name);
        EXPECT_EQ(ran, hazard == Hazard::retry          ? 2U
                       : hazard == Hazard::lose_request ? 0U
                                                        : 1U)
            << name;
        EXPECT_EQ(replied, hazard == Hazard::retry ? 1U : 0U) << name;
    }
}

/// What clients are told in place of answers, at once: each error, and resets on either way.
TEST(VirtualPlay, an_error_runs_nothing_and_a_reset_hides_whether_it_ran) {
    const auto subject = subject_of("set_nx_lua");
    PlaySpec spec = spec_of(*subject);
    spec.rounds = 4;
    spec.faults[Hazard::error_reply] = spec.faults[Hazard::reset] = 2;
    VirtualWorld world(*subject, spec.clients);
    std::map<std::string, int> seen;
    for (std::uint64_t play = 0; play < 60; ++play) {
        RandomDrive drive(1, play);
        const PlayResult result =
            play_virtually(world, *subject, spec, drive, play, PlayDetail::commands);
        expect_true(result);
        EXPECT_TRUE(result.proved.empty());
        std::map<std::uint64_t, event::Fault> struck;
        for (const Event& event : result.history.events) {
            const auto* fault = std::get_if<event::Fault>(&event.detail);
            const auto* execution = std::get_if<event::Executed>(&event.detail);
            const auto* reply = std::get_if<event::Replied>(&event.detail);
            if (fault != nullptr && fault->call != 0) struck[fault->call] = *fault;
            if (execution != nullptr && struck.contains(execution->call)) {
                ADD_FAILURE() << "it runs after " << name_of(struck[execution->call].hazard);
            }
            if (reply == nullptr || !struck.contains(reply->call)) continue;
            const event::Fault& its = struck[reply->call];
            EXPECT_EQ(reply->reply.is_error(), its.error.has_value());
            EXPECT_EQ(reply->reply.is_unknown(), !its.error);
            ++seen[its.error ? std::string(row_of(*its.error).code)
                             : (its.ran ? "reset, ran" : "reset")];
        }
    }
    for (const char* what : {"LOADING", "READONLY", "reset", "reset, ran"}) {
        EXPECT_GT(seen[what], 0) << what;
    }
}

TEST(VirtualPlay, what_was_sent_to_one_who_died_arrives_nowhere) {
    EXPECT_EQ(proved_in("set_nx_lua", one_of({Hazard::crash}), 40), 0);
}

TEST(VirtualPlay, a_server_that_comes_back_empty_lets_another_in) {
    EXPECT_GT(proved_in("set_nx_lua", one_of({Hazard::restart}), 25), 0);
}

TEST(VirtualPlay, a_clock_that_jumps_breaks_who_trusts_it) {
    EXPECT_GT(proved_in("set_nx_lua", one_of({Hazard::server_clock_jump}), 25), 0);
    EXPECT_GT(proved_in("setnx_getset_epoch", one_of({Hazard::clock_jump}), 40), 0);
    EXPECT_EQ(proved_in("set_nx_lua", one_of({Hazard::clock_jump}), 10), 0);
}

/// Commands of this play that ran so late that their client had a grant by then; all are its own.
std::uint64_t late_commands(const PlayResult& result) {
    std::map<std::uint32_t, Instant> granted;
    std::uint64_t late = 0;
    for (const Event& event : result.history.events) {
        if (std::holds_alternative<event::Granted>(event.detail)) {
            granted[event.client.value] = event.at;
        }
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        if (ran == nullptr) continue;
        EXPECT_NE(event.phase, Phase::background) << to_string(ran->command);
        const auto its = granted.find(event.client.value);
        late += its != granted.end() && ran->sent < its->second ? 1 : 0;
    }
    return late;
}

class LateCommandsTest : public FakeLibraryTest {};

TEST_F(LateCommandsTest, of_a_lock_that_does_not_renew_are_not_its_watchdogs) {
    change("driver.py",
           "        if self.command(\"SET\", self.key, self.token, \"NX\", \"PX\", self.ttl_ms) != "
           "b\"+OK\":\n"
           "            return {\"granted\": False}\n",
           "        self.socket.settimeout(0.1)\n"
           "        try:\n"
           "            self.command(\"SET\", self.key, self.token, \"NX\", \"PX\", self.ttl_ms)\n"
           "        except OSError:\n"
           "            pass\n");
    Library library = fake();
    library.installed = folder_ / "drivers/fake";
    library.run = {"/usr/bin/python3", "driver.py"};
    const Subject subject(library);
    PlaySpec spec = spec_of(subject);
    spec.faults = one_of({Hazard::delay_request});
    VirtualWorld world(subject, spec.clients);
    // The second choice is that A's SET comes late: all that it sends after that waits behind it.
    GivenDrive drive({0, 2});
    const PlayResult result = play_virtually(world, subject, spec, drive, 0, PlayDetail::commands);
    EXPECT_EQ(late_commands(result), 1);
}

TEST(VirtualPlay, a_grant_has_the_fencing_token_that_its_client_was_told) {
    const auto subject = subject_of("fenced");
    VirtualWorld world(*subject, 2);
    GivenDrive drive({});
    const PlayResult result = play_virtually(world, *subject, spec_of(*subject), drive);
    std::set<std::uint64_t> fences;
    std::size_t grants = 0;
    for (const Event& event : result.history.events) {
        const auto* granted = std::get_if<event::Granted>(&event.detail);
        if (granted == nullptr) continue;
        ++grants;
        fences.insert(granted->fence);
    }
    EXPECT_GT(grants, 1U);
    EXPECT_EQ(fences.size(), grants);
    EXPECT_FALSE(fences.contains(0));
}

/// The fake library, whose lock has another name for its key than it was told.
class OtherKeyTest : public FakeLibraryTest {
protected:
    /// The cause of the first overlap that plays with a pause prove.
    Cause cause_where(const std::vector<std::string>& keys) {
        change("driver.py", "Lock(asked[\"nodes\"][0], asked[\"key\"]",
               "Lock(asked[\"nodes\"][0], \"mutex:\" + asked[\"key\"]");
        Library library = fake();
        library.installed = folder_ / "drivers/fake";
        library.run = {"/usr/bin/python3", "driver.py"};
        library.keys = keys;
        const Subject subject(library);
        PlaySpec spec = spec_of(subject);
        spec.faults = one_of({Hazard::pause});
        VirtualWorld world(subject, spec.clients);
        for (std::uint64_t play = 0; play < 60; ++play) {
            RandomDrive drive(1, play);
            const PlayResult result =
                play_virtually(world, subject, spec, drive, play, PlayDetail::commands);
            expect_true(result);
            if (result.proved.empty()) continue;
            EXPECT_EQ(result.history.key, subject.keys_of(kVirtualKey).front());
            return judge(result.history).violations.at(0).cause;
        }
        ADD_FAILURE() << "no play proves an overlap";
        return Cause::unexplained;
    }
};

TEST_F(OtherKeyTest, nobody_says_that_a_grant_rested_on_no_key) {
    EXPECT_EQ(cause_where({}), Cause::unexplained);
}

TEST_F(OtherKeyTest, is_the_key_where_the_manifest_says_so) {
    EXPECT_EQ(cause_where({"mutex:{key}"}), Cause::expired_while_held);
    EXPECT_EQ(cause_where({"{key}:owner", "mutex:{key}"}), Cause::expired_while_held);
}

std::string sentence_of(const Library& library) {
    const Subject subject(library);
    VirtualWorld world(subject, 2);
    GivenDrive drive({});
    try {
        play_virtually(world, subject, spec_of(subject), drive);
    } catch (const DriverTrouble& trouble) {
        return trouble.what();
    }
    return "none";
}

/// What comes of a driver of a few words of shell.
std::string sentence_of(const std::string& script) {
    Library library = python_library("");
    library.run = {"bash", "-c", script};
    return sentence_of(library);
}

TEST(VirtualPlay, who_sleeps_for_too_long_is_told_so) {
    const std::string begin = "The driver of odd does not answer 'hello' in virtual time";
    const std::string sleeps = "import sys, time\nsys.stdin.readline()\ntime.sleep(86400)";
    EXPECT_EQ(sentence_of(python_library(sleeps.c_str())),
              begin + ": it waits for longer than the 60s that an answer may take.");
    const std::string never = "import sys\nwhile True: sys.stdin.readline()";
    EXPECT_NE(sentence_of(python_library(never.c_str())).find(begin + "; 'run' must"),
              std::string::npos);
}

TEST(VirtualPlay, a_driver_that_dies_or_is_silent_or_lies_is_a_sentence) {
    EXPECT_EQ(sentence_of("echo oh no >&2; exit 3"),
              "The driver of odd ended with code 3; it said last: oh no");
    EXPECT_EQ(sentence_of("read -r line; kill -9 $$"), "The driver of odd was killed by signal 9.");
    EXPECT_EQ(sentence_of("while read -r line; do :; done"),
              "The driver of odd does not answer 'hello' in virtual time; 'run' must start the "
              "program itself, and no shell or other program around it.");
    EXPECT_NE(sentence_of("echo nonsense; sleep 1000").find("speaks nonsense"), std::string::npos);
}

}  // namespace
}  // namespace locklab::virtual_play_test
