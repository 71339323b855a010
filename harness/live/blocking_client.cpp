#include "harness/live/blocking_client.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "harness/core/printable.h"
#include "harness/live/require_servers.h"

namespace locklab {

namespace {

/// With this many sleepers, some must have been cancelled: a client has a handful of tasks.
constexpr std::size_t kManySleepers = 64;

}  // namespace

BlockingClient::BlockingClient(const Algorithm& algorithm, const LockOptions& options,
                               Workload workload, const Endpoint& endpoint, Key key, Duration limit)
    : algorithm_(algorithm),
      options_(options),
      workload_(std::move(workload)),
      key_(std::move(key)),
      server_(to_string(endpoint)),
      limit_(limit),
      context_(connect_blocking(endpoint, limit)) {
    require_servers(algorithm, algorithm.topology(), 1, "a blocking client has one",
                    "run it in a LiveLoop");
    if (context_ == nullptr || context_->err != 0) {
        throw std::runtime_error("There is no connection to " + server_ + ".");
    }
}

BlockingClient::Stretch BlockingClient::run_for(Duration window) {
    forget_machine();
    commands_ = 0;
    error_.clear();
    threw_.clear();
    machine_.emplace(ClientId{0}, host_);
    locks_ = make_locks(algorithm_, *machine_, key_, options_);
    host_.begin(Clock::now(), ~std::uint64_t{0}, std::max(window, Duration(1)));
    machine_->start(work(*machine_, locks_, workload_));
    while (!machine_->finished()) {
        const bool due = !sleepers_.empty() && sleepers_.front().until <= Clock::now();
        if (due || waiting_ == 0) {
            wake_first();
        } else {
            answer_first();
        }
        if (!threw_.empty()) {
            throw std::runtime_error("The lock " + std::string(algorithm_.name) + " " + threw_ +
                                     ".");
        }
        if (error_.empty()) continue;
        throw std::runtime_error("The server " + server_ +
                                 " answers a lock with an error: " + error_ + ".");
    }
    const std::chrono::duration<double> took = host_.time().time_since_epoch();
    return {host_.grants(), commands_, took.count()};
}

/// The tasks use the lock, so they are destroyed first.
void BlockingClient::forget_machine() {
    if (machine_) machine_->crash();
    locks_.clear();
    machine_.reset();
    waiting_ = 0;
    sleepers_.clear();
}

void BlockingClient::queue(const Waiter& waiter, NodeId node, Command& command) {
    if (waiting_ == asked_.size()) asked_.emplace_back();
    Asked& asked = asked_[waiting_++];
    asked.task = waiter.task;
    asked.ticket = waiter.ticket;
    asked.node = node;
    std::swap(asked.command, command);
}

void BlockingClient::sleep(const Waiter& waiter, Duration time) {
    if (sleepers_.size() >= kManySleepers) forget_cancelled();
    sleepers_.push_back({Clock::now() + time, waiter.task, waiter.ticket});
    std::push_heap(sleepers_.begin(), sleepers_.end());
}

void BlockingClient::answer_first() {
    const Asked& first = asked_.front();
    const TaskId task = first.task;
    const std::uint32_t ticket = first.ticket;
    Reply reply = first.node == kOracle ? answer_of_oracle(first) : execute(first.command);
    std::rotate(asked_.begin(), asked_.begin() + 1, asked_.begin() + waiting_);
    --waiting_;
    machine_->observe(task, ticket, std::move(reply));
}

Reply BlockingClient::answer_of_oracle(const Asked& asked) {
    outbox_.clear();
    oracle_.on(Request{{machine_->id(), channel_of(asked.task), kOracle}, &asked.command},
               WallTime(), outbox_);
    return outbox_.take_reply();
}

Reply BlockingClient::execute(const Command& command) {
    ++commands_;
    const Script* script = command.script();
    if (script == nullptr) {
        request_.put(command);
    } else {
        request_.put_evalsha(command, digests_.of(*script));
    }
    ReplyPtr raw = ask(*context_, request_, limit_);
    const bool unknown_script = script != nullptr && raw != nullptr &&
                                raw->type == REDIS_REPLY_ERROR &&
                                std::string_view(raw->str, raw->len).starts_with("NOSCRIPT");
    if (unknown_script) {
        request_.put_eval(command);
        raw = ask(*context_, request_, limit_);
    }
    if (raw == nullptr) {
        throw std::runtime_error("The server " + server_ + " is gone (" +
                                 printable(context_->errstr) + ").");
    }
    return reply_of(*raw);
}

void BlockingClient::wake_first() {
    LOCKLAB_ASSERT(!sleepers_.empty());
    std::pop_heap(sleepers_.begin(), sleepers_.end());
    const Sleeper first = sleepers_.back();
    sleepers_.pop_back();
    if (!machine_->waits_for(first.task, first.ticket)) return;
    std::this_thread::sleep_until(first.until);
    machine_->observe(first.task, first.ticket);
}

void BlockingClient::forget_cancelled() {
    std::erase_if(sleepers_, [&](const Sleeper& sleeper) {
        return !machine_->waits_for(sleeper.task, sleeper.ticket);
    });
    std::make_heap(sleepers_.begin(), sleepers_.end());
}

void BlockingClient::threw(TaskId, const std::string& words) { threw_ = words; }

/// Keeps the error: a server that refuses everything would make run_for() never end.
void BlockingClient::noted(ClientId, Phase, EventDetail&& detail, ResourceId) {
    if (const auto* failed = std::get_if<event::Failed>(&detail)) error_ = failed->error;
}

}  // namespace locklab
