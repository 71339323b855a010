// Every state that a client can be in, with what it can do there and what each step makes of it:
// learnt once, from then on a look-up.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/explore/client_state.h"
#include "harness/explore/interned.h"
#include "harness/explore/number_table.h"
#include "harness/explore/step.h"

namespace locklab {

/// A search's times, in milliseconds.
struct Times {
    explicit Times(const Bounds& bounds);

    std::uint16_t timeout;
    std::uint16_t latency;  ///< of a message that no fault strikes
    std::uint16_t pause;
    std::uint16_t delay;
    std::uint16_t reply_delay;  ///< less than the time-out
    std::uint16_t clock;
    std::uint16_t outage;
};

/// What a step does to one client.
struct Change {
    Step::Kind kind = Step::Kind::pass;
    std::uint8_t slot = 0;
    bool slow = false;
    std::uint16_t value = 0;  ///< the number of a reply that comes; or the time that passes
};

/// What can be said of a state without looking further. What is true of a task is a bit of that
/// task's number.
struct alignas(32) ClientRow {
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

    /// Where the calm step of each task leads, if it takes, wakes or expires, and where time leads
    /// that passes until `next_due`.
    std::array<std::uint32_t, kTasks> after{kUnknown, kUnknown};
    std::uint32_t after_due = kUnknown;
    std::uint16_t next_due = 0;                   ///< the first of its times that is ahead; 0: none
    std::array<std::uint16_t, kTasks> command{};  ///< that it sends
    /// The calm step that each task can make, at the first server or with its whole wait; pass:
    /// none.
    std::array<Step::Kind, kTasks> offer{Step::Kind::pass, Step::Kind::pass};
    std::uint8_t must_act = 0;   ///< it has something to do before time can pass
    std::uint8_t early = 0;      ///< its timer may fire, or its late reply come, and is not due
    std::uint8_t to_oracle = 0;  ///< what it sends is for perfect_lock's oracle
    bool has_late : 1 = false;   ///< there are late requests
    bool late_is_due : 1 = false;
    bool inside : 1 = false;
    bool done : 1 = false;
    bool rests : 1 = false;  ///< between two tries or done, with nothing on its way
    bool begun : 1 = false;
    bool paused : 1 = false;
    bool stalled : 1 = false;
    bool can_stall : 1 = false;
    bool begins_job : 1 = false;  ///< with the step that led here
    bool has_oracle : 1 = false;
    /// It has seen another client's token, so that the other clients are not all the same to it.
    bool names_others : 1 = false;
    bool leaves : 1 = false;     ///< its job is done, and it could go for good
    bool tries : 1 = false;      ///< what it sends begins a try
    bool refused : 1 = false;    ///< with the step that led here
    bool can_learn : 1 = false;  ///< who is master now, if that is another
    /// Of each task: where in its round it is.
    std::array<Phase, kTasks> phase{};

    bool is_early(std::uint32_t slot) const { return (early >> slot & 1U) != 0; }
    bool is_to_oracle(std::uint32_t slot) const { return (to_oracle >> slot & 1U) != 0; }
};
static_assert(sizeof(ClientRow) == 32);

class ClientTable {
public:
    ClientTable(ClientModel& clients, const Bounds& bounds);

    /// The state of who is done, and that of who has not begun and whose clock is off by so much.
    static constexpr std::uint32_t kDone = 0;
    std::uint32_t first(std::uint32_t client, std::int16_t clock);

