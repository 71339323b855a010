// What servers, links and faults do in a history that is being followed.

#include <algorithm>

#include "harness/inclusion/follower.h"

namespace locklab {

namespace {

/// A client that is late by less than this part of a TTL was held up by its machine.
constexpr int kScalePerLateness = 8;

}  // namespace

std::size_t Follower::find(MoveKind kind, std::uint64_t call) const {
    for (std::size_t i = pending_.size(); i-- > 0;) {
        const Pending& pending = pending_[i];
        if (pending.move.kind != kind || pending.oracle) continue;
        if (message_of(pending).call != call) continue;
        if (kind == MoveKind::arrive || cluster_.is_waited_for(pending.move)) return i;
    }
    return kNone;
}

bool Follower::was_down(NodeId node, Instant sent) const {
    return node.value < down_until_.size() && sent <= down_until_[node.value];
}

/// A server that is down, perhaps for longer than planned, refuses the request.
void Follower::refuse_arrival(std::size_t place) {
    const NodeId node = message_of(pending_[place]).route.node;
    const bool is_up = cluster_.value().nodes[node.value].down_until <= cluster_.value().now;
    if (is_up) cluster_.take_down(node, Duration(1));
    make(place);
    if (is_up) cluster_.bring_back(node);
}

/// Refuses one earlier request of the connection that met a server that was down. False if there is
/// none.
bool Follower::refuse_before(const Message& message) {
    for (std::size_t i = 0; i < pending_.size(); ++i) {
        if (pending_[i].move.kind != MoveKind::arrive || pending_[i].oracle) continue;
        const Message& before = message_of(pending_[i]);
        if (!(before.route == message.route) || !was_down(before.route.node, before.sent)) continue;
        refuse_arrival(i);
        return true;
    }
    return false;
}

std::size_t Follower::arrival_of(std::uint64_t call) {
    for (;;) {
        const std::size_t place = find(MoveKind::arrive, call);
        if (place != kNone) return place;
        const auto& messages = cluster_.value().messages;
        const auto waits = std::ranges::find_if(messages, [&](const Message& message) {
            return message.call == call && message.in_flight && message.in_line;
        });
        if (waits == messages.end() || !refuse_before(*waits)) return kNone;
    }
}

void Follower::run_execution(std::size_t place, const Reply& reply) {
    server_.will_answer(reply);
    make(place);
}

void Follower::executed(const Event& event, const event::Executed& ran) {
    const std::string what = name_of(event.client) + " " + deed_of(event);
    if (ran_.erase(ran.call) == 0) {
        const std::size_t place = arrival_of(ran.call);
        if (place == kNone) return refuse(what + ", and it is not on its way");
        const Message& message = message_of(pending_[place]);
        if (message.route.node != ran.node ||
            !same_command(message.command, ran.command, tolerance_)) {
            return refuse(what + ", and sent something else");
        }
        if (pending_[place].earliest > event.at) return refuse(what + ", and it is held up");
        const bool is_down = cluster_.value().nodes[ran.node.value].down_until > event.at;
        if (message.reset || is_down) return refuse(what + " by a server that is down");
        run_execution(place, ran.reply);
    }
    if (!refused_) advance();
}

/// What a fault answers with an error, or resets, never runs: no event tells of its arrival.
void Follower::let_fault_answer(std::uint64_t call) {
    const std::size_t place = find(MoveKind::arrive, call);
    if (place == kNone) return;
    const Message& message = message_of(pending_[place]);
    if (message.error || (message.cut && !message.runs_before_cut)) make(place);
}

void Follower::replied(const Event& event, const event::Replied& told) {
    let_fault_answer(told.call);
    if (told.reply.is_unknown()) {
        unanswered(event, told);
    } else {
        answered(event, told);
    }
}

void Follower::answered(const Event& event, const event::Replied& told) {
    const std::string what = name_of(event.client) + " " + deed_of(event);
    const std::size_t place = find(MoveKind::deliver, told.call);
    if (place == kNone) return refuse(what + ", and no reply is on its way to it");
    const Pending& pending = pending_[place];
    if (message_of(pending).reply != told.reply) {
        return refuse(what + ", and the server answered " + to_string(message_of(pending).reply));
    }
    if (possible_since(pending) > event.at) {
        return refuse(what + (pending.earliest > event.at ? ", and the reply is held up"
                                                          : ", and is paused"));
    }
    make(place);
}

void Follower::unanswered(const Event& event, const event::Replied& told) {
    const std::string name = name_of(event.client);
    std::size_t place = find(MoveKind::deliver, told.call);
    const bool is_refusal = place != kNone && message_of(pending_[place]).reply.is_unknown();
    if (!is_refusal) {
        place = find(MoveKind::expire, told.call);
        if (place == kNone) return refuse(name + " gives up on what it does not wait for");
        const bool is_over = pending_[place].earliest <= event.at;
        const std::size_t arrival = is_over ? kNone : arrival_of(told.call);
        const bool is_refused =
            arrival != kNone &&
            was_down(message_of(pending_[arrival]).route.node, message_of(pending_[arrival]).sent);
        if (is_refused) {
            refuse_arrival(arrival);
            place = find(MoveKind::deliver, told.call);
        } else if (!is_over) {
            return refuse(name + " gives up on a command before its time-out");
        }
    }
    if (refused_) return;
    if (place == kNone || possible_since(pending_[place]) > event.at) {
        return refuse(name + " gives up on a command, and is paused");
    }
    make(place);
}

void Follower::struck(const Event& event, const event::Fault& told) {
    const FaultMoment moment = row_of(told.hazard).moment;
    if (moment == FaultMoment::with_job) return go_on(event);
    const std::string name(name_of(told.hazard));
    if (moment != FaultMoment::at_observation) {
        return refuse("the fault " + name + " has nothing here that it could strike");
    }
    if (!is_made_in(FaultWorld::live, told.hazard)) {
        return refuse("no real server has the fault " + name);
    }
    const PlannedFault fault{told.hazard, {}, told.amount, told.node};
    if (restarts_server(told.hazard)) return restarted(event, fault);
    if (takes_over(told.hazard) && !cluster_.is_following(told.node)) {
        return refuse("a server takes over that cannot");
    }
    cluster_.strike(event.client, fault);
}

/// Replies that had left the server before its restart are still read.
void Follower::restarted(const Event& event, const PlannedFault& fault) {
    std::vector<std::uint32_t> reached;
    for (std::size_t i = next_; i < history_.events.size(); ++i) {
        const auto* ran = std::get_if<event::Executed>(&history_.events[i].detail);
        if (ran == nullptr || ran->node != fault.node || ran->sent > event.at) continue;
        const std::size_t place = arrival_of(ran->call);
        if (place == kNone) continue;
        if (pending_[place].earliest > event.at) continue;
        reached.push_back(pending_[place].move.message);
        run_execution(place, ran->reply);
        ran_.insert(ran->call);
    }
    for (const Pending& pending : pending_) {
        const bool comes = pending.move.kind == MoveKind::deliver && !pending.oracle;
        if (comes) reached.push_back(pending.move.message);
    }
    cluster_.strike(event.client, fault, reached);
    Instant& until = down_until_[fault.node.value];
    until = std::max(until, event.at + fault.amount + late_);
}

void Follower::learnt(const Event& event) {
    for (std::size_t i = 0; i < pending_.size(); ++i) {
        const Pending& pending = pending_[i];
        const bool is_its =
            pending.move.kind == MoveKind::learn && pending.move.client == event.client;
        if (!is_its || !cluster_.is_waited_for(pending.move)) continue;
        if (possible_since(pending) <= event.at) return make(i);
    }
    refuse(name_of(event.client) + " learns of another master, and nobody can have told it");
}

/// Since when the move is due without a trace in the history: the job's first wait, unless a slow
/// job is noted then; waits of a client library; and waits that no task is in any more.
std::optional<Instant> Follower::silent_since(const Pending& pending) const {
    const MoveKind kind = pending.move.kind;
    if (kind == MoveKind::fire || kind == MoveKind::learn) return std::nullopt;
    const Message& message = message_of(pending);
    if (kind == MoveKind::arrive) {
        return message.reset ? std::optional(pending.earliest) : std::nullopt;
    }
    if (!cluster_.is_waited_for(pending.move)) {
        const bool is_there = message.ticket == pending.move.ticket && !message.told &&
                              message.route.client == pending.move.client;
        return is_there ? std::optional(pending.earliest) : std::nullopt;
    }
    if (kind == MoveKind::expire) {
        return message.resend ? std::optional(possible_since(pending)) : std::nullopt;
    }
    // A denied job leaves at once.
    const bool is_read = pending.oracle && message.command[0] == "READ" && !message.reply.is_nil();
    if (!is_read || slow_job_comes(pending.move.client)) return std::nullopt;
    return possible_since(pending);
}

bool Follower::slow_job_comes(ClientId client) const {
    for (std::size_t i = next_; i < history_.events.size(); ++i) {
        const Event& event = history_.events[i];
        if (event.client != client || event.phase == Phase::background) continue;
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault == nullptr && !std::holds_alternative<event::Executed>(event.detail))
            return false;
        if (fault != nullptr && row_of(fault->hazard).moment == FaultMoment::with_job) return true;
    }
    return false;
}

