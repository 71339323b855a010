// Searches of locks that several may have at once: no proof where nobody can be one too many.

#include <gtest/gtest.h>

#include "harness/explore/proof.h"
#include "tests/corpus/corpus.h"
#include "tests/explore/search_bounds.h"

namespace locklab::shared_locks_test {
namespace {

const Algorithm& shared_lock(const char* name) { return corpus::entry_named(name)->algorithm; }

Proof prove(const Algorithm& lock, const std::vector<Bounds>& searches) {
    return Prover(lock, SearchLimits()).prove(searches, kGoOn, [](const SearchProgress&) {});
}

TEST(SharedLocks, two_clients_prove_nothing_of_two_permits) {
    const Algorithm& lock = shared_lock("two_at_once");
    const std::vector<Bounds> searches = searches_for(lock);
    const Proof all = prove(lock, searches);
    EXPECT_EQ(all.verdict, Verdict::holds) << all.why_unknown;
    EXPECT_TRUE(all.coverage.has_refused(Mode::shared, Mode::shared));
    const Proof two = prove(lock, {searches[0]});
    EXPECT_EQ(two.verdict, Verdict::unknown);
    EXPECT_EQ(two.missing, std::vector<std::string>{"nobody who wanted the lock shared was refused "
                                                    "while another had it shared"});
}

/// By default B wants it alone, and A and C share it.
TEST(SharedLocks, a_proof_of_readers_and_writers_has_met_each_in_anothers_way) {
    const Algorithm& lock = shared_lock("readers_and_a_writer");
    EXPECT_EQ(prove(lock, searches_for(lock)).verdict, Verdict::holds);
    const Proof usual = prove(lock, {bounds_with(lock, "none", 3, 1, 3)});
    EXPECT_EQ(usual.verdict, Verdict::unknown);
    EXPECT_NE(
        usual.why_unknown.find("wanted the lock alone was refused while another had it alone"),
        std::string::npos)
        << usual.why_unknown;
    EXPECT_EQ(usual.why_unknown.find("wanted the lock shared was refused"), std::string::npos);
}

/// Also where both send the same: who may be inside beside whom differs.
TEST(SharedLocks, readers_are_not_renumbered_as_writers) {
    Algorithm lock = *algorithm_named("set_nx_lua");
    lock.both_modes = true;
    Bounds bounds = bounds_with(lock, "none", 3, 1, 2);
    const std::size_t states = search(lock, bounds).states;
    bounds.symmetry = false;
    EXPECT_EQ(states, search(lock, bounds).states);
    lock.both_modes = false;
    bounds.symmetry = true;
    EXPECT_LT(search(lock, bounds).states, states);
}

/// One reader too few for the lock to go wrong, and enough of them.
TEST(SharedLocks, modes_of_clients_are_as_asked) {
    const Algorithm& lock = shared_lock("any_reader_frees");
    Bounds bounds = bounds_with(lock, "none", 3, 1, 3);
    EXPECT_EQ(search(lock, bounds).verdict, Verdict::violated);
    for (std::uint32_t i = 0; i < 2; ++i) {
        bounds.unequal.push_back({ClientId{i}, {}, {}, {}, Mode::alone});
    }
    EXPECT_EQ(search(lock, bounds).verdict, Verdict::holds);
}

TEST(SharedLocks, more_permits_take_more_clients) {
    Algorithm lock = shared_lock("two_at_once");
    lock.permits = 3;
    EXPECT_EQ(searches_for(lock).back().clients, 4U);
    lock.permits = 9;
    EXPECT_EQ(searches_for(lock).back().clients, Bounds::kMostClients);
}

}  // namespace
}  // namespace locklab::shared_locks_test
