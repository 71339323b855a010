// Somebody else on the same server takes the key away: no fault of ours, and no command of ours.
#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "harness/store/redis/key_shadow.h"
#include "tests/live/live_fixture.h"

namespace locklab::stranger_test {
namespace {

/// What came of a run in which a stranger sends `command` while one client is inside. The loop
/// waits meanwhile, and on a busy machine the job may be over when it goes on: then nobody
/// overlaps, or the release of that job deletes the next one's key. So jobs are long, and the
/// stranger comes often.
Judgement judged_after(const std::function<Command(const std::string& key)>& command) {
    ManagedServers server;
    LiveLoop loop(server);
    LiveConfig config = short_run(HookedLock::algorithm(), 10);
    config.workload.job = {100ms, 100ms};
    int sent = 0;
    int refused = 0;
    HookedLock::after_try = [&](Client&, const Reply& reply) {
        if (!reply.is_nil() || ++refused % 10 != 0) return;
        const auto keys = keys_on(server.endpoint());
        if (keys.empty()) return;
        ++sent;
        SyncConnection(server.endpoint(), 5s).command(command(keys.front().text()));
    };
    std::vector<LiveResult> results = run_all(loop, {std::move(config)});
    HookedLock::after_try = nullptr;
    EXPECT_GT(sent, 0);
    History& history = results.front().history;
    for (const auto& [event, executed] : all_of<event::Executed>(history)) {
        EXPECT_EQ(executed->effect.source, KeyEffect::Source::untold);
    }
    tell_effects(history);
    return judge(history);
}

TEST(Stranger, flushing_the_server_is_lost_data) {
    const Judgement judgement = judged_after([](const auto&) { return Command::of("FLUSHALL"); });
    ASSERT_GT(judgement.overlaps, 0U);
    EXPECT_GT(judgement.causes[Cause::lost_data], 0U);
    EXPECT_EQ(judgement.causes[Cause::unexplained], 0U);
}

TEST(Stranger, deleting_the_key_is_lost_data) {
    const Judgement judgement =
        judged_after([](const std::string& key) { return Command::of("DEL", key); });
    ASSERT_GT(judgement.overlaps, 0U);
    EXPECT_GT(judgement.causes[Cause::lost_data], 0U);
    EXPECT_EQ(judgement.causes[Cause::unexplained], 0U);
}

TEST(Stranger, who_only_looks_does_nothing) {
    const Judgement judgement =
        judged_after([](const std::string& key) { return Command::of("GET", key); });
    EXPECT_EQ(judgement.verdict, Verdict::holds);
    EXPECT_EQ(judgement.uncertain_effects, 0U);
}

}  // namespace
}  // namespace locklab::stranger_test
