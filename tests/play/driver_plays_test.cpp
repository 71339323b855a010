// Scenarios on driver processes that are no library: a shell that speaks the protocol.

#include "harness/play/driver_plays.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "algorithms/registry.h"
#include "harness/play/driver_play_text.h"
#include "harness/play/find_on_drivers.h"
#include "harness/play/scenario_library.h"
#include "harness/stage/scenario_reader.h"
#include "tests/core/places.h"
#include "tests/foreign/extended_library.h"
#include "tests/foreign/python_library.h"

namespace locklab::driver_plays_test {
namespace {

constexpr Duration kTtl = std::chrono::milliseconds(200);

/// It grants always. `rest`: cases before that.
Library shell(const std::string& rest, const std::string& like) {
    Library library;
    library.name = "shell";
    library.library = "Shell";
    library.version = "1";
    library.like = like;
    library.run = {
        "bash", "-c",
        "answer() { echo \"{\\\"id\\\":$id,\\\"called_us\\\":0,\\\"answered_us\\\":0$1}\"; }\n"
        "tries=0\n"
        "while read -r line; do\n"
        "id=${line#*:}; id=${id%%,*}; id=${id%\\}}\n"
        "case $line in *acquire*) tries=$((tries + 1));; esac\n"
        "case $line in\n"
        "*hello*) answer ',\"library\":\"x\",\"version\":\"1\",\"nodes\":\"one\",\"waits\":false,"
        "\"renews\":false,\"extends\":false,\"tells\":false,\"fences\":false';;\n" +
            rest +
            "\n*step*) answer ',\"ok\":true,\"lost\":false';;\n"
            "*acquire*) answer ',\"granted\":true';;\n"
            "*release*) answer ',\"released\":true';;\n"
            "*) answer '';;\n"
            "esac; done"};
    library.installed = "/";
    return library;
}

std::vector<Scenario> shipped(const std::string& name) {
    return scenarios_named((source_dir() + "/scenarios/") + name + ".yaml");
}

class DriverPlaysTest : public ::testing::Test {
protected:
    const DriverPlay& play(const std::string& name, const Library& library) {
        return play(shipped(name), library);
    }
    const DriverPlay& play(std::vector<Scenario> scenarios, const Library& library) {
        scenarios_ = std::move(scenarios);
        subject_ = std::make_unique<Subject>(library);
        plays_ = driver_plays_of(scenarios_, *subject_, *algorithm_named(library.like));
        StageProcesses processes(*subject_);
        play_on_drivers(plays_.front(), kTtl, processes);
        return plays_.front();
    }

private:
    std::vector<Scenario> scenarios_;
    std::unique_ptr<Subject> subject_;
    std::vector<DriverPlay> plays_;
};

/// What it sends does not name the lock's key, and so has no cue.
TEST_F(DriverPlaysTest, who_changes_its_server_is_not_played) {
    const std::string opens =
        "*open*) port=${line#*127.0.0.1:}; port=${port%%\\\"*};"
        " exec 3<>/dev/tcp/127.0.0.1/$port; ";
    const auto sends = [](const std::string& command) {
        return "printf '" + command + "\\r\\n' >&3; sleep 0.2; ";
    };
    const std::string then = "answer ',\"granted\":true';;";
    const std::string tries = opens + "answer '';;\n*acquire*) ";
    const auto sentence_of = [&](const std::string& rest) -> std::string {
        try {
            return verdict_words(play("job_is_stopped_in_time", shell(rest, "no_lock")));
        } catch (const DriverTrouble& trouble) {
            return trouble.what();
        }
    };
    for (const std::string& rest :
         {opens + sends("SHUTDOWN NOSAVE") + "answer '';;", tries + sends("SHUTDOWN NOSAVE") + then,
          tries + sends("CLIENT PAUSE 1") + then,
          tries + "[ $tries -lt 2 ] || " + sends("ACL SETUSER x on") + then}) {
        const std::string sentence = sentence_of(rest);
        EXPECT_NE(sentence.find("changes its server: "), std::string::npos) << sentence << rest;
    }
}

TEST_F(DriverPlaysTest, who_stops_itself_is_not_played) {
    const std::string rest =
        "*acquire*) [ $tries -lt 2 ] || kill -STOP $$; answer ',\"granted\":true';;";
    EXPECT_THROW(play("job_is_stopped_in_time", shell(rest, "no_lock")), DriverTrouble);
}

/// One that ends costs its play; one that always ends shows nothing.
TEST_F(DriverPlaysTest, one_of_ten_plays_may_end_with_its_drivers) {
    const std::string once = testing::TempDir() + "once" + std::to_string(getpid());
    const std::vector<Scenario> scenarios(10, shipped("no_waiting").front());
    const auto played = [&](const std::string& condition) {
        const Subject subject(
            shell("*acquire*) if " + condition + "; then exit 3; fi; answer ',\"granted\":true';;",
                  "no_lock"));
        std::vector<DriverPlay> plays =
            driver_plays_of(scenarios, subject, *algorithm_named("no_lock"));
        RunsAtOnce at_once(1);
        play_all_on_drivers(plays, {kTtl, at_once, Watcher()});
        return plays;
    };
    const std::vector<DriverPlay> plays = played("mkdir " + once + " 2>/dev/null");
    std::filesystem::remove(once);
    const auto is_lost = [](const DriverPlay& play) {
        return play.end == DriverPlay::End::not_played &&
               play.why.find("ended with code 3") != std::string::npos;
    };
    EXPECT_EQ(std::ranges::count_if(plays, is_lost), 1);
    EXPECT_EQ(std::ranges::count(plays, DriverPlay::End::played, &DriverPlay::end), 9);
    EXPECT_THROW(played("true"), DriverTrouble);
}

TEST_F(DriverPlaysTest, who_grants_always_does_as_no_lock) {
    const DriverPlay& seen = play("job_is_stopped_in_time", shell("", "no_lock"));
    EXPECT_EQ(verdict_words(seen), "as expected: A and B inside together");
    EXPECT_EQ(seen.play.judgement.verdict, Verdict::violated);
    EXPECT_GE(seen.proved_overlaps, 1U);
    EXPECT_NE(driver_story_text(seen).find("lib:shell, like no_lock"), std::string::npos);
}

TEST_F(DriverPlaysTest, who_grants_always_is_no_lock_that_holds) {
    const DriverPlay& seen = play("job_is_stopped_in_time", shell("", "set_nx_lua"));
    EXPECT_EQ(verdict_words(seen), "differs from set_nx_lua: seen: A and B inside together");
    EXPECT_FALSE(seen.is_as_expected());
}

TEST_F(DriverPlaysTest, who_was_told_of_its_loss_is_not_accused) {
    // Its second step, and all after it, say so.
    const DriverPlay& seen =
        play("job_is_stopped_in_time",
             shell("*step*) answer ',\"ok\":true,\"lost\":true';;", "no_lock"));
    EXPECT_EQ(seen.proved_overlaps, 0U);
    EXPECT_EQ(seen.play.judgement.verdict, Verdict::holds);
    // When it was told is not known.
    const std::string story = driver_story_text(seen);
    EXPECT_NE(story.find("is told, now or later, that its lock is lost"), std::string::npos)
        << story;
    EXPECT_EQ(story.find("is told that"), std::string::npos) << story;
}

/// Its caller extends it whenever that is due, as a watchdog does.
TEST_F(DriverPlaysTest, who_extends_by_hand_does_as_a_watchdog) {
    const char* const long_job = "job_longer_than_ttl";
    EXPECT_TRUE(play(long_job, by_hand(kHonest)).is_as_expected());
    Library left_alone = by_hand(kHonest);
    left_alone.extended_by_hand = false;
    const DriverPlay& seen = play(long_job, left_alone);
    EXPECT_NE(verdict_words(seen).find("seen: A and B inside together"), std::string::npos)
        << verdict_words(seen);
}

TEST_F(DriverPlaysTest, who_is_not_given_more_does_not_write) {
    const char* const late = "watchdog_renews_anothers_key";
    const DriverPlay& told = play(late, by_hand(kHonest));
    EXPECT_TRUE(told.is_as_expected()) << verdict_words(told);
    const DriverPlay& lied_to = play(late, by_hand(kLiar));
    EXPECT_FALSE(lied_to.is_as_expected()) << verdict_words(lied_to);
}

/// Its job waits for the answer, and so does the line that has it leave. Nothing else is due.
TEST_F(DriverPlaysTest, an_extension_that_takes_longer_than_the_job_is_waited_for) {
    const std::string slow = "        __import__('time').sleep(1)\n" + kHonest;
    const DriverPlay& seen = play("job_longer_than_ttl", by_hand(slow));
    EXPECT_NE(seen.end, DriverPlay::End::not_done) << verdict_words(seen);
}

/// BullMQ tells its scripts numbers in bytes that are no text.
TEST_F(DriverPlaysTest, a_command_that_is_no_text_is_shown_all_the_same) {
    const std::string waits =
        R"(        link.sendall(b"*4\r\n$5\r\nBLPOP\r\n$%d\r\n%s\r\n$1\r\n\x91\r\n$1\r\n3\r\n" %
                     (len(key), key.encode()))
        link.recv(100)
        said = {"granted": True})";
    const std::string releases = "        said = {'released': True}";
    Library library = python_library(python_driver(waits, releases));
    library.like = "set_nx_lua";
    const DriverPlay& seen = play("job_is_stopped_in_time", library);
    EXPECT_EQ(seen.end, DriverPlay::End::not_played) << verdict_words(seen);
    EXPECT_NE(seen.why.find("did not answer BLPOP"), std::string::npos) << seen.why;
    EXPECT_NE(seen.why.find("\\x91 3"), std::string::npos) << seen.why;
}