void Follower::settle_until(Instant until) {
    while (!refused_) {
        std::size_t first = kNone;
        Instant at = until;
        for (std::size_t i = 0; i < pending_.size(); ++i) {
            const auto since = silent_since(pending_[i]);
            if (!since || *since > at || (first != kNone && *since == at)) continue;
            first = i;
            at = *since;
        }
        if (first == kNone) break;
        cluster_.pass_to(std::max(cluster_.value().now, at));
        make(first);
    }
    std::erase_if(pending_, [&](const Pending& pending) {
        return pending.move.kind != MoveKind::arrive && !cluster_.is_waited_for(pending.move) &&
               !silent_since(pending);
    });
}

void Follower::find_overdue(Instant at) {
    for (const Pending& pending : pending_) {
        const MoveKind kind = pending.move.kind;
        const bool comes_of_itself = kind == MoveKind::fire || kind == MoveKind::expire ||
                                     (kind == MoveKind::deliver && pending.oracle);
        if (!comes_of_itself || !cluster_.is_waited_for(pending.move)) continue;
        const Instant latest = possible_since(pending) + pending.leeway + late_;
        if (latest >= at) continue;
        const std::string what = kind == MoveKind::expire ? "its time-out" : "its sleep";
        refuse(name_of(pending.move.client) + " does nothing though " + what + " is over");
        if (at - latest > spec_.scale / kScalePerLateness) return;
        refused_->found = Inclusion::Found::undecided;
        refused_->why = kLaterThanNoticed + refused_->why;
        return;
    }
}

}  // namespace locklab
