// What a proof should have seen a lock send is what the faults can lead to that it is about.

#include "harness/explore/rehearsal.h"

#include <gtest/gtest.h>

#include <atomic>

#include "harness/core/fault_text.h"
#include "harness/explore/proof.h"
#include "tests/corpus/corpus.h"

namespace locklab::rehearsal_test {
namespace {

const SentCommand kSet{"SET NX PX", Phase::acquire};
const SentCommand kLook{"compare_and_extend", Phase::acquire};

const Algorithm& lock_named(std::string_view name) { return corpus::entry_named(name)->algorithm; }

Proof proof_of(std::string_view lock, const char* faults) {
    const std::atomic<bool> stop{false};
    return Prover(lock_named(lock), SearchLimits{})
        .prove(parse_faults(faults), stop, [](const SearchProgress&) {});
}

TEST(Rehearsal, says_under_which_hazard_a_command_was_sent) {
    const Rehearsal seen = rehearse(lock_named("looks_into_silence"));
    EXPECT_TRUE(seen.sent_under(parse_faults("none")).contains(kSet));
    EXPECT_FALSE(seen.sent_under(parse_faults("none")).contains(kLook));
    EXPECT_FALSE(seen.sent_under(parse_faults("crash=1")).contains(kLook));
    EXPECT_TRUE(seen.sent_under(parse_faults("lose_request=1")).contains(kLook));
    EXPECT_TRUE(seen.sent_under(parse_faults("crash=1,lose_reply=2")).contains(kLook));
}

TEST(Rehearsal, what_needs_two_faults_is_not_asked_of_one) {
    Rehearsal seen;
    FaultBudget twice;
    twice[Hazard::lose_reply] = 2;
    seen.add(kLook, twice);
    EXPECT_FALSE(seen.sent_under(parse_faults("lose_reply=1")).contains(kLook));
    EXPECT_TRUE(seen.sent_under(parse_faults("lose_reply=2")).contains(kLook));
}

/// That a command did nothing is missed only where the faults let it do something.
TEST(Rehearsal, what_is_answered_with_two_faults_is_not_asked_of_one) {
    const AnsweredCommand ran{"EVALSHA 01234567", ""};
    Rehearsal seen;
    FaultBudget twice;
    twice[Hazard::lose_reply] = 2;
    EXPECT_TRUE(seen.add(ran, twice));
    EXPECT_FALSE(seen.add(ran, twice));
    EXPECT_FALSE(seen.answered_under(parse_faults("lose_reply=1")).contains(ran));
    EXPECT_TRUE(seen.answered_under(parse_faults("lose_reply=2")).contains(ran));
}

/// What it does about a lost answer is not missed where none is lost.
TEST(Rehearsal, a_careful_lock_is_proved) {
    for (const char* faults : {"none", "crash=1", "lose_request=1"}) {
        const Proof proof = proof_of("looks_into_silence", faults);
        EXPECT_EQ(name_of(proof.verdict), "holds") << faults << " " << proof.why_unknown;
    }
}

/// Keys are kept in the order of their names, and another token comes elsewhere.
TEST(Rehearsal, a_token_in_the_name_of_a_key_is_a_whole_token) {
    const Proof proof = proof_of("renamed_into_place", "none");
    EXPECT_EQ(name_of(proof.verdict), "holds") << proof.why_unknown;
    EXPECT_FALSE(proof.shown().result.cuts_tokens);
}

/// Each of its keys may go, and the lock is held by one of two others.
TEST(Rehearsal, a_lock_that_names_a_key_by_its_token_is_proved) {
    const Proof proof = proof_of("mirrored_and_signed", "evict=1");
    EXPECT_EQ(name_of(proof.verdict), "holds") << proof.why_unknown;
    EXPECT_EQ(proof.coverage.unlisted_key, "");
}

TEST(Rehearsal, a_key_that_no_search_evicts_is_told) {
    const Proof proof = proof_of("mirrored_and_signed_twice", "evict=1");
    EXPECT_EQ(name_of(proof.verdict), "unknown");
    EXPECT_NE(proof.why_unknown.find("keys such as 'lock:by:<token>:<token>' are never evicted "
                                     "here: a search has room for 64 keys"),
              std::string::npos)
        << proof.why_unknown;
}

/// Of this lock there is room for four tokens of each of two clients; a third round draws more.
TEST(Rehearsal, a_proof_goes_no_deeper_than_it_can_evict) {
    const Algorithm& lock = lock_named("mirrored_and_signed_often");
    const Prover prover(lock, SearchLimits());
    const std::atomic<bool> go_on{false};
    const auto tell = [](const SearchProgress&) {};
    Bounds bounds = bounds_for(lock);
    bounds.clients = 2;
    bounds.rounds = 2;
    bounds.attempts = 2;
    bounds.leaves = 1;
    bounds.set_faults(parse_faults("evict=1"));
    Proof proof = prover.prove({bounds}, go_on, tell);
    ASSERT_EQ(name_of(proof.verdict), "holds") << proof.why_unknown;
    prover.deepen(proof, {.rounds = true}, go_on, tell);
    EXPECT_EQ(name_of(proof.verdict), "holds") << proof.why_unknown;
    EXPECT_TRUE(proof.deeper.empty());
}

}  // namespace
}  // namespace locklab::rehearsal_test