/// It sends no command at all, so none is lost: that it is as expected shows nothing.
TEST_F(DriverPlaysTest, what_it_cannot_be_brought_to_is_not_played) {
    const DriverPlay& seen = play("release_is_lost", shell("", "set_nx_lua"));
    EXPECT_EQ(seen.end, DriverPlay::End::not_played) << verdict_words(seen);
    EXPECT_NE(seen.why.find("never sent that command"), std::string::npos) << seen.why;
}

/// It asks nobody, so no failover is why two of it are inside.
TEST_F(DriverPlaysTest, what_is_as_expected_for_another_reason_is_not) {
    const DriverPlay& seen = play("failover_loses_the_lock", shell("", "set_nx_lua"));
    EXPECT_EQ(verdict_words(seen),
              "differs from set_nx_lua: for another reason: unexplained, and not failover");
    EXPECT_EQ(driver_story_text(seen).find("Redis answers A before"), std::string::npos);
}

/// Its own release asks whose key it is; this one does not.
constexpr const char* kDeletesWhatIsThere =
    "import runpy, redis.lock\n"
    "redis.lock.Lock.do_release = lambda self, token: self.redis.delete(self.name)\n"
    "runpy.run_path('driver.py', run_name='__main__')\n";

TEST_F(DriverPlaysTest, redis_py_with_a_plain_del_does_as_set_nx_del) {
    const std::filesystem::path source = source_dir();
    for (Library library : read_libraries(source / "drivers", source / "build/libraries")) {
        if (library.row() != "lib:redis-py" || !library.is_installed()) continue;
        Library deletes = library;
        deletes.like = library.like = "set_nx_del";
        deletes.run = {library.run.front(), "-c", kDeletesWhatIsThere};
        for (const char* name : {"late_del_after_takeover", "slow_holder_deletes_anothers_lock",
                                 "client_library_retries_release"}) {
            const DriverPlay& seen = play(name, deletes);
            EXPECT_TRUE(seen.is_as_expected()) << name << ": " << verdict_words(seen);
            EXPECT_FALSE(play(name, library).is_as_expected()) << name;
        }
    }
}

