// What a search keeps in tables: nothing is lost, nothing is there twice, and of the states that
// are the same but for the clients' numbers there is one.

#include <gtest/gtest.h>

#include <map>

#include "harness/explore/interned.h"
#include "harness/explore/number_table.h"
#include "harness/explore/state_set.h"
#include "harness/explore/symmetry.h"

namespace locklab {
namespace {

PackedState numbered(std::uint32_t number) {
    State state;
    state.environment = number % 7;
    state.clients = {number / 7 % 11, number / 77 % 13, number / 1001, number % 3};
    return packed(state);
}

TEST(StateSet, keeps_every_state_once_however_many_there_are) {
    constexpr std::uint32_t kStates = 30'000;
    StateSet states;
    std::map<StateId, std::uint32_t> ids;
    for (const bool again : {false, true}) {
        for (std::uint32_t i = 0; i < kStates; ++i) {
            const PackedState state = numbered(i);
            Step step;
            step.ms = static_cast<std::uint16_t>(i);
            const StateId id = states.insert({state, i, step}, state.hash());
            EXPECT_EQ(id == kNoState, again) << i;
            if (!again) ids[id] = i;
        }
    }
    EXPECT_EQ(states.size(), kStates);
    EXPECT_EQ(ids.size(), kStates) << "no two have the same name";
    for (const auto& [id, number] : ids) {
        EXPECT_EQ(states.parent(id), number);
        EXPECT_EQ(states.step(id).ms, static_cast<std::uint16_t>(number));
    }
}

TEST(StateSet, tells_states_apart_that_differ_in_one_bit) {
    constexpr std::uint64_t kSame = 12345;
    StateSet states;
    EXPECT_NE(states.insert({packed(State()), kNoState, {}}, kSame), kNoState);
    for (std::uint32_t bit = 0; bit < 24; ++bit) {
        for (std::size_t i = 0; i < Bounds::kMostClients; ++i) {
            State state;
            state.clients[i] = 1U << bit;
            EXPECT_NE(states.insert({packed(state), kNoState, {}}, kSame), kNoState);
            EXPECT_EQ(states.insert({packed(state), kNoState, {}}, kSame), kNoState);
        }
    }
}

/// Seven places for all.
struct FewHashes {
    std::size_t operator()(std::uint32_t value) const { return value % 7; }
};

TEST(Interned, gives_each_value_one_number_however_many_have_its_hash) {
    constexpr std::uint32_t kValues = 1000;
    Interned<std::uint32_t, FewHashes> values;
    for (const bool again : {false, true}) {
        for (std::uint32_t i = 0; i < kValues; ++i) {
            EXPECT_EQ(values.find(i * 3).has_value(), again) << i;
            EXPECT_EQ(values.number_of(i * 3), i);
            EXPECT_EQ(values[i], i * 3);
        }
    }
    EXPECT_EQ(values.size(), kValues);
    EXPECT_FALSE(values.find(1).has_value());
}

TEST(NumberTable, answers_every_key_with_its_own_number) {
    constexpr std::uint32_t kKeys = 20'000;
    NumberTable numbers;
    const auto key = [](std::uint64_t i) { return i << 32 | i % 5; };
    for (std::uint32_t i = 0; i < kKeys; ++i) {
        EXPECT_FALSE(numbers.find(key(i)).has_value()) << i;
        numbers.add(key(i), i * 2);
    }
    for (std::uint32_t i = 0; i < kKeys; ++i) EXPECT_EQ(numbers.find(key(i)), i * 2);
    EXPECT_FALSE(numbers.find(key(kKeys)).has_value());
}

// A environment for symmetry: two places in which a client may be named, or nobody.

constexpr std::uint32_t kNobody = 7;

std::uint32_t environment_of(std::uint32_t first, std::uint32_t second) {
    return first * 8 + second;
}

std::optional<std::uint32_t> rename(std::uint32_t environment, const Permutation& from) {
    const auto renamed = [&from](std::uint32_t client) {
        if (client == kNobody) return kNobody;
        return static_cast<std::uint32_t>(std::find(from.begin(), from.end(), client) -
                                          from.begin());
    };
    return environment_of(renamed(environment / 8), renamed(environment % 8));
}

State renumbered(const State& state, const Permutation& from) {
    State other = state;
    for (std::size_t i = 0; i < from.size(); ++i) other.clients[i] = state.clients[from[i]];
    other.environment = *rename(state.environment, from);
    return other;
}

Permutation reduced(State& state, std::uint32_t clients) {
    const bool names_any = state.environment != environment_of(kNobody, kNobody);
    const auto from = reduce(state, clients, names_any, rename);
    EXPECT_TRUE(from.has_value());
    return from.value_or(kIdentity);
}

/// Calls see(state) for every state of so many clients that are each in one of three parts.
template <class See>
void for_every_state(std::uint32_t clients, See see) {
    std::vector<std::uint32_t> named{kNobody};
    for (std::uint32_t i = 0; i < clients; ++i) named.push_back(i);
    std::uint32_t ways = 1;
    for (std::uint32_t i = 0; i < clients; ++i) ways *= 3;
    for (std::uint32_t way = 0; way < ways; ++way) {
        State state;
        std::uint32_t rest = way;
        for (std::uint32_t i = 0; i < clients; ++i, rest /= 3) state.clients[i] = 1 + rest % 3;
        for (const std::uint32_t first : named) {
            for (const std::uint32_t second : named) {
                state.environment = environment_of(first, second);
                see(state);
            }
        }
    }
}

class Symmetry : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Symmetry, keeps_one_of_all_states_that_differ_by_the_clients_numbers) {
    const std::uint32_t clients = GetParam();
    for_every_state(clients, [clients](const State& state) {
        State kept = state;
        reduced(kept, clients);
        Permutation from = kIdentity;
        while (std::next_permutation(from.begin(), from.begin() + clients)) {
            State other = renumbered(state, from);
            reduced(other, clients);
            ASSERT_EQ(other, kept);
        }
    });
}

TEST_P(Symmetry, says_who_is_who_in_the_state_that_is_kept) {
    const std::uint32_t clients = GetParam();
    for_every_state(clients, [clients](const State& state) {
        State kept = state;
        const Permutation from = reduced(kept, clients);
        ASSERT_EQ(renumbered(state, from), kept);
    });
}

INSTANTIATE_TEST_SUITE_P(Clients, Symmetry, testing::Values(1U, 2U, 3U, 4U));

TEST(SymmetryOfTheUnknown, is_not_known_where_the_environments_new_number_is_not) {
    State state;
    state.clients = {2, 1};
    state.environment = environment_of(0, kNobody);
    const auto nothing = [](std::uint32_t, const Permutation&) {
        return std::optional<std::uint32_t>();
    };
    EXPECT_FALSE(reduce(state, 2, true, nothing).has_value());
}

}  // namespace
}  // namespace locklab
