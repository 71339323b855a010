#include "harness/core/machine.h"

namespace locklab {

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
    if (slot.by_sha != nullptr) {
        const std::unique_ptr<Command> script = std::move(slot.by_sha);
        if (reply.is_error() && reply.text().starts_with("NOSCRIPT")) {
            send_whole(task, slot, *script);
            return true;
        }
    }
    const bool to_all = slot.action.kind == Action::Kind::command && slot.action.to_all;
    if (to_all) {
        slot.replies[from.value] = std::move(reply);
        if (--slot.missing > 0) return true;
    } else {
        slot.reply = std::move(reply);
    }
    slot.action.kind = Action::Kind::none;
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

void Machine::crash() {
    crashed_ = true;
    end(worker_);
    for (const auto& task : background_) end(*task);
}

}  // namespace locklab
