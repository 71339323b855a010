// A run with drivers that are none, or that say what no lock says.

#include "harness/foreign/foreign_run.h"

#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "tests/foreign/extended_library.h"

namespace locklab::foreign_run_test {
namespace {

constexpr Duration kTtl = std::chrono::milliseconds(100);

/// A shell that answers hello, open and close as a driver does, and the rest as `rest` says. A case
/// can say "answer" with what it answers; $tries counts what it was asked to acquire.
Library library_of(const std::string& rest) {
    const std::string script =
        "answer() { echo \"{\\\"id\\\":$id,\\\"called_us\\\":0,\\\"answered_us\\\":0$1}\"; }\n"
        "tries=0\n"
        "while read -r line; do\n"
        "id=${line#*:}; id=${id%%,*}; id=${id%\\}}\n"
        "case $line in *acquire*) tries=$((tries + 1));; esac\n"
        "case $line in\n" +
        rest +
        "\n*hello*) answer ',\"library\":\"x\",\"version\":\"1\",\"nodes\":\"one\",\"waits\":false,"
        "\"renews\":false,\"extends\":false,\"tells\":false,\"fences\":false';;\n"
        "*step*) answer ',\"ok\":true,\"lost\":false';;\n"
        "*acquire*) answer ',\"granted\":true';;\n"
        "*release*) answer ',\"released\":true';;\n"
        "*) answer '';;\n"
        "esac; done";
    Library library;
    library.name = "odd";
    library.library = "Odd";
    library.version = "1";
    library.run = {"bash", "-c", script};
    library.installed = "/";
    return library;
}

RunSpec spec_of(const Subject& subject, Duration ttl = kTtl) {
    LockOptions options = subject.row().defaults;
    options.ttl = ttl;
    RunSpec spec = make_run_spec(subject.row(), options, ttl, {});
    spec.grants = 6;
    return spec;
}

ForeignResult play(const std::string& rest, bool fences = false, Duration ttl = kTtl) {
    Library library = library_of(rest);
    library.fences = fences;
    const Subject subject(library);
    const RunSpec spec = spec_of(subject, ttl);
    ManagedServers servers(spec.topology);
    Team team(subject);
    return run_foreign({spec, subject, 1, 1}, servers, team, [] { return false; });
}

std::string sentence_of(const std::string& rest) {
    try {
        play(rest);
    } catch (const DriverTrouble& trouble) {
        return trouble.what();
    }
    return "none";
}

TEST(ForeignRun, who_grants_always_is_caught) {
    const ForeignResult result = play("");
    EXPECT_FALSE(result.proved.empty());
    EXPECT_EQ(judge(result.history).verdict, Verdict::violated);
}

/// Each of its jobs lasts for as long as three extensions.
TEST(ForeignRun, who_extends_by_hand_sends_renewals) {
    const Library library = by_hand(kHonest);
    const Subject subject(library);
    const Duration ttl = std::chrono::milliseconds(600);
    RunSpec spec = spec_of(subject, ttl);
    spec.workload.job = {ttl * 8 / 5, ttl * 8 / 5};
    spec.grants = 2;
    ManagedServers servers(spec.topology);
    Team team(subject);
    const ForeignResult result =
        run_foreign({spec, subject, 1, 1}, servers, team, [] { return false; });
    std::size_t renewals = 0;
    for (const Event& event : result.history.events) {
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        if (ran == nullptr || ran->command.script() == nullptr) continue;
        const bool is_extension = ran->command.script()->lua.find("pexpire") != std::string::npos;
        EXPECT_EQ(event.phase == Phase::background, is_extension);
        renewals += is_extension ? 1 : 0;
    }
    EXPECT_GE(renewals, 2U);
}

TEST(ForeignRun, who_changes_its_server_is_no_verdict_on_its_lock) {
    const std::string sentence = sentence_of(
        "*open*) port=${line#*127.0.0.1:}; port=${port%%\\\"*}; answer '';;\n"
        "*acquire*) exec 3<>/dev/tcp/127.0.0.1/$port; printf 'CONFIG SET maxmemory 1gb\\r\\n' >&3;"
        " read -r said <&3; answer ',\"granted\":true';;");
    EXPECT_NE(sentence.find("changes its server: A sent CONFIG SET"), std::string::npos)
        << sentence;
}

/// The server is gone, or changed, before the run begins: while drivers open the lock, or take it
/// for the first time. That the harness cannot go on then is the driver's doing.
TEST(ForeignRun, who_changes_its_server_as_the_run_begins_is_named) {
    const std::string opens =
        "*open*) port=${line#*127.0.0.1:}; port=${port%%\\\"*};"
        " exec 3<>/dev/tcp/127.0.0.1/$port; ";
    const std::string shuts = "printf 'SHUTDOWN NOSAVE\\r\\n' >&3; sleep 0.2; ";
    const std::string cannot = "answer ',\"error\":\"refused\",\"definite\":false';;\n";
    for (const std::string& rest :
         {opens + shuts + "answer '';;", opens + shuts + cannot,
          opens + "answer '';;\n*acquire*) " + shuts + "answer ',\"granted\":true';;",
          opens + "answer '';;\n*acquire*) " + shuts + cannot,
          opens + "answer '';;\n*acquire*) " + shuts + "exit 3;;"}) {
        const std::string sentence = sentence_of(rest);
        // Which of them opens first is left to the kernel.
        EXPECT_NE(sentence.find("changes its server: "), std::string::npos) << sentence << rest;
        EXPECT_NE(sentence.find(" sent SHUTDOWN NOSAVE, "), std::string::npos) << sentence << rest;
    }
}

/// The proxy ends its connection, so that no later command of it is known.
TEST(ForeignRun, who_speaks_no_redis_is_named) {
    // The last two cannot go on without their connection.
    for (const char* then :
         {"answer ',\"granted\":true'", "answer ',\"granted\":false'", "exit 3"}) {
        const std::string sentence = sentence_of(
            "*open*) port=${line#*127.0.0.1:}; port=${port%%\\\"*}; answer '';;\n"
            "*acquire*) exec 3<>/dev/tcp/127.0.0.1/$port; printf '*1\\r\\n$-1\\r\\n' >&3;"
            " read -r said <&3; " +
            std::string(then) + ";;");
        EXPECT_TRUE(sentence.starts_with("The driver of odd cannot be judged: ")) << sentence;
        EXPECT_NE(sentence.find(" speaks no RESP: its length is negative."), std::string::npos)
            << sentence;
    }
}

TEST(ForeignRun, who_stops_itself_is_not_stuck) {
    const std::string stopped =
        "The driver of odd was stopped by a signal that locklab did not send (SIGSTOP); what comes "
        "of the lock after that shows nothing.";
    EXPECT_EQ(sentence_of("*open*) kill -STOP $$; answer '';;"), stopped);
    EXPECT_EQ(
        sentence_of("*acquire*) [ $tries -lt 3 ] || kill -STOP $$; answer ',\"granted\":true';;"),
        stopped);
    EXPECT_EQ(sentence_of("*step*) kill -STOP $$; answer ',\"ok\":true,\"lost\":false';;"),
              stopped);
}

/// It says that it lost the lock before any step of it shows it inside.
TEST(ForeignRun, who_tells_of_every_loss_is_not_accused) {
    const ForeignResult result = play("*step*) answer ',\"ok\":true,\"lost\":true';;");
    EXPECT_TRUE(result.proved.empty());
    EXPECT_EQ(judge(result.history).verdict, Verdict::holds);
    // Nor was anybody inside, and so this shows nothing.
    EXPECT_TRUE(result.seen_inside.empty());
}

TEST(ForeignRun, who_is_inside_is_seen_by_its_steps) {
    EXPECT_GT(play("").seen_inside.size(), 1U);
    EXPECT_TRUE(play("*step*) answer ',\"ok\":false,\"lost\":false';;").seen_inside.empty());
    EXPECT_TRUE(
        play("*step*) answer ',\"error\":\"it broke\",\"definite\":false';;").seen_inside.empty());
}

/// Its hello, with fences; and a server that it asks over the descriptor 9, once `open` told where.
const std::string kFences =
    "*hello*) answer ',\"library\":\"x\",\"version\":\"1\",\"nodes\":\"one\",\"waits\":false,"
    "\"renews\":false,\"extends\":false,\"tells\":false,\"fences\":true';;\n";
const std::string kOpens =
    "*open*) node=${line#*nodes*127.0.0.1:}; exec 9<>/dev/tcp/127.0.0.1/${node%%\\\"*}; answer "
    "'';;\n";

TEST(ForeignRun, a_fence_that_goes_down_is_caught_by_the_order_of_answers) {
    const std::string lost = "*step*) answer ',\"ok\":true,\"lost\":true';;\n";
    const ForeignResult down =
        play(kFences + lost +
                 "*acquire*) answer \",\\\"granted\\\":true,\\\"fence\\\":$((99-tries))\";;",
             true);
    const Judgement judgement = judge(down.history);
    EXPECT_EQ(judgement.verdict, Verdict::violated);
    EXPECT_GT(judgement.fence_inversions, 0U);
    EXPECT_EQ(judgement.overlaps, 0U);
    // Nanoseconds of one machine only go up.
    const ForeignResult up =
        play(kFences + lost +
                 "*acquire*) answer \",\\\"granted\\\":true,\\\"fence\\\":$(date +%s%N)\";;",
             true);
    EXPECT_EQ(judge(up.history).fence_inversions, 0U);
}

TEST(ForeignRun, who_waits_at_the_server_is_not_a_slow_machine) {
    const std::string asks = "read -r -t 2 reply <&9; answer ',\"granted\":true';;\n";
    const std::string wait = "*acquire*) printf 'BLPOP none 0.05\\r\\n' >&9; " + asks;
    const std::string lost = "*step*) answer ',\"ok\":true,\"lost\":true';;\n";
    EXPECT_FALSE(play(kOpens + lost + wait).disturbance);
    const std::string slow =
        "*acquire*) printf 'EVAL \"local t=redis.call(\\047TIME\\047); local n; repeat "
        "n=redis.call(\\047TIME\\047) until (n[1]-t[1])*1000000+n[2]-t[2]>50000\" 0\\r\\n' >&9; " +
        asks;
    EXPECT_TRUE(play(kOpens + lost + slow).disturbance);
}

/// It sleeps, and locklab is not late by a quarter of so long a TTL.
TEST(ForeignRun, whose_steps_are_slow_is_not_a_slow_machine) {
    const Duration ttl = std::chrono::milliseconds(800);
    const std::string slow = "*step*) sleep 0.5; answer ',\"ok\":true,\"lost\":true';;";
    const auto disturbance = play(slow, false, ttl).disturbance;
    ASSERT_TRUE(disturbance.has_value());
    EXPECT_EQ(disturbance->kind, Disturbance::Kind::driver);
    EXPECT_EQ(disturbance->words.find("'step' took "), 0U) << disturbance->words;
}

TEST(ForeignRun, who_does_not_answer_any_more_is_stuck) {
    const ForeignResult result =
        play("*acquire*) [ $tries -gt 1 ] || answer ',\"granted\":true';;");
    EXPECT_EQ(judge(result.history).verdict, Verdict::stuck);
}

/// It is inside, as far as anybody knows; so this is not stuck, and shows nothing either.
TEST(ForeignRun, who_does_not_answer_a_step_any_more_is_named) {
    const ForeignResult result = play("*step*) :;;");
    EXPECT_EQ(judge(result.history).verdict, Verdict::holds);
    EXPECT_EQ(result.fell_short.rfind("client 0 has not answered 'step' for ", 0), 0U)
        << result.fell_short;
    EXPECT_EQ(play("").fell_short, "");
}

/// Nobody was told that the lock is another's.
TEST(ForeignRun, whose_every_try_is_an_error_is_not_stuck) {
    const auto errors = [](const std::string& definite) {
        return play(
            "*acquire*) if [ $tries -gt 1 ]; then answer ',\"error\":\"no "
            "scripts\",\"definite\":" +
            definite + "'; else answer ',\"granted\":true'; fi;;");
    };
    const ForeignResult definite = errors("true");
    const Judgement judgement = judge(definite.history);
    EXPECT_EQ(judgement.verdict, Verdict::unknown);
    EXPECT_EQ(judgement.why_unknown,
              "each try since the last holder left ended with an error: no scripts");
    EXPECT_EQ(definite.fell_short.rfind("nobody was granted the lock for ", 0), 0U);
    EXPECT_EQ(judge(errors("false").history).verdict, Verdict::stuck);
}

/// It could take the lock and release it: what ends it is its library's doing, and told as such.
TEST(ForeignRun, a_process_that_ends_by_itself_is_a_finding_and_no_end_of_the_campaign) {
    const ForeignResult result = play("*step*) echo 'it broke' >&2; exit 3;;");
    const Judgement judgement = judge(result.history);
    EXPECT_GT(judgement.deaths, 0U);
    EXPECT_EQ(result.fell_short, "The driver of odd ended with code 3; it said last: it broke");
    EXPECT_EQ(result.first_error, result.fell_short);
    EXPECT_EQ(judge(play("").history).deaths, 0U);
}

/// By its library's own words nothing was left of its lease.
TEST(ForeignRun, a_grant_of_which_nothing_is_left_is_late) {
    const auto late = [](const char* left) {
        const std::string valid = ",\\\"valid_ms\\\":" + std::string(left) + "\";;";
        return judge(play("*acquire*) answer \",\\\"granted\\\":true" + valid).history).late_grants;
    };
    EXPECT_GT(late("-3").found, 0U);
    EXPECT_EQ(late("40").found, 0U);
}

/// As one that gives up what took longer than its TTL, and has yet to connect: each time that it is
/// opened.
TEST(ForeignRun, a_first_try_that_was_too_slow_is_made_again) {
    const std::string opens = "*open*) tries=0; answer '';;\n";
    EXPECT_EQ(sentence_of(opens + "*acquire*) [ $tries -gt 1 ] && answer ',\"granted\":true' || "
                                  "answer ',\"granted\":false';;"),
              "none");
    EXPECT_EQ(sentence_of(opens + "*release*) [ $tries -gt 1 ] && answer ',\"released\":true' || "
                                  "answer ',\"released\":false';;"),
              "none");
}

TEST(ForeignRun, a_driver_that_is_none_is_one_sentence) {
    EXPECT_EQ(sentence_of("*acquire*) answer ',\"granted\":false';;"),
              "The driver of odd cannot take a free lock.");
    EXPECT_EQ(sentence_of("*open*) answer ',\"error\":\"no\",\"definite\":true';;"),
              "The driver of odd cannot open its library: no.");
    EXPECT_EQ(
        sentence_of("*hello*) answer ',\"library\":\"x\",\"version\":\"9\",\"nodes\":\"many\","
                    "\"waits\":false,\"renews\":true,\"extends\":false,\"tells\":false,"
                    "\"fences\":false';;"),
        "The driver of odd is not what its manifest says: its 'hello' says version 9, nodes "
        "many, renews true, and its manifest says version 1, nodes one, renews false.");
    EXPECT_EQ(sentence_of("*hello*) ;;"),
              "The driver of odd does not answer 'hello', and has done nothing for 5s.");
    EXPECT_EQ(sentence_of("*open*) ;;"),
              "The driver of odd does not answer 'open', and has done nothing for 5s.");
    const std::string nonsense = sentence_of("*release*) echo 'released, I think';;");
    EXPECT_TRUE(nonsense.starts_with("The driver of odd speaks nonsense")) << nonsense;
}

}  // namespace
}  // namespace locklab::foreign_run_test
