// The steps that a state of the search offers, and where each leads: the rules of the stage, for
// every client at once. All that is pending is due in any order; time passes only when nothing can
// be done now; faults are offered at every state, while their budget lasts.
#pragma once

#include <cstdint>
#include <functional>
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

class Rules {
public:
    Rules(const Algorithm& algorithm, const Bounds& bounds);

    /// Where runs begin: one, or several where clocks may be off from the start.
    std::vector<Successor> initial();
    /// Every step, the calm ones first. `out` is cleared.
    void expand(const State& state, std::vector<Successor>& out);
    /// Whether two clients are inside.
    bool is_violated(const State& state) const;
    /// Nobody can do anything any more.
    bool is_over(const State& state) const;

    const ClientModel& clients() const { return clients_; }
    const ServerModel& server() const { return server_; }
    const Bounds& bounds() const { return bounds_; }
    std::size_t bytes() const { return bytes_of(bounds_.clients); }
    /// Whether states must tell the time: a lock looks at its clock. If this changes while a
    /// search goes on, the search must begin anew.
    bool tells_time() const { return clients_.reads_clock(); }

private:
    struct Context;

    /// Whether somebody must act before time can pass.
    bool offer_calm(const State& state, std::vector<Successor>& out);
    void offer_task(const State& state, std::uint8_t client, std::uint8_t slot,
                    std::vector<Successor>& out);
    void offer_send(const State& state, std::uint8_t client, std::uint8_t slot,
                    std::vector<Successor>& out);
    void offer_passing(const State& state, std::vector<Successor>& out) const;
    void offer_client_faults(const State& state, std::vector<Successor>& out);
    void offer_server_faults(const State& state, std::vector<Successor>& out);

    bool may(const State& state, Hazard hazard) const {
        return state.budget[static_cast<std::size_t>(hazard)] > 0;
    }
    static void spend(State& state, Hazard hazard) {
        --state.budget[static_cast<std::size_t>(hazard)];
    }
    /// The server runs the command; the reply, or nothing where the oracle... see arbiter.
    std::uint16_t execute(State& state, std::uint8_t client, std::uint16_t command, bool oracle);
    void observe(State& state, std::uint8_t client, std::uint8_t slot, std::uint16_t reply,
                 bool slow);
    void enter(ClientPart& part, std::uint32_t node, std::uint32_t before);
    Observed observed(const State& state, std::uint8_t client, std::uint8_t slot,
                      std::uint16_t reply) const;
    static bool can_act(const ClientPart& part, std::uint8_t slot) {
        return part.paused == 0 && (slot == 0 || part.stalled == 0);
    }

    const Bounds bounds_;
    ClientModel clients_;
    ServerModel server_;
};

}  // namespace locklab