/// Sends what was not answered again, on a new connection. Before it tries it looks `looks` times
/// whether the key is there.
const std::string kInsists = R"(
import json, socket, sys, time
def tell(*words):
    global link
    text = "*%d\r\n" % len(words) + "".join("$%d\r\n%s\r\n" % (len(w), w) for w in words)
    while True:
        try:
            link.sendall(text.encode())
            if said := link.recv(1000): return said
        except OSError: pass
        link = socket.create_connection(place, 5)
for line in sys.stdin:
    a, said = json.loads(line), {}
    if a["op"] == "hello":
        said = {"library": "odd", "version": "1", "nodes": "one"}
        said |= {kind: False for kind in ("waits", "renews", "extends", "tells", "fences")}
    if a["op"] == "open":
        host, port = a["nodes"][0].rsplit(":", 1)
        place, key, ttl = (host, int(port)), a["key"], a["ttl_ms"]
        place_of_client = "@" + port
        link = socket.create_connection(place, 5)
    if a["op"] == "acquire":
        for i in range(looks):
            tell("EXISTS", key)
            time.sleep(0.025)
        token = str(a["id"]) + place_of_client
        said = {"granted": tell("SET", key, token, "NX", "PX", str(ttl)) == b"+OK\r\n"}
    if a["op"] == "step":
        said = {"ok": True, "lost": False}
    if a["op"] == "release":
        said = {"released": release() == b":1\r\n"}
    if a["op"] == "exit":
        break
    print(json.dumps({"id": a["id"], "called_us": 0, "answered_us": 0, **said}), flush=True)
)";

/// The scenario means A to give up, and has no word for an A that has the lock after all.
constexpr const char* kDeletes = "def release(): return tell('DEL', key)\n";
constexpr const char* kCompares =
    "script = \"return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1])\"\n"
    "def release(): return tell('EVAL', script, '1', key, token)\n";

