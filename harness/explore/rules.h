// The steps that a state of the search offers, and where each leads: the rules of the stage, for
// every client at once. All that is pending is due in any order; time passes only when nothing can
// be done now; faults are offered at every state, while their budget lasts.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/explore/server_model.h"
#include "harness/explore/state.h"

namespace locklab {

struct Step {
    enum class Kind : std::uint8_t {
        send,          ///< a command is sent and executed
        lose_request,  ///< it is sent, and lost
        lose_reply,    ///< it is executed, its reply is lost
        delay,         ///< it is sent, and will arrive late
        retry,         ///< it is executed, its reply is lost, and it will be sent again
        take,          ///< a reply is taken
        wake,          ///< a timer fires
        expire,        ///< the client gives up on a reply
        arrive,        ///< a late request is executed
        pass,          ///< time passes
        crash,
        pause,
        stall,
        clock_ahead,
        clock_back,
        server_ahead,
        server_back,
        restart,
        evict,
    };
    Kind kind = Kind::pass;
    std::uint8_t client = 0;
    std::uint8_t slot = 0;  ///< of the task
    bool slow = false;      ///< with `take`: the job that begins is the slow one
    std::uint16_t ms = 0;   ///< of `pass`
};
static_assert(sizeof(Step) == 6);

struct Successor {
    State state;
    Step step;
};

/// A search's times, in milliseconds.
struct Times {
    explicit Times(const Bounds& bounds);

    std::uint16_t timeout;
    std::uint16_t pause;
    std::uint16_t delay;
    std::uint16_t clock;
};

class Rules {
public:
    Rules(const Algorithm& algorithm, const Bounds& bounds);

    /// Where runs begin: one, or several where clocks may be off from the start.
    std::vector<Successor> initial() const;
    /// Every step, the calm ones first; `out` is cleared. What is not known of clients and server
    /// is learnt.
    void expand(const State& state, std::vector<Successor>& out);
    /// The same, where everything is known; else false, and `out` means nothing. Safe from several
    /// threads while nobody learns.
    bool expand_known(const State& state, std::vector<Successor>& out) const;
    /// Whether two clients are inside.
    bool is_violated(const State& state) const;
    /// Nobody is anywhere between a try and the end of its release, and nothing is on its way: who
    /// comes now should get the lock.
    bool is_at_rest(const State& state) const;

    const ClientModel& clients() const { return clients_; }
    ServerModel& server() { return server_; }
    const Bounds& bounds() const { return bounds_; }
    std::size_t bytes() const { return bytes_of(bounds_.clients); }
    /// Whether states must tell the time: a lock looks at its clock. If this changes while a
    /// search goes on, the search must begin anew.
    bool tells_time() const { return clients_.reads_clock(); }

private:
    friend class Expansion;

    const Bounds bounds_;
    const Times times_;
    ClientModel clients_;
    ServerModel server_;
};

}  // namespace locklab
