#include "harness/core/worker.h"

#include <algorithm>
#include <exception>
#include <map>
#include <new>

namespace locklab {

Duration wait_time(const WaitPolicy& policy, std::uint32_t tries, Choices& choices) {
    switch (policy.kind) {
        case WaitPolicy::Kind::fixed: return policy.delay;
        case WaitPolicy::Kind::jitter:
            return draw({policy.delay / 2, 3 * policy.delay / 2}, choices);
        case WaitPolicy::Kind::exponential: break;
    }
    const Duration cap = policy.delay * (1 << std::min(tries, 6U));
    return draw({policy.delay / 2, cap}, choices);
}

namespace {

Duration think_time(const Workload& workload, Choices& choices) {
    const bool stays_away =
        workload.away.most > Duration::zero() &&
        choices.pick(ChoiceKind::workload, kThinksPerAway) == kThinksPerAway - 1;
    return draw(stays_away ? workload.away : workload.think, choices);
}

/// A try that ended without a grant.
void note_in_vain(Machine& machine, const Acquired& acquired) {
    if (const std::string* error = acquired.error()) {
        machine.note(event::Failed{*error});
    } else {
        machine.note(event::Refused{acquired.unknown()});
    }
}

/// What a job shows to its resource. Both are 0 if there is none.
struct Pass {
    std::uint64_t grant = 0;  ///< number of the grant
    std::uint64_t fence = 0;  ///< the lock's fencing token

