#include "harness/foreign/own_session.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace locklab {

namespace {

/// Sleep of the worker between two requests: until the next one.
constexpr Duration kUntilAsked = Duration::max();

}  // namespace

OwnSession::OwnSession(const Algorithm& algorithm, Opening opening, Reactor& reactor,
                       Listener listener)
    : opening_(std::move(opening)),
      reactor_(reactor),
      listener_(std::move(listener)),
      host_(*this, static_cast<std::uint32_t>(opening_.nodes.size())),
      oracle_("locklab-oracle-" + opening_.key.name),
      machine_(ClientId{0}, host_) {
    for (const Endpoint& node : opening_.nodes) {
        upstreams_.push_back(std::make_unique<Upstream>(Upstream{reactor, node, {}, {}}));
        for (std::size_t channel = 0; channel < kChannels; ++channel) {
            connections_.push_back(std::make_unique<Connection>(*upstreams_.back(), *this));
        }
    }
    lock_ = algorithm.make(machine_, opening_.key, opening_.options);
    machine_.start(serve(*this));
}

/// The tasks use the lock, so they are destroyed first.
OwnSession::~OwnSession() {
    reactor_.forget(*this);
    machine_.crash();
}

Task<> OwnSession::serve(OwnSession& session) {
    Machine& machine = session.machine_;
    while (true) {
        co_await machine.sleep(kUntilAsked);
        if (session.wish_ == Wish::acquire) {
            machine.enter_phase(Phase::acquire);
            Acquired outcome = co_await session.lock_->try_acquire();
            if (outcome.grant() != nullptr) machine.hold();
            machine.enter_phase(outcome.grant() != nullptr ? Phase::inside : Phase::idle);
            session.listener_.acquired(std::move(outcome));
        } else {
            machine.leave();
            machine.enter_phase(Phase::release);
            const Release outcome = co_await session.lock_->release();
            machine.enter_phase(Phase::idle);
            session.listener_.released(outcome);
        }
    }
}

void OwnSession::ask(Wish wish) {
    wish_ = wish;
    machine_.observe(TaskId{0}, std::exchange(waits_, 0));
}

void OwnSession::sleep(const Waiter& waiter, Duration time) {
    if (time == kUntilAsked) {
        waits_ = waiter.ticket;
    } else {
        reactor_.wake_after(time, *this, {slept, waiter.task.value, waiter.ticket});
    }
}

void OwnSession::ask_oracle(const Waiter& waiter, const Command& command) {
    const bool yes = command[0] == "TAKE" ? oracle_.take() : oracle_.give();
    const Reactor::Alarm alarm{oracle_answered, waiter.ticket, yes ? 1U : 0U};
    reactor_.wake_after(Duration::zero(), *this, alarm);
}

void OwnSession::send(const Waiter& waiter, NodeId server, Command& command) {
    Call& call = calls_.add();
    std::swap(call.command, command);
    call.number = ++last_call_;
    call.task = waiter.task;
    call.ticket = waiter.ticket;
    call.server = call.node[0] = server;
    call.open = 1;
    reactor_.wake_after(opening_.timeout, *this, {timed_out, 0, call.number});
    connection_of(waiter.task, server).send(call);
}

void OwnSession::answered(Call& call, std::uint32_t, Reply reply) {
    --call.open;
    if (call.settled) {
        calls_.remove(call);
    } else {
        settle(call, std::move(reply));
    }
}

void OwnSession::settle(Call& call, Reply reply) {
    const TaskId task = call.task;
    const std::uint32_t ticket = call.ticket;
    const NodeId server = call.server;
    call.settled = true;
    if (call.is_done()) calls_.remove(call);
    machine_.observe(task, ticket, std::move(reply), server);
}

void OwnSession::wake(const Reactor::Alarm& alarm) {
    if (alarm.kind == slept) {
        machine_.observe(TaskId{alarm.task}, static_cast<std::uint32_t>(alarm.value));
    } else if (alarm.kind == oracle_answered) {
        const auto taken = static_cast<std::int64_t>(alarm.value);
        machine_.observe(TaskId{0}, alarm.task, Reply::integer(taken));
    } else if (Call* call = calls_.find(alarm.value); call != nullptr && !call->settled) {
        connection_of(call->task, call->server).retire();
        settle(*call, Reply::unknown());
    }
}

/// Ends the process, as an uncaught exception does.
void OwnSession::threw(TaskId, const std::string& words) {
    std::fprintf(stderr, "locklab driver: the lock %s\n", words.c_str());
    std::abort();
}

void OwnSession::noted(ClientId, Phase, EventDetail&& detail, ResourceId) {
    if (std::holds_alternative<event::Lost>(detail)) listener_.lost();
}

}  // namespace locklab
