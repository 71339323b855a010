#include "harness/inclusion/executions.h"

#include <tuple>
#include <utility>

#include "harness/store/redis/redis_store.h"

namespace locklab {

namespace {

class Collector {
public:
    Collector(const History& history, Duration noted_late)
        : exact_(history.world == "sim"), noted_late_(noted_late) {
        for (std::size_t i = 0; i < history.events.size(); ++i) see(history.events[i], i);
        for (const auto& [call, sending] : sendings_) {
            for (Sending left = sending; left.untold > 0; --left.untold) add_untold(left);
        }
    }

    Executions take() { return std::move(found_); }

private:
    struct Sending {
        Execution execution;
        Route route;
        std::uint32_t untold = 1;  ///< attempts whose result is unknown
        bool retried = false;
    };

    /// Over which of its connections the client sends now.
    Route& route_of(const Event& event, NodeId node) {
        const bool is_background = event.phase == Phase::background;
        Route& route = routes_[{event.client, is_background, node}];
        route = {event.client, is_background ? Channel::background : Channel::worker, node,
                 route.connection};
        return route;
    }

    void see(const Event& event, std::size_t place) {
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            if (sent->node == kOracle) return;
            found_.servers[sent->node];
            check_text(sent->command);
            const Route route = route_of(event, sent->node);
            sendings_[sent->call] = {{&sent->command, nullptr, nullptr, event.at, Instant::max(),
                                      place, session_of(route)},
                                     route};
        } else if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
            if (ran->node == kOracle) return;
            check_text(ran->command);
            // It ran, but its reply is unknown: treat it as a command without an answer.
            if (ran->reply.is_unknown()) return;
            const Instant since = exact_ ? event.at : ran->sent;
            const auto sending = sendings_.find(ran->call);
            const bool is_known = sending != sendings_.end();
            const SessionId from = is_known ? session_of(attempt_of(sending->second))
                                            : session_of(route_of(event, ran->node));
            found_.servers[ran->node].must.push_back(
                {&ran->command, &ran->reply, nullptr, since, event.at, place, from});
            if (is_known && sending->second.untold > 0) --sending->second.untold;
        } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
            // The client gives up, and opens another connection.
            const auto sending = sendings_.find(replied->call);
            if (sending == sendings_.end() || !replied->reply.is_unknown()) return;
            ++route_of(event, sending->second.route.node).connection;
        } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
            strike(*fault, event.at, place);
        }
    }

    /// A client library sends its second attempt over another connection.
    static Route attempt_of(const Sending& sending) {
        Route route = sending.route;
        if (sending.retried && sending.untold == 1) ++route.connection;
        return route;
    }

    void check_text(const Command& command) {
        if (command.script() == nullptr || !command.script()->lua.empty()) return;
        found_.not_followed =
            "the history does not tell what " + std::string(command.script()->name) + " does";
    }

    void strike(const event::Fault& fault, Instant at, std::size_t place) {
        const auto sending = sendings_.find(fault.call);
        const bool is_known = sending != sendings_.end();
        if (const auto what = server_fault(fault.hazard)) {
            return strike_server(*what, fault, at, place);
        }
        if (!is_known) return;
        const bool never_runs =
            fault.hazard == Hazard::lose_request || (is_told_at_once(fault.hazard) && !fault.ran);
        if (never_runs) sending->second.untold = 0;
        if (fault.hazard == Hazard::retry) {
            sending->second.untold = 2;
            sending->second.retried = true;
            const Route& route = sending->second.route;
            ++routes_[{route.client, route.channel == Channel::background, route.node}].connection;
        }
    }

    void strike_server(ServerFault what, const event::Fault& fault, Instant at, std::size_t place) {
        ServerLog& server = found_.servers[fault.node];
        switch (what) {
            case ServerFault::restart: server.losses.push_back({at, place}); return;
            case ServerFault::fail_over: server.took_over = at; return;
            case ServerFault::evict:
            case ServerFault::flush:
            case ServerFault::jump_clock:
                server.must.push_back({nullptr, nullptr, &fault, at - noted_late_, at, place});
                return;
            case ServerFault::restart_with_old_data:
                found_.not_followed = "what a server had a while ago is not followed";
                return;
            // A hung server only executes and answers later.
            case ServerFault::hang: return;
        }
    }

    /// A client library sends its second attempt to the server that it then takes for the master.
    void add_untold(const Sending& sending) {
        for (auto& [node, server] : found_.servers) {
            const bool may_be = node == sending.route.node || (sending.retried && server.took_over);
            if (!may_be) continue;
            server.may.push_back(sending.execution);
            server.may.back().from = session_of(attempt_of(sending));
        }
    }

    const bool exact_;
    const Duration noted_late_;
    Executions found_;
    std::map<std::uint64_t, Sending> sendings_;  ///< by call
    std::map<std::tuple<ClientId, bool, NodeId>, Route> routes_;
};

}  // namespace

Executions executions_of(const History& history, Duration noted_late) {
    return Collector(history, noted_late).take();
}

}  // namespace locklab
