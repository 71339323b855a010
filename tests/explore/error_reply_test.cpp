// Errors in place of answers, in searches: one error stands for all, and a lock that tells them
// apart is not searched.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/core/sha1.h"
#include "harness/explore/rules.h"
#include "tests/algorithms/by_digest.h"
#include "tests/explore/proof_run.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/written_lock.h"

namespace locklab::error_reply_test {
namespace {

const Algorithm& by_digest(const char* name) {
    return *std::ranges::find(locks_by_digest(), std::string(name) + "_by_digest",
                              &Algorithm::name);
}

/// Takes the lock to be its own where memory is short.
class TakesOomForYes final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SET", key_, "1", "NX", "PX", ms());
        const bool is_short = set.is_error() && set.text().starts_with("OOM");
        if (!set.is_ok() && !is_short) co_return Refused{};
        co_return Grant{Token{"1"}, ttl_};
    }
};

TEST(ErrorReply, a_lock_that_tells_errors_apart_is_not_searched) {
    const Algorithm lock = written<TakesOomForYes>("set_nx_del");
    const SearchResult found = search(lock, bounds_with(lock, "error_reply=1"));
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_NE(found.why_unknown.find("does something else after OOM than after LOADING"),
              std::string::npos)
        << found.why_unknown;
    EXPECT_EQ(search(lock, bounds_with(lock, "lose_reply=1")).verdict, Verdict::holds);
}

/// Takes a lock to be given back whose script is not there.
class GivesUpWithoutScript final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SET", key_, "1", "NX");
        if (!set.is_ok()) co_return Refused{};
        co_await client_.command("SCRIPT", "LOAD", kText);
        co_return Grant{Token{"1"}, {}};
    }
    Task<Release> release() override {
        const Reply deleted = co_await client_.command("EVALSHA", to_hex(sha1(kText)), "1", key_);
        if (!deleted.is_error()) co_return Release::yes;
        if (!deleted.text().starts_with("NOSCRIPT")) co_await client_.command("DEL", key_);
        co_return Release::error;
    }

private:
    static constexpr const char* kText = "return redis.call('del', KEYS[1])";
};

TEST(ErrorReply, a_digest_is_answered_with_noscript_too) {
    const Algorithm lock = written<GivesUpWithoutScript>("setnx_del");
    const Proof proof = prove(lock, parse_faults("error_reply=1"));
    ASSERT_EQ(proof.verdict, Verdict::stuck) << proof.why_unknown;
    const std::vector<Step>& steps = proof.shown().result.stuck->witness.steps;
    const auto is_it = [](const Step& step) { return step.kind == Step::Kind::noscript; };
    EXPECT_EQ(std::ranges::count_if(steps, is_it), 1);
    EXPECT_TRUE(judged_on_stage(proof).liveness.stuck);
}

/// The text goes out after it, so that nothing is left behind.
TEST(ErrorReply, a_client_library_sends_the_text_after_noscript) {
    const Proof proof = prove(by_digest("set_nx_lua"), parse_faults("error_reply=1"));
    EXPECT_EQ(proof.verdict, Verdict::holds) << proof.why_unknown;
    EXPECT_TRUE(proof.coverage.has_struck(Hazard::error_reply, Phase::release));
}

TEST(ErrorReply, what_is_answered_with_an_error_is_not_exercised) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    Rules rules(lock, bounds_with(lock, "error_reply=1"));
    State state = rules.initial().front();
    state = rules.after(state, {Step::Kind::wake, 0, 0, false, 0});
    Coverage coverage;
    rules.cover(state, {Step::Kind::error, 0, 0, false, 0}, coverage);
    EXPECT_TRUE(coverage.sent.empty());
    EXPECT_TRUE(coverage.has_struck(Hazard::error_reply, Phase::acquire));
    rules.cover(state, {Step::Kind::reset_reply, 0, 0, false, 0}, coverage);
    EXPECT_EQ(coverage.sent.size(), 1U);
}

}  // namespace
}  // namespace locklab::error_reply_test
