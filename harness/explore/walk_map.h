// A map of the places that random schedules have visited: what was learnt there is looked up the
// next time. Its contents affect only the speed, never a schedule.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/explore/interned.h"
#include "harness/explore/rules.h"

namespace locklab {

/// Which steps of a place are considered; each value includes the steps of those before it.
enum class Offered : std::uint8_t {
    exact,  ///< fault-free steps, where everything lasts its full length
    early,  ///< all fault-free steps
    all,    ///< faults too
};

class WalkMap {
public:
    static constexpr std::size_t kMostBranches = std::size_t{1} << 24;
    explicit WalkMap(Rules& rules, std::size_t most_branches = kMostBranches)
        : rules_(rules), most_branches_(most_branches) {}

    /// The number of a hazard; saving a snapshot has one more number.
    static std::size_t strike_number(const Step& fault);
    static std::size_t strike_number(Hazard hazard) { return static_cast<std::size_t>(hazard); }
    static constexpr std::size_t kSave = kHazards.size();

    /// A step in four bytes, and where it leads. There are millions: most of the time is spent on
    /// fetching them from memory.
    class Branch {
    public:
        static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

        explicit Branch(const Step& step)
            : kind_(step.kind),
              client_(static_cast<std::uint8_t>(step.client & kLastClient)),
              slot_(static_cast<std::uint8_t>(step.slot & kLastSlot)),
              slow_(step.slow),
              ms_(step.ms) {}
        Step step() const { return {kind_, client_, slot_, slow_, ms_}; }

        std::uint32_t to = kUnknown;  ///< the place that it leads to, if known

    private:
        static constexpr std::uint8_t kLastClient = 7;
        static constexpr std::uint8_t kLastSlot = 15;
        static_assert(Bounds::kMostClients <= kLastClient + 1 && kSlots <= kLastSlot + 1);

        Step::Kind kind_;
        std::uint8_t client_ : 3;
        std::uint8_t slot_ : 4;
        bool slow_ : 1;
        std::uint16_t ms_;
    };
    static_assert(sizeof(Branch) == 8);

    std::uint32_t place_of(const State& state);
    std::span<const Branch> branches(std::uint32_t place, Offered offered) const {
        const Place& at = places_[place];
        return {branches_.data() + at.first, at.counts[static_cast<std::size_t>(offered)]};
    }
    /// The place that branch number `index` leads to.
    std::uint32_t after(std::uint32_t place, std::size_t index) {
        const std::uint32_t known = branches_[places_[place].first + index].to;
        return known != Branch::kUnknown ? known : learn(place, index);
    }
    bool can_strike(std::uint32_t place, std::size_t strike_number) const {
        return (places_[place].strikes >> strike_number & 1U) != 0;
    }
    bool is_violated(std::uint32_t place) const { return places_[place].violated; }
    /// What was exercised since the last call, except by steps that were looked up.
    Coverage take_coverage() { return std::exchange(coverage_, Coverage()); }

    /// Call before a schedule begins: forgets everything if the map is too large.
    void tidy_up();
    void forget();

private:
    template <class Row>
    struct Hash {
        std::size_t operator()(const Row& row) const {
            using Words = std::array<std::uint64_t, sizeof(Row) / sizeof(std::uint64_t)>;
            return PackedState<std::tuple_size_v<Words>>{std::bit_cast<Words>(row)}.hash();
        }
    };
    /// A state, with one number for all servers; with one server, the server's own number.
    struct Key {
        std::uint32_t environment = 0;
        std::array<std::uint32_t, Bounds::kMostClients> clients{};
        std::uint32_t servers = 0;

        bool operator==(const Key&) const = default;
    };
    /// Server numbers, padded to an even count for the hash.
    using ServerRow = std::array<std::uint32_t, (Bounds::kMostServers + 1) / 2 * 2>;
    /// All that a step needs, in one cache line: most of the time is spent on fetching it.
    struct Place {
        std::uint32_t first = 0;                ///< its first branch
        std::uint32_t strikes = 0;              ///< a bit for each fault that can strike
        std::array<std::uint16_t, 3> counts{};  ///< of branches, by Offered
        bool violated = false;
    };
    static_assert(kMostHazards < 32 && sizeof(Place) == 16);

    std::uint16_t count_since(std::uint32_t first) const {
        return static_cast<std::uint16_t>(branches_.size() - first);
    }
    std::uint32_t learn(std::uint32_t place, std::size_t index);
    Key key_of(const State& state);
    State state_of(std::uint32_t place) const;

    Rules& rules_;
    const std::size_t most_branches_;
    Interned<Key, Hash<Key>> states_;
    Interned<ServerRow, Hash<ServerRow>> servers_;  ///< used with several servers
    std::vector<Place> places_;
    std::vector<Branch> branches_;
    std::vector<Step> exact_;
    std::vector<Step> all_;
    Coverage coverage_;
};

}  // namespace locklab
