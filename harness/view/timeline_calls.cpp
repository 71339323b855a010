#include "harness/view/timeline_calls.h"

#include <algorithm>

namespace locklab {

namespace {

using Fate = TimelineCommand::Fate;

std::optional<Fate> fate_of(Hazard hazard) {
    switch (hazard) {
        case Hazard::lose_request: return Fate::request_lost;
        case Hazard::lose_reply: return Fate::reply_lost;
        case Hazard::delay_request: return Fate::delayed;
        case Hazard::delay_reply: return Fate::reply_delayed;
        case Hazard::retry: return Fate::sent_again;
        default: return std::nullopt;
    }
}

}  // namespace

void CallTrail::meet(NodeId node) {
    if (node != kOracle) nodes_ = std::max<std::size_t>(nodes_, std::size_t{node.value} + 1);
}

TimelineCommand CallTrail::sent(const Event& event, const event::Sent& sent) {
    meet(sent.node);
    TimelineCommand command;
    command.call = sent.call;
    command.node = sent.node.value;
    command.text = words_.of(sent.command);
    command.sent_at = event.at;
    command.background = event.phase == Phase::background;
    command.is_old = sent.rounds_ago > 0;
    calls_[sent.call] = {command, false, false};
    command.sent = true;
    return command;
}

TimelineCommand CallTrail::ran(const Event& event, const event::Executed& executed) {
    meet(executed.node);
    TimelineCommand command;
    command.text = words_.of(executed.command);
    command.reply = words_.of(executed.reply);
    command.node = executed.node.value;
    command.sent_at = executed.sent;
    command.background = event.phase == Phase::background;
    command.ran = true;
    const auto call = calls_.find(executed.call);
    if (call == calls_.end()) {
        command.sent = command.answered = true;
        return command;
    }
    command.call = executed.call;
    command.fate = call->second.command.fate;
    command.again = call->second.ran;
    command.is_old = call->second.command.is_old;
    command.given_up = call->second.given_up;
    call->second.ran = true;
    return command;
}

std::optional<TimelineCommand> CallTrail::replied(const Event& event,
                                                  const event::Replied& replied) {
    const auto call = calls_.find(replied.call);
    if (call == calls_.end()) return std::nullopt;
    TimelineCommand command = call->second.command;
    command.background = event.phase == Phase::background;
    call->second.given_up = replied.reply.is_unknown();
    command.unknown = replied.reply.is_unknown();
    command.answered = !command.unknown;
    command.reply = command.answered ? words_.of(replied.reply) : "";
    return command;
}

bool CallTrail::strike(const event::Fault& fault, std::vector<TimelineDraft>& drafts) {
    const std::optional<Fate> fate = fate_of(fault.hazard);
    const auto call = calls_.find(fault.call);
    if (!fate || fault.call == 0 || call == calls_.end()) return false;
    call->second.command.fate = *fate;
    for (TimelineDraft& draft : drafts) {
        if (draft.row.command.call == fault.call) draft.row.command.fate = *fate;
    }
    return true;
}

}  // namespace locklab
