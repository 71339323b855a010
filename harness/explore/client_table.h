// Every state that a client can be in, what it can do there, and where each step leads: learnt
// once, then looked up.
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

/// The times of a search, in milliseconds.
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
    /// Of a take: the job that begins is the slow one. Of a send, or an arrival: the server hangs,
    /// and the request waits there.
    bool slow = false;
    /// Number of the reply that comes; or the time that passes. Of an expiry, a crash or a leave:
    /// which of the left connections the present one becomes, if it has a transaction open.
    std::uint16_t value = 0;
};

/// What can be said of a state without looking further. In a mask with a bit per task, bit n is
/// task n.
struct alignas(32) ClientRow {
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

    /// Successor after each task's fault-free step (take, wake, expire), and after time passes
    /// until `next_due`.
    std::array<std::uint32_t, kTasks> after{kUnknown, kUnknown};
    std::uint32_t after_due = kUnknown;
    std::uint16_t next_due = 0;                   ///< ms until the first of its times; 0: none
    std::array<std::uint16_t, kTasks> command{};  ///< the command that each task sends
    /// The fault-free step of each task, at the first server or for its whole wait; pass: none.
    std::array<Step::Kind, kTasks> offer{Step::Kind::pass, Step::Kind::pass};
    std::uint8_t must_act = 0;  ///< tasks that must act before time can pass
    std::uint8_t early = 0;  ///< tasks whose timer may fire, or late reply come, before it is due
    std::uint8_t to_oracle = 0;  ///< tasks that send to perfect_lock's oracle
    bool has_late : 1 = false;   ///< there are late requests
    bool late_is_due : 1 = false;
    bool inside : 1 = false;
    bool done : 1 = false;
    bool rests : 1 = false;  ///< between two tries, or done, with nothing on its way
    bool begun : 1 = false;
    bool paused : 1 = false;
    bool stalled : 1 = false;
    bool can_stall : 1 = false;
    bool begins_job : 1 = false;  ///< in the step that led here
    bool has_oracle : 1 = false;
    /// It has seen another client's token, so it does not treat all other clients alike.
    bool names_others : 1 = false;
    bool leaves : 1 = false;     ///< its job is done, and it may go for good
    bool tries : 1 = false;      ///< the command that it sends begins a try
    bool refused : 1 = false;    ///< in the step that led here
    bool can_learn : 1 = false;  ///< that another server is master now
    bool cut : 1 = false;        ///< from a server
    /// The phase of each task.
    std::array<Phase, kTasks> phase{};

    bool is_early(std::uint32_t slot) const { return (early >> slot & 1U) != 0; }
    bool is_to_oracle(std::uint32_t slot) const { return (to_oracle >> slot & 1U) != 0; }
};
static_assert(sizeof(ClientRow) == 32);

class ClientTable {
public:
    ClientTable(ClientModel& clients, const Bounds& bounds);

    /// State kDone is that of a client that is done; first() is that of a client that has not
    /// begun, with its clock off by `clock` ms.
    static constexpr std::uint32_t kDone = 0;
    std::uint32_t first(std::uint32_t client, std::int16_t clock);

    const ClientRow& at(std::uint32_t state) const { return rows_[state]; }
    /// Number of slots in use: one per task and server.
    std::uint32_t slots() const { return slots_; }
    /// The fault-free step that a slot can make; pass: none.
    Step::Kind offer(std::uint32_t state, std::uint32_t slot) const {
        return slot < kTasks ? rows_[state].offer[slot] : elsewhere_[state][slot - kTasks];
    }
    const ClientState& state(std::uint32_t state) const { return states_[state]; }
    /// The state after the change. `now`: ms since the run began.
    std::uint32_t next(std::uint32_t state, const Change& change, std::uint32_t now) {
        const std::optional<std::uint32_t> after = known(state, change, now);
        return after ? *after : learn(state, change, now);
    }
    /// The same, or nothing if not known. Safe from several threads while none runs next().
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

    // Of a lock that asks all servers alike. A client has something under way at each of them.
    /// Its number: equal numbers are the same at any server, for any client.
    std::uint32_t at_server(std::uint32_t state, std::uint32_t server) const {
        return like_[state].at_server[server];
    }
    /// The state that is kept of all that differ only by a renaming of servers.
    std::uint32_t least(std::uint32_t state) const { return like_[state].least; }
    /// The state once servers are renamed.
    std::uint32_t renamed(std::uint32_t state, const ServerOrder& from);
    std::optional<std::uint32_t> known_renamed(std::uint32_t state, const ServerOrder& from) const;

private:
    struct Changed {
        ClientState state;
        bool reads_clock = false;
    };
    struct Hash {
        std::size_t operator()(const ClientState& state) const;
        std::size_t operator()(const AtServer& its) const;
    };
    /// What its renamings have in common.
    struct Like {
        std::array<std::uint32_t, Bounds::kMostServers> at_server{};
        std::uint32_t least = 0;
    };

    /// The field of a row that keeps the state after the change; null: there is none.
    template <class Row>
    static auto place_in(Row& row, const Change& change) -> decltype(&row.after_due) {
        switch (change.kind) {
            case Step::Kind::take:
            case Step::Kind::wake:
            case Step::Kind::expire:
                if (change.slow || change.slot >= kTasks || change.value != 0) return nullptr;
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
    /// What slots offer at servers other than the first.
    using Elsewhere = std::array<Step::Kind, kSlots - kTasks>;

    std::uint32_t number_of(const ClientState& state);
    void add_like(std::uint32_t number);
    static std::uint64_t renamed_key(std::uint32_t state, const ServerOrder& from) {
        return std::uint64_t{state} << 15 | code_of(from);
    }
    bool runs_stopwatch(std::uint32_t node) const {
        return clients_.has_stopwatch() && !clients_.at(node).begins_anew;
    }
    ClientRow row_of(const ClientState& state) const;
    Elsewhere offers_elsewhere(const ClientState& state) const;
    bool can_act(const ClientState& state, std::uint32_t task) const;
    /// Whether a task's wait asks, or will ask, the slot's server.
    bool asks(const ClientState& state, std::uint32_t slot) const;
    /// The fault-free step that a wait offers at one server; pass: none.
    Step::Kind offer_at(const ClientState& state, std::uint32_t slot) const;
    /// The step that ends the whole wait; pass: none.
    Step::Kind end_of(const ClientState& state, std::uint32_t task) const;
    /// The number of the reply that a task gets at the end of its wait; nothing if it is not known.
    std::optional<std::uint16_t> reply_of(const ClientState& state, std::uint32_t task,
                                          ClientModel* teacher) const;
    /// Nothing if the observation leads to an unknown state and `teacher` is null.
    std::optional<Changed> changed(const ClientState& state, const Change& change,
                                   std::uint32_t now, ClientModel* teacher) const;
    ClientState with_left(const ClientState& state, const Change& change) const;
    std::optional<Changed> observed(const ClientState& state, const Observed& what,
                                    ClientModel* teacher) const;

    ClientModel& clients_;
    const Times times_;
    const bool has_replica_;
    const std::uint32_t slots_;
    const std::uint32_t most_;
    std::vector<ClientRow> rows_;
    std::vector<Elsewhere> elsewhere_;  ///< empty if there is one server
    Interned<ClientState, Hash> states_;
    std::vector<Like> like_;  ///< empty if servers are told apart
    Interned<AtServer, Hash> at_servers_;
    NumberTable renamed_;
    /// By state and change, for changes without a field in the row. Not for steps that read a
    /// clock: the reading is in neither.
    NumberTable next_;
};

}  // namespace locklab
