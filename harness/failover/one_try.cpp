#include "harness/failover/one_try.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "harness/core/machine.h"
#include "harness/live/real_host.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

class OneTry final : private Faultless {
public:
    OneTry(const Algorithm& algorithm, const LockOptions& options, const Endpoint& server,
           const Key& key, Duration limit)
        : name_(algorithm.name),
          connection_(server, limit),
          lock_(algorithm.make(machine_, key, options)) {}
    /// The task uses the lock, so it is destroyed first.
    ~OneTry() { machine_.crash(); }

    Acquired run(const AnswerListener& listener) {
        machine_.start(serve(*this));
        while (!machine_.finished()) {
            Reply reply;
            if (waits_for_ == Wait::answer) {
                reply = connection_.command(command_);
                if (listener) listener(reply);
            } else {
                std::this_thread::sleep_for(sleep_);
            }
            machine_.observe(waiter_.task, waiter_.ticket, std::move(reply));
            if (!threw_.empty()) {
                throw std::runtime_error("The lock " + std::string(name_) + " " + threw_ + ".");
            }
        }
        return std::move(*outcome_);
    }

private:
    friend RealHost<OneTry>;
    enum class Wait : std::uint8_t { answer, sleep };

    static Task<> serve(OneTry& its) {
        its.machine_.enter_phase(Phase::acquire);
        Acquired outcome = co_await its.lock_->try_acquire();
        its.outcome_.emplace(std::move(outcome));
    }
    void sleep(const Waiter& waiter, Duration time) {
        waits_for_ = Wait::sleep;
        waiter_ = waiter;
        sleep_ = time;
    }
    void send(const Waiter& waiter, NodeId, Command& command) {
        waits_for_ = Wait::answer;
        waiter_ = waiter;
        std::swap(command_, command);
    }
    static void ask_oracle(const Waiter&, const Command&) {
        LOCKLAB_ASSERT(false && "locks of Redis ask no oracle");
    }
    static void noted(ClientId, Phase, const EventDetail&, ResourceId) {}
    void threw(TaskId, const std::string& words) { threw_ = words; }

    const std::string_view name_;
    SyncConnection connection_;
    RealHost<OneTry> host_{*this, 1};
    Machine machine_{ClientId{0}, host_};
    std::unique_ptr<Lock> lock_;
    Wait waits_for_ = Wait::answer;
    Waiter waiter_;
    Command command_;
    Duration sleep_{0};
    std::optional<Acquired> outcome_;
    std::string threw_;
};

}  // namespace

Acquired try_once(const Algorithm& algorithm, const LockOptions& options, const Endpoint& server,
                  const Key& key, Duration limit, const AnswerListener& listener) {
    return OneTry(algorithm, options, server, key, limit).run(listener);
}

}  // namespace locklab
