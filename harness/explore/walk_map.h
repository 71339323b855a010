// Where random schedules have come through: what was found out there is looked up the next time.
// Nothing that a schedule does depends on what is in it.
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

/// Which steps of a place are looked at; each has those before it too.
enum class Offered : std::uint8_t {
    exact,  ///< the calm ones, where whatever lasts so long at most lasts so long
    early,  ///< the calm ones
    all,    ///< the faults too
};

class WalkMap {
public:
    static constexpr std::size_t kMostBranches = std::size_t{1} << 24;
    explicit WalkMap(Rules& rules, std::size_t most_branches = kMostBranches)
        : rules_(rules), most_branches_(most_branches) {}

    /// Hazards by number; that the server takes down its data is one more.
    static std::size_t strike_number(const Step& fault);
    static std::size_t strike_number(Hazard hazard) { return static_cast<std::size_t>(hazard); }
    static constexpr std::size_t kSave = kHazards.size();

    /// A step in four bytes, and where it leads. There are millions: most of the time goes into
    /// fetching them.
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

        std::uint32_t to = kUnknown;  ///< another place, once it is known

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
    /// Where branch number `index` of a place leads.
    std::uint32_t after(std::uint32_t place, std::size_t index) {
        const std::uint32_t known = branches_[places_[place].first + index].to;
        return known != Branch::kUnknown ? known : learn(place, index);
    }
    bool can_strike(std::uint32_t place, std::size_t strike_number) const {
        return (places_[place].strikes >> strike_number & 1U) != 0;
    }
    bool is_violated(std::uint32_t place) const { return places_[place].violated; }
    /// What was exercised since it was last taken, where it had not been remembered.
    Coverage take_coverage() { return std::exchange(coverage_, Coverage()); }

    /// Before a schedule begins: forgets everything where it has become too much.
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
    /// A state, with one number for all its servers: of one server it is the server's own.
    struct Key {
        std::uint32_t environment = 0;
        std::array<std::uint32_t, Bounds::kMostClients> clients{};
        std::uint32_t servers = 0;

        bool operator==(const Key&) const = default;
    };
    /// Of servers, an even number of them for the hash.
    using ServerRow = std::array<std::uint32_t, (Bounds::kMostServers + 1) / 2 * 2>;
    /// All that a step needs, in one line of the cache: most of the time goes into fetching it.
    struct Place {
        std::uint32_t first = 0;                ///< of its branches
        std::uint32_t strikes = 0;              ///< a bit for each that can
        std::array<std::uint16_t, 3> counts{};  ///< by what is offered
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
    Interned<ServerRow, Hash<ServerRow>> servers_;  ///< where there are several
    std::vector<Place> places_;
    std::vector<Branch> branches_;
    std::vector<Step> exact_;
    std::vector<Step> all_;
    Coverage coverage_;
};

}  // namespace locklab
