#include "harness/core/machine.h"

#include <algorithm>

namespace locklab {

namespace {

bool is_unknown_digest(const Reply& reply) {
    return reply.is_error() && reply.text().starts_with("NOSCRIPT");
}

}  // namespace

void Machine::start(Task<> worker) {
    LOCKLAB_ASSERT(!started_);
    started_ = true;
    worker_.root = std::move(worker);
    worker_.birth = ++last_birth_;
    worker_.root.start_on(worker_.runner);
    run(0);
}

bool Machine::waits_for(TaskId task, std::uint32_t ticket) const {
    if (crashed_ || task.value > background_.size()) return false;
    const Slot& slot = this->slot(task.value);
    return slot.birth != 0 && slot.action.ticket == ticket &&
           slot.action.kind != Action::Kind::none;
}

bool Machine::observe(TaskId task, std::uint32_t ticket, Reply&& reply, NodeId from) {
    if (!waits_for(task, ticket)) return false;
    Slot& slot = this->slot(task.value);
    Action& action = slot.action;
    if (action.kind == Action::Kind::command && slot.missing > 0) {
        slot.replies[action.to_all ? from.value : action.node.value] = std::move(reply);
        if (--slot.missing > 0 && action.to_all) return true;
        if (slot.by_sha != nullptr && send_whole_to_next(task, slot)) return true;
    } else {
        slot.reply = std::move(reply);
        const std::unique_ptr<Command> script = std::move(slot.by_sha);
        if (script != nullptr && is_unknown_digest(slot.reply)) {
            send_whole(task, slot, *script);
            return true;
        }
    }
    action.kind = Action::Kind::none;
    slot.runner.next = slot.parked;
    run(task.value);
    return true;
}

void Machine::send_whole(TaskId task, Slot& slot, const Command& script) {
    slot.action.kind = Action::Kind::command;
    slot.action.ticket = ++last_ticket_;
    slot.action.command = script;
    host_.act(id_, task, slot.action);
}

bool Machine::send_whole_to_next(TaskId task, Slot& slot) {
    Action& action = slot.action;
    const auto begin = slot.replies.begin();
    const auto end = slot.replies.end();
    if (action.to_all) {
        slot.missing = static_cast<std::uint32_t>(std::count_if(begin, end, is_unknown_digest));
    }
    const auto next =
        std::find_if(begin + (action.to_all ? 0 : action.node.value + 1), end, is_unknown_digest);
    if (next == end) {
        slot.by_sha.reset();
        slot.missing = 0;
        return false;
    }
    action.to_all = false;
    action.node = NodeId{static_cast<std::uint32_t>(next - begin)};
    send_whole(task, slot, *slot.by_sha);
    return true;
}

void Machine::crash() {
    crashed_ = true;
    end(worker_);
    for (const auto& task : background_) end(*task);
}

}  // namespace locklab
