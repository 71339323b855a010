// What a search keeps in tables: nothing is lost, nothing is there twice, and of the states that
// are the same but for the clients' numbers there is one.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "harness/explore/interned.h"
#include "harness/explore/number_table.h"
#include "harness/explore/state_set.h"
#include "harness/explore/symmetry.h"

namespace locklab::search_tables_test {
namespace {

Bounds row_of(std::uint32_t clients, std::uint32_t servers) {
    Bounds bounds;
    bounds.clients = clients;
    bounds.servers = servers;
    return bounds;
}

const Packing kNarrow(row_of(4, 1));
const Packing kWide(row_of(4, 5));

PackedState<2> numbered(std::uint32_t number) {
    State state;
    state.environment = number % 7;
    state.clients = {number / 7 % 11, number / 77 % 13, number / 1001, number % 3};
    return kNarrow.packed<2>(state);
}

/// Every number that is greatest in its place, the others being small.
std::vector<State> with_great_numbers(const Packing& packing, const Bounds& bounds) {
    State small;
    small.environment = 5;
    for (std::uint32_t i = 0; i < bounds.clients; ++i) small.clients[i] = 100 + i;
    for (std::uint32_t i = 0; i < bounds.servers; ++i) small.servers[i] = 200 + i;
    std::vector<State> states{small};
    for (std::uint32_t i = 0; i < bounds.clients; ++i) {
        states.emplace_back(small).clients[i] = packing.most() - 1;
    }
    for (std::uint32_t i = 0; i < bounds.servers; ++i) {
        states.emplace_back(small).servers[i] = packing.most() - 1;
    }
    states.emplace_back(small).environment = packing.most_environments() - 1;
    State all = small;
    all.environment = packing.most_environments() - 1;
    for (std::uint32_t i = 0; i < bounds.clients; ++i) all.clients[i] = packing.most() - 1;
    for (std::uint32_t i = 0; i < bounds.servers; ++i) all.servers[i] = packing.most() - 1;
    states.push_back(all);
    return states;
}

template <std::size_t kWords>
void expect_no_loss(const Packing& packing, const Bounds& bounds) {
    std::vector<PackedState<kWords>> seen{StateSet<kWords>::kEmpty};
    for (const State& state : with_great_numbers(packing, bounds)) {
        const PackedState<kWords> row = packing.packed<kWords>(state);
        EXPECT_EQ(packing.unpacked(row), state);
        EXPECT_EQ(std::ranges::count(seen, row), 0);
        seen.push_back(row);
    }
}

TEST(Packing, loses_nothing_and_is_never_the_empty_place) {
    for (std::uint32_t clients = 1; clients <= Bounds::kMostClients; ++clients) {
        for (std::uint32_t servers = 1; servers <= Bounds::kMostServers; ++servers) {
            const Bounds bounds = row_of(clients, servers);
            const Packing packing(bounds);
            SCOPED_TRACE(std::to_string(clients) + " clients, " + std::to_string(servers));
            packing.words() == 2 ? expect_no_loss<2>(packing, bounds)
                                 : expect_no_loss<4>(packing, bounds);
        }
    }
}

TEST(Packing, is_of_two_words_where_one_server_is_and_has_room) {
    for (std::uint32_t clients = 1; clients <= Bounds::kMostClients; ++clients) {
        const Packing packing(row_of(clients, 1));
        EXPECT_EQ(packing.words(), 2U);
        EXPECT_GE(packing.most(), 4'000'000U);
        EXPECT_GE(packing.most_environments(), 250'000U);
    }
    EXPECT_EQ(Packing(row_of(2, 3)).words(), 2U);
    EXPECT_EQ(Packing(row_of(3, 3)).words(), 4U);
    EXPECT_EQ(kWide.words(), 4U);
    EXPECT_EQ(kWide.most(), (1U << 24) - 1);
}

TEST(Packing, has_room_for_the_replica) {
    Bounds bounds = row_of(4, 1);
    bounds.faults[Hazard::failover] = 1;
    const Packing packing(bounds);
    State state;
    state.servers = {1, 7};
    EXPECT_EQ(packing.words(), 4U);
    EXPECT_EQ(packing.unpacked(packing.packed<4>(state)), state);
}

TEST(StateSet, keeps_every_state_once_however_many_there_are) {
    constexpr std::uint32_t kStates = 30'000;
    StateSet<2> states;
    std::map<StateId, std::uint32_t> ids;
    for (const bool again : {false, true}) {
        for (std::uint32_t i = 0; i < kStates; ++i) {
            const PackedState<2> state = numbered(i);
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
    // In two sets: what grows looks at hashes.
    std::array<StateSet<4>, 2> sets;
    for (std::uint32_t bit = 0; bit < 24; ++bit) {
        StateSet<4>& states = sets[bit % 2];
        const auto expect_new = [&](const State& state) {
            EXPECT_NE(states.insert({kWide.packed<4>(state), kNoState, {}}, kSame), kNoState);
            EXPECT_EQ(states.insert({kWide.packed<4>(state), kNoState, {}}, kSame), kNoState);
        };
        State state;
        state.environment = 1U << bit;
        expect_new(state);
        for (std::size_t i = 0; i < Bounds::kMostClients; ++i) {
            state = State();
            state.clients[i] = 1U << bit;
            expect_new(state);
        }
        for (std::size_t i = 0; i < Bounds::kMostServers; ++i) {
            state = State();
            state.servers[i] = 1U << bit;
            expect_new(state);
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

// Servers for symmetry: each names a client, or nobody.

constexpr std::uint32_t kNobody = 7;
constexpr ServerNumbers kNone{kNobody, kNobody, kNobody, kNobody, kNobody};

std::optional<ServerNumbers> rename(ServerNumbers servers, const Permutation& from) {
    for (std::uint32_t& named : servers) {
        if (named == kNobody) continue;
        named = static_cast<std::uint32_t>(std::ranges::find(from, named) - from.begin());
    }
    return servers;
}

State renumbered(const State& state, const Permutation& from) {
    State other = state;
    for (std::size_t i = 0; i < from.size(); ++i) other.clients[i] = state.clients[from[i]];
    other.servers = *rename(state.servers, from);
    return other;
}

Permutation reduced(State& state, std::uint32_t clients) {
    const auto from = reduce(
        state, clients, [&] { return state.servers != kNone; }, rename);
    EXPECT_TRUE(from.has_value());
    return from.value_or(kIdentity);
}

/// Calls see(state) for every state of so many clients that are each in one of three states.
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
                state.servers = kNone;
                state.servers[0] = first;
                state.servers[4] = second;
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

TEST(SymmetryOfTheUnknown, is_not_known_where_the_servers_new_number_is_not) {
    State state;
    state.clients = {2, 1};
    state.servers = kNone;
    state.servers[0] = 0;
    const auto nothing = [](const ServerNumbers&, const Permutation&) {
        return std::optional<ServerNumbers>();
    };
    EXPECT_FALSE(reduce(
                     state, 2, [] { return true; }, nothing)
                     .has_value());
}

}  // namespace
}  // namespace locklab::search_tables_test
