#include "harness/core/client.h"

#include <algorithm>
#include <new>
#include <string>

#include "harness/core/printable.h"
#include "harness/core/refused_command.h"
#include "harness/core/sha1.h"

namespace locklab {

namespace {

std::string of_exception(std::string_view words) {
    return "threw an exception: " + printable(words) +
           "; right would be a lock that answers with Failed, Unknown or Release::not_ours";
}

/// A lack of memory is not the lock's fault, so bad_alloc passes through.
std::string words_of(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const RefusedCommand& refused) {
        return refused.what();
    } catch (const std::exception& error) {
        return of_exception(error.what());
    } catch (...) {
        return of_exception("something that is no std::exception");
    }
}

}  // namespace

Command& Client::next_command(NodeId node) {
    const bool is_there = node.value == 0 || node == kOracle || node.value < servers();
    if (!is_there) {
        throw RefusedCommand("asks server " + std::to_string(node.value + 1) + " of " +
                             std::to_string(servers()) +
                             "; right would be a row that says how many there are (redis_servers)");
    }
    Slot& slot = acting_->slot(acting_->running_);
    Action& action = slot.action;
    action.kind = Action::Kind::command;
    action.node = node == kOracle ? node : NodeId{node.value + slot.resource.value};
    action.to_all = false;
    slot.missing = 0;
    return action.command;
}

Command& Client::next_command_to_all() {
    Slot& slot = acting_->slot(acting_->running_);
    Command& command = next_command(NodeId{0});
    slot.action.to_all = true;
    slot.missing = servers();
    slot.replies.assign(slot.missing, Reply());
    LOCKLAB_ASSERT(slot.missing > 0);
    return command;
}

SleepAwaiter Client::sleep(Duration duration) {
    Action& action = acting_->slot(acting_->running_).action;
    action.kind = Action::Kind::sleep;
    action.sleep = std::max(duration, Duration::zero());
    return SleepAwaiter(*acting_);
}

void Client::park(std::coroutine_handle<> task) {
    Slot& slot = this->slot(running_);
    slot.parked = task;
    slot.action.ticket = ++last_ticket_;
    if (process_->by_sha_) name_by_sha(slot);
    host_.act(id_, TaskId{running_}, slot.action);
}

void Client::name_by_sha(Slot& slot) {
    slot.by_sha.reset();
    Action& action = slot.action;
    const bool is_script =
        action.kind == Action::Kind::command && action.command.script() != nullptr;
    if (!is_script) return;
    slot.by_sha = std::make_unique<Command>(action.command);
    const Command& script = *slot.by_sha;
    action.command.assign("EVALSHA", to_hex(sha1(script.script()->lua)), script.keys());
    for (std::size_t i = 0; i < script.size(); ++i) action.command.add(script[i]);
}

void Client::run(std::uint32_t index) {
    process_->acting_ = this;
    const std::uint32_t before = std::exchange(running_, index);
    Slot& slot = this->slot(index);
    slot.runner.run();
    if (slot.root.done()) {
        const std::exception_ptr thrown = slot.root.thrown();
        end(slot);
        if (thrown) host_.threw(id_, TaskId{index}, words_of(thrown));
    }
    running_ = before;
}

Background Client::spawn(Task<> task) {
    if (acting_ != this) return acting_->spawn(std::move(task));
    std::uint32_t index = 1;
    while (index <= background_.size() && slot(index).birth != 0) ++index;
    if (index > background_.size()) background_.push_back(std::make_unique<Slot>());
    Slot& slot = this->slot(index);
    slot.root = std::move(task);
    slot.birth = ++last_birth_;
    slot.resource = this->slot(running_).resource;
    slot.round = running_ == 0 ? round_ : this->slot(running_).round;
    slot.root.start_on(slot.runner);
    const Background background{this, index, slot.birth};
    run(index);
    return background;
}

void Client::cancel(Background& task) {
    if (task.birth != 0 && task.of->slot(task.slot).birth == task.birth) {
        LOCKLAB_ASSERT(task.slot != task.of->running_);
        end(task.of->slot(task.slot));
    }
    task = Background{};
}

bool Client::has_background() const {
    return std::ranges::any_of(acting_->background_,
                               [](const auto& task) { return task->birth != 0; });
}

void Client::lost() {
    if (acting_ != this) return acting_->lost();
    const ResourceId resource = slot(running_).resource;
    const std::uint32_t its = 1U << resource.value;
    if ((held_ & its) == 0 || (lost_ & its) != 0) return;
    lost_ |= its;
    host_.note(id_, phase_, event::Lost{}, resource);
}

}  // namespace locklab