/// A slow machine is another matter.
TEST_F(DriverPlaysTest, who_polls_for_long_is_told_so) {
    const std::string lines = std::string("looks = 12\n") + kCompares + kInsists;
    Library library = python_library(lines.c_str());
    library.like = "set_nx_lua";
    const DriverPlay& seen = play("job_longer_than_ttl", library);
    EXPECT_EQ(seen.end, DriverPlay::End::disturbed) << verdict_words(seen);
    EXPECT_EQ(seen.why, "its own waiting, between tries or at a server, took too long each time");
}

class LeftInsideTest : public DriverPlaysTest {
protected:
    const DriverPlay& play_with(const char* release) {
        const std::string lines = std::string("looks = 0\n") + release + kInsists;
        Library library = python_library(lines.c_str());
        library.like = "set_nx_lua";
        return play({read_scenario(kScript, "late.yaml", {"set_nx_lua"})}, library);
    }

private:
    const std::string kScript = R"(
title: A SET NX is delayed, and its client gives up
source: https://example.org
hits: a try whose outcome is unknown
ttl: 10s
cast: [A, B]
script:
  - A's next acquire is delayed
  - A tries
  - A gives up
  - 12s pass
  - B tries
expect:
  set_nx_lua: {kept_out: [A], why: It learns nothing., fix: Ask again.}
)";
};

TEST_F(LeftInsideTest, it_is_not_accused_of_that) {
    const DriverPlay& seen = play_with(kCompares);
    EXPECT_EQ(seen.end, DriverPlay::End::not_played) << verdict_words(seen);
    EXPECT_NE(seen.why.find("passed over 'A gives up'"), std::string::npos) << seen.why;
    EXPECT_GE(seen.play.judgement.overlaps, 1U);
}

TEST_F(LeftInsideTest, it_is_accused_of_harm_to_anothers_key) {
    const DriverPlay& seen = play_with(kDeletes);
    EXPECT_EQ(verdict_words(seen), "differs from set_nx_lua: seen: B's key deleted by A");
}

TEST_F(DriverPlaysTest, what_no_driver_process_can_be_is_said_beforehand) {
    const Subject subject(shell("", "set_nx_lua"));
    const auto why = [&](const char* name) {
        return why_not_played(shipped(name).front(), subject);
    };
    EXPECT_EQ(why("crash_leaves_the_lock"), "");
    EXPECT_EQ(why("starved_watchdog"), "") << "there is none to be starved";
    EXPECT_EQ(why("failover_loses_the_lock"), "");
    EXPECT_EQ(why("fast_clock_steals"), "");
    EXPECT_EQ(why("server_clock_ahead"), "");
    EXPECT_EQ(subject.why_not_on({3, 0}), "it takes one server");
    Library unreached = shell("", "set_nx_lua");
    unreached.no_clock = "it asks the kernel";
    const Subject by_itself(unreached);
    for (const char* name : {"fast_clock_steals", "clock_back_before_release"}) {
        EXPECT_EQ(why_not_played(shipped(name).front(), by_itself), "it asks the kernel");
    }
    EXPECT_EQ(why_not_played(shipped("crash_leaves_the_lock").front(), by_itself), "");
    EXPECT_EQ(why("old_snapshot"), "");
    EXPECT_EQ(why("not_reentrant"), "what a driver is asked has no word for taking a lock again");
}

/// With a clock that it does not take, it would be as right as ever, and so shown nothing.
TEST_F(DriverPlaysTest, whoever_drops_the_preloaded_clock_is_refused) {
    EXPECT_EQ(play("fast_clock_steals", shell("", "set_nx_lua")).end, DriverPlay::End::played);
    Library library = shell("", "set_nx_lua");
    library.run.insert(library.run.begin(), {"env", "-u", "LD_PRELOAD"});
    try {
        play("fast_clock_steals", library);
        FAIL() << "it was played";
    } catch (const DriverTrouble& trouble) {
        EXPECT_NE(std::string(trouble.what()).find("does not take the preloaded clock"),
                  std::string::npos)
            << trouble.what();
    }
}

TEST_F(DriverPlaysTest, a_witness_that_shows_nothing_is_no_proof_that_a_library_holds) {
    const Subject subject(shell("", "set_nx_lua"));
    Find find;
    find.algorithm = algorithm_named("set_nx_lua");
    DriverFind played;
    played.in_sim.verdict = Verdict::violated;
    played.judgement.verdict = Verdict::holds;
    EXPECT_FALSE(played.shows_something());
    EXPECT_NE(verdict_words(played, find, subject).find("which is no proof"), std::string::npos);
    played.judgement.verdict = Verdict::violated;
    EXPECT_TRUE(played.shows_something());
    EXPECT_NE(verdict_words(played, find, subject).find("as expected"), std::string::npos);
}

}  // namespace
}  // namespace locklab::driver_plays_test