    /// The last word of a command to the resource: the fencing token, if there is one.
    struct Shown {
        std::uint64_t fence;
        void add_to(Command& command) const {
            if (fence != 0) command.add(fence);
        }
    };
    Shown shown() const { return {fence}; }
};

/// Tries until granted, or until the host says enough.
Task<Pass> acquire(Machine& machine, Lock& lock, const Workload& workload, bool again) {
    machine.enter_phase(Phase::acquire);
    machine.note(event::Wants{again});
    const bool may_tire = workload.give_up != Duration::zero();
    MonotonicTime began = may_tire ? machine.monotonic() : MonotonicTime();
    std::uint32_t tries = 0;
    while (!machine.host().enough(machine.id())) {
        Acquired acquired = co_await lock.try_acquire();
        if (Grant* grant = acquired.grant()) {
            const std::uint64_t ordinal = machine.host().next_grant(machine.id());
            machine.enter_phase(Phase::inside);
            machine.hold();
            const Pass pass{ordinal, grant->fence};
            machine.note(event::Granted{ordinal, std::move(grant->token), grant->lease, pass.fence,
                                        machine.mode()});
            co_return pass;
        }
        if (workload.always_releases) {
            machine.enter_phase(Phase::release);
            co_await lock.release();
            machine.enter_phase(Phase::acquire);
        }
        note_in_vain(machine, acquired);
        co_await machine.sleep(wait_time(workload.wait, tries, machine.host().choices()));
        ++tries;
        const bool tired = may_tire && machine.monotonic() - began >= workload.give_up;
        if (tired) {
            tries = 0;
            began = machine.monotonic();
        }
    }
    co_return Pass{};
}

bool takes_again(const Workload& workload, Choices& choices) {
    if (workload.takes_again != Workload::Again::sometimes) {
        return workload.takes_again == Workload::Again::always;
    }
    return choices.pick(ChoiceKind::workload, kJobsPerAgain) == kJobsPerAgain - 1;
}

/// Read, work, write: the write loses an update if another one came between. No write by a holder
/// that was told of its loss, was stopped by its time limit, shares the lock, or whose token the
/// resource refuses.
Task<> job(Machine& machine, Lock& lock, Pass pass, const Workload& workload) {
    const Reply version = co_await machine.ask_oracle("READ", pass.shown());
    if (version.is_nil()) co_return;
    Duration length = draw(workload.job, machine.host().choices());
    if (const auto slow = machine.host().slow_job(machine.id(), machine.round())) length = *slow;
    const bool limited = workload.job_limit != Duration::zero() && length > workload.job_limit;
    co_await machine.sleep(limited ? workload.job_limit : length);
    if (limited || machine.has_lost_any()) co_return;
    if (takes_again(workload, machine.host().choices())) {
        pass = co_await acquire(machine, lock, workload, true);
        if (pass.grant == 0) co_return;
        // Told meanwhile that it had lost the lock, it has this grant alone, and gives it back.
        if (machine.has_lost()) machine.note(event::Leaving{});
        co_await lock.release();
        if (machine.has_lost_any()) co_return;
    }
    if (machine.mode() == Mode::shared) co_return;
    co_await machine.ask_oracle("WRITE", version.as_integer(), pass.grant, pass.shown());
}

/// The lock that protects the job's resource: a client that works there holds all its locks.
constexpr ResourceId kJobs{0};

/// The lock that a client takes as its first, second, and so on.
ResourceId nth_lock(ClientId client, std::size_t nth, const Locks& locks, bool same_order) {
    const std::size_t first = same_order ? 0 : client.value;
    return ResourceId{static_cast<std::uint32_t>((first + nth) % locks.size())};
}

/// Stands for a lock that could not be made: each try throws what its construction threw.
class NotMade final : public Lock {
public:
    explicit NotMade(std::exception_ptr thrown) : thrown_(std::move(thrown)) {}
    Task<Acquired> try_acquire() override {
        std::rethrow_exception(thrown_);
        co_return Refused{};
    }
    Task<Release> release() override { co_return Release::not_ours; }

private:
    const std::exception_ptr thrown_;
};

/// Makes a new lock object for each try, and keeps it until a later try of the same task. A holder
/// may try again: the object whose grant it has stays while its watchdog runs.
class NewEachTry final : public Lock {
public:
    NewEachTry(const Algorithm& algorithm, Client& client, const Key& key,
               const LockOptions& options)
        : algorithm_(algorithm), client_(client), key_(key), options_(options) {}
    Task<Acquired> try_acquire() override {
        Locks& mine = of_tasks_[client_.id()];
        if (!client_.has_background()) mine.clear();
        mine.push_back(algorithm_.make(client_, key_, options_));
        co_return co_await mine.back()->try_acquire();
    }
    Task<Release> release() override {
        co_return co_await of_tasks_.at(client_.id()).back()->release();
    }

private:
    const Algorithm& algorithm_;
    Client& client_;
    const Key key_;
    const LockOptions options_;
    std::map<ClientId, Locks> of_tasks_;  ///< by the task that asks
};

std::unique_ptr<Lock> make_lock(const Algorithm& algorithm, Client& client, const Key& key,
                                const LockOptions& options) {
    if (algorithm.new_each_try) {
        return std::make_unique<NewEachTry>(algorithm, client, key, options);
    }
    try {
        return algorithm.make(client, key, options);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (...) {
        return std::make_unique<NotMade>(std::current_exception());
    }
}

}  // namespace

Workload its_workload(ClientId client, const Workload& usual, const UnequalClients& unequal) {
    Workload workload = usual;
    const ClientOptions* own = options_of(unequal, client);
    if (own != nullptr && own->job) workload.job = {*own->job, *own->job};
    return workload;
}

Duration draw(const DurationRange& range, Choices& choices) {
    if (range.most <= range.least) return range.least;
    const std::int64_t q = choices.pick(ChoiceKind::workload, kQuantiles);
    return range.least + Duration((range.most - range.least).count() * q / kQuantiles);
}

Locks make_locks(const Algorithm& algorithm, Client& client, const Key& key,
                 const LockOptions& options, std::uint32_t resources) {
    LOCKLAB_ASSERT(resources == 1 || algorithm.redis_servers == 1);
    Locks locks;
    while (locks.size() < resources) locks.push_back(make_lock(algorithm, client, key, options));
    return locks;
}

Task<> work(Machine& machine, const Locks& locks, const Workload& workload) {
    const bool open_loop = workload.arrives_every != Duration::zero();
    MonotonicTime arrival;
    if (open_loop) arrival = machine.monotonic() + machine.id().value * workload.arrival_offset;
    while (!machine.host().enough(machine.id())) {
        if (open_loop) {
            co_await machine.sleep(std::max(arrival - machine.monotonic(), Duration::zero()));
            arrival += workload.arrives_every;
            if (machine.host().enough(machine.id())) break;
        }
        machine.begin_round();
        Pass pass;
        std::size_t taken = 0;
        for (; taken < locks.size(); ++taken) {
            const ResourceId next = nth_lock(machine.id(), taken, locks, workload.same_order);
            machine.turn_to(next);
            const Pass got = co_await acquire(machine, *locks[next.value], workload, false);
            if (got.grant == 0) break;
            if (next == kJobs) pass = got;
        }
        if (taken == locks.size() && !workload.lock_alone) {
            machine.turn_to(kJobs);
            co_await job(machine, *locks[kJobs.value], pass, workload);
        }
        if (taken == 0) break;
        while (taken-- > 0) {
            const ResourceId last = nth_lock(machine.id(), taken, locks, workload.same_order);
            machine.turn_to(last);
            if (!machine.has_lost()) machine.note(event::Leaving{});
            machine.leave();
            machine.enter_phase(Phase::release);
            const Release outcome = co_await locks[last.value]->release();
            machine.note(event::Released{outcome});
        }
        machine.enter_phase(Phase::idle);
        if (workload.lock_alone || open_loop) continue;
        co_await machine.sleep(think_time(workload, machine.host().choices()));
    }
    machine.note(event::Finished{});
}

}  // namespace locklab