    const ClientRow& at(std::uint32_t state) const { return rows_[state]; }
    /// So many slots count: a task's at each server.
    std::uint32_t slots() const { return slots_; }
    /// The calm step that a slot can make; pass: none.
    Step::Kind offer(std::uint32_t state, std::uint32_t slot) const {
        return slot < kTasks ? rows_[state].offer[slot] : elsewhere_[state][slot - kTasks];
    }
    const ClientState& state(std::uint32_t state) const { return states_[state]; }
    /// What the change makes of a state, `now` being the time since the run began.
    std::uint32_t next(std::uint32_t state, const Change& change, std::uint32_t now) {
        const std::optional<std::uint32_t> after = known(state, change, now);
        return after ? *after : learn(state, change, now);
    }
    /// The same, or nothing if it is not known. Safe from several threads while none runs next().
    std::optional<std::uint32_t> known(std::uint32_t state, const Change& change,
                                       std::uint32_t now) const {
        if (const std::uint32_t* place = place_in(rows_[state], change)) {
            if (*place != ClientRow::kUnknown) return *place;
        } else if (const auto after = next_.find(key_of(state, change))) {
            return after;
        }
        return clients_.reads_clock() ? known_by_clock(state, change, now) : std::nullopt;
    }

    std::size_t size() const { return rows_.size(); }

private:
    struct Changed {
        ClientState state;
        bool reads_clock = false;
    };
    struct Hash {
        std::size_t operator()(const ClientState& state) const;
    };

    /// Where a row keeps what the change makes of its state; null: nowhere.
    template <class Row>
    static auto place_in(Row& row, const Change& change) -> decltype(&row.after_due) {
        switch (change.kind) {
            case Step::Kind::take:
            case Step::Kind::wake:
            case Step::Kind::expire:
                if (change.slow || change.slot >= kTasks) return nullptr;
                return &row.after[change.slot];
            case Step::Kind::pass: return change.value == row.next_due ? &row.after_due : nullptr;
            default: return nullptr;
        }
    }
    std::uint32_t learn(std::uint32_t state, const Change& change, std::uint32_t now);
    static std::uint64_t key_of(std::uint32_t state, const Change& change) {
        static_assert(kSlots <= 16);
        return std::uint64_t{state} << 32 | static_cast<std::uint64_t>(change.kind) << 21 |
               std::uint64_t{change.slot} << 17 | std::uint64_t{change.slow} << 16 | change.value;
    }
    std::optional<std::uint32_t> known_by_clock(std::uint32_t state, const Change& change,
                                                std::uint32_t now) const;
    /// What slots offer at other servers than the first.
    using Elsewhere = std::array<Step::Kind, kSlots - kTasks>;

    std::uint32_t number_of(const ClientState& state);
    ClientRow row_of(const ClientState& state) const;
    Elsewhere offers_elsewhere(const ClientState& state) const;
    bool can_act(const ClientState& state, std::uint32_t task) const;
    /// Whether a task's wait asks, or will ask, the slot's server.
    bool asks(const ClientState& state, std::uint32_t slot) const;
    /// The calm step that a wait offers at one server; pass: none.
    Step::Kind offer_at(const ClientState& state, std::uint32_t slot) const;
    /// The step that ends the whole wait; pass: none.
    Step::Kind end_of(const ClientState& state, std::uint32_t task) const;
    /// The number of what the task is told at its end; nothing if it is not known.
    std::optional<std::uint16_t> reply_of(const ClientState& state, std::uint32_t task,
                                          ClientModel* teacher) const;
    /// Nothing if it is not known where an observation leads and nobody is to learn it.
    std::optional<Changed> changed(const ClientState& state, const Change& change,
                                   std::uint32_t now, ClientModel* teacher) const;
    std::optional<Changed> observed(const ClientState& state, const Observed& what,
                                    ClientModel* teacher) const;

    ClientModel& clients_;
    const Times times_;
    const bool has_replica_;
    const std::uint32_t slots_;
    const std::uint32_t most_;
    std::vector<ClientRow> rows_;
    std::vector<Elsewhere> elsewhere_;  ///< empty where there is one server
    Interned<ClientState, Hash> states_;
    /// Of state and change, for what has no place in the row. Where a clock was read, what it
    /// showed matters too: that is in neither.
    NumberTable next_;
};

}  // namespace locklab
