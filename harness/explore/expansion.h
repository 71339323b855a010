// Expands one state: every step that it offers, and where each leads.
#pragma once

#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "harness/explore/rules.h"
#include "harness/explore/step_table.h"
#include "harness/explore/symmetry.h"

namespace locklab {

class Expansion {
public:
    /// `teacher` learns what is not known of clients and servers; null: the expansion stays
    /// incomplete.
    Expansion(const Rules& rules, Rules* teacher);

    /// Each returns false, or nothing, if something was not known.
    bool run(const State& state, Successors& out);
    bool offer(const State& state, std::vector<Step>& steps);
    void offer_calm(const State& state, bool early, std::vector<Step>& steps) const;
    bool make(State& state, const Step& step);
    std::optional<Renaming> reduce(State& state);
    /// Adds what one step exercises.
    void cover_step(const State& state, const Step& step, Coverage& coverage) const;

private:
    const ClientRow& row(const State& state, std::uint32_t client) const {
        return client_table_.at(state.clients[client]);
    }
    const ClientState& client_state(const State& state, std::uint32_t client) const {
        return client_table_.state(state.clients[client]);
    }
    void offer_late(const State& state, bool early, std::vector<Step>& steps) const;
    void offer_passing(const State& state, std::vector<Step>& steps) const;
    void offer_leaves(const State& state, std::vector<Step>& steps) const;
    /// Whether a fault of that kind of step may still strike.
    bool may(const State& state, Step::Kind kind) const {
        return environments_.at(state.environment).budget.left(hazard_of(kind)) > 0;
    }
    void offer_slow_jobs(const State& state, std::vector<Step>& steps);
    void offer_message_faults(const State& state, std::vector<Step>& steps) const;
    void offer_client_faults(const State& state, std::vector<Step>& steps) const;
    void offer_server_faults(const State& state, std::vector<Step>& steps) const;

    /// Adds what the offered steps exercise.
    void cover(const State& state, Successors& out) const;
    void cover_fault(const State& state, const Step& step, Coverage& coverage) const;
    void cover_refused(const State& state, Coverage& coverage) const;
    void cover_keys(const State& state, Coverage& coverage) const;
    /// Whether the step begins a try at a lock that is nobody's, or its client's own.
    bool should_be_granted(const State& state, const Step& step) const;
    /// `state`: after a try has sent its first command. Follows that client alone to the end of its
    /// try, and notes it if it is a refusal.
    void follow_try(State state, const Step& first, bool was_own, Successors& out);
    void cover_passing(const State& state, const Step& step, Coverage& coverage) const;
    /// The servers that exist.
    auto servers(const State& state) const {
        return std::span(state.servers).first(rules_.nodes()) |
               std::views::transform([this](std::uint32_t number) -> const ServerState& {
                   return servers_.at(number);
               });
    }
    /// Whether the replica has taken over.
    bool has_new_master(const State& state) const {
        return rules_.nodes() > rules_.bounds().servers && !servers(state).back().follows();
    }
    /// Whether a key at any server has a time to live.
    bool has_ttl(const State& state) const;
    /// Whether the server of that slot hangs.
    bool hangs(const State& state, std::uint32_t slot) const {
        return may_hang_ && servers(state)[server_of(slot)].hung > 0;
    }
    /// Whether nothing gets through between the client and the server of that slot.
    bool is_cut(const State& state, std::uint32_t client, std::uint32_t slot) const {
        return row(state, client).cut && client_state(state, client).cut[server_of(slot)] > 0;
    }
    bool offer_queues(const State& state, std::vector<Step>& steps) const;
    void join_queue(State& state, std::uint32_t client, std::uint32_t server);
    Step::Kind offered(const State& state, std::uint32_t client, std::uint32_t slot) const {
        return client_table_.offer(state.clients[client], slot);
    }

    void send_command(State& state, const Step& step);
    void arrive_late(State& state, const Step& step);
    void strike(State& state, const Step& step);
    void let_pass(State& state, std::uint16_t ms);
    /// Lets `ms` pass by the server's clock; below zero: sets it back.
    void shift(ServerData& data, std::int32_t ms);
    void shift(ServerState& server, std::int32_t ms);
    void evict_key(ServerData& data, std::uint16_t key);
    /// The command runs at the server, or at the oracle.
    struct Answer {
        std::uint16_t reply = 0;
        bool takes = false;  ///< it made or overwrote the lock's key
    };
    Answer execute(State& state, std::uint8_t client, std::uint16_t command, std::uint32_t server,
                   std::uint32_t connection);
    Answer ask_oracle(const State& state, std::uint8_t client, std::uint16_t command) const;
    /// The client gives up, or is gone: it leaves its connections, those of the worker's slots.
    /// Gives Change::value.
    std::uint16_t leave_connections(State& state, const Step& step);
    void leave(State& state, std::uint32_t server, std::uint32_t client, std::uint32_t connection,
               std::uint32_t as);
    bool may_rename_clients(const State& state) const;
    bool servers_name_any(const State& state) const;
    std::optional<ServerNumbers> renamed(ServerNumbers servers, const Permutation& from);
    std::optional<Renaming> reduce_servers_too(State& state);
    ServerOrder order_of_servers(const State& state) const;
    /// These return false if a number is not known. `is_named`: whether servers name any client.
    bool rename_clients(State& state, const Permutation& from, bool is_named);
    bool rename_servers(State& state, const ServerOrder& from);
    void set(State& state, const Environment& environment);
    void set(State& state, const TokenOrder& tokens);
    void set(State& state, std::uint32_t server, const ServerState& after);
    void spend(State& state, Hazard hazard);
    void change(State& state, std::uint32_t client, const Change& change);

    const Rules& rules_;
    const ClientModel& clients_;
    const ClientTable& client_table_;
    const EnvironmentTable& environments_;
    const ServerTable& servers_;
    const ServerModel& server_;
    Rules::Learnt* const teacher_;
    const bool may_hang_ = rules_.bounds().faults.has(FaultSize::hang);
    std::size_t calm_ = 0;  ///< number of steps that are no faults; they come first
    bool complete_ = true;
};

}  // namespace locklab
