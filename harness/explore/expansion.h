// One state, expanded: every step that it offers, and where each leads.
#pragma once

#include <vector>

#include "harness/explore/rules.h"

namespace locklab {

class Expansion {
public:
    /// `teacher`: learns what is not known of clients and server; null: nobody does.
    Expansion(const Rules& rules, Rules* teacher);

    /// False if something was not known.
    bool run(const State& state, std::vector<Successor>& out);

private:
    /// Whether somebody must act before time can pass.
    bool offer_calm(const State& state, std::vector<Successor>& out);
    void offer_strays(const State& state, std::vector<Successor>& out);
    void offer_task(const State& state, std::uint8_t client, std::uint8_t slot,
                    std::vector<Successor>& out);
    void offer_send(const State& state, std::uint8_t client, std::uint8_t slot,
                    std::vector<Successor>& out);
    void offer_passing(const State& state, std::vector<Successor>& out) const;
    void offer_client_faults(const State& state, std::vector<Successor>& out) const;
    void offer_server_faults(const State& state, std::vector<Successor>& out) const;

    /// The command runs; the number of its reply.
    std::uint16_t execute(State& state, std::uint8_t client, std::uint16_t command, bool oracle);
    void observe(State& state, std::uint8_t client, std::uint8_t slot, std::uint16_t reply,
                 bool slow);
    void enter(ClientPart& part, std::uint32_t node, std::uint32_t before) const;

    void forget_replies(ClientPart& part) const;

    const Rules& rules_;
    const ClientModel& clients_;
    const ServerModel& server_;
    const Times& times_;
    Rules* const teacher_;
    bool complete_ = true;
};

}  // namespace locklab
