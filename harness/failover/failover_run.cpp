#include "harness/failover/failover_run.h"

#include <algorithm>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>

#include "harness/core/duration_text.h"
#include "harness/failover/failover_model.h"
#include "harness/failover/one_try.h"
#include "harness/failover/sentinel_group.h"
#include "harness/live/processors.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

using Clock = SentinelGroup::Clock;

constexpr Duration kAnswerLimit = std::chrono::seconds(5);
/// A machine that is later than this decides itself which locks are lost.
constexpr Duration kMostLate = std::chrono::milliseconds(2);
/// Sentinels need one to two seconds. If they do not agree in this time, they vote again much
/// later.
constexpr Duration kPromotionLimit = std::chrono::seconds(10);

Duration since(Clock::time_point begin) {
    return std::chrono::duration_cast<Duration>(Clock::now() - begin);
}

/// The first client's try, in a thread of its own: the master dies while it waits for a replica.
class FirstClient {
public:
    FirstClient(const FailoverCell& cell, const FailoverShape& shape, const Endpoint& master,
                const Key& key)
        : thread_([this, &cell, &shape, master, key] {
              const auto hears = [this](const Reply& reply) { hear(reply); };
              try {
                  const Acquired got = try_once(lock_of(cell), options_of(cell, shape), master, key,
                                                kAnswerLimit, hears);
                  granted_ = got.grant() != nullptr;
              } catch (...) {
                  error_ = std::current_exception();
                  if (!has_heard_) first_.set_exception(error_);
              }
          }) {}
    ~FirstClient() {
        if (thread_.joinable()) thread_.join();
    }
    FirstClient(const FirstClient&) = delete;
    FirstClient& operator=(const FirstClient&) = delete;

    struct Answer {
        Clock::time_point at;
        Duration took{0};  ///< with connecting
        Reply reply;
    };
    /// Waits for the answer to its first command.
    Answer first_answer() { return first_.get_future().get(); }
    /// Waits for the end of its try: whether it has the lock.
    bool has_lock() {
        thread_.join();
        if (error_ != nullptr) std::rethrow_exception(error_);
        return granted_;
    }

private:
    void hear(const Reply& reply) {
        if (std::exchange(has_heard_, true)) return;
        first_.set_value({Clock::now(), since(began_), reply});
    }

    const Clock::time_point began_ = Clock::now();
    std::promise<Answer> first_;
    bool has_heard_ = false;
    bool granted_ = false;
    std::exception_ptr error_;
    std::thread thread_;
};

/// What the second client finds at the new master: the key, and then whether it gets the lock.
void ask_new_master(const Endpoint& master, const Key& key, FailoverRun& run) {
    SyncConnection connection(master, kAnswerLimit);
    const Reply value = connection.command(Command::of("GET", key));
    if (value.failed()) throw std::runtime_error("The new master did not say what it has.");
    run.real.lost = run.real.granted && value.is_nil();
    run.real.left = !run.real.granted && !value.is_nil();
    const Acquired second =
        try_once(lock_of(run.cell), options_of(run.cell, run.shape), master, key, kAnswerLimit);
    run.real.twice = run.real.granted && second.grant() != nullptr;
    if (second.error() != nullptr) run.second_refused = *second.error();
}

void fail_over(FailoverRun& run) {
    const Key key{"lock"};
    SentinelGroup group(run.cell);
    run.redis = group.version();
    go_before_others(group.master().pid());
    const BeforeOthers prompt;
    group.take_worst_lag();
    FirstClient first(run.cell, run.shape, group.master().endpoint(), key);
    const FirstClient::Answer answer = first.first_answer();
    if (answer.reply.is_error()) {
        run.refused = answer.reply.text();
        return;
    }
    if (!answer.reply.is_ok()) throw std::runtime_error("The master did not answer the first SET.");
    std::this_thread::sleep_until(answer.at + run.drawn);
    const Clock::time_point killed = Clock::now();
    run.killed = since(answer.at);
    group.kill_master();
    run.real.granted = first.has_lock();
    // Always as long: else long-lived masters had more chances to be left out.
    std::this_thread::sleep_until(answer.at + run.shape.within);
    run.late = std::max({answer.took, run.killed - run.drawn, group.take_worst_lag()});
    if (run.late > kMostLate) {
        throw std::runtime_error(std::string(kMachineLate) + to_string(run.late) + ".");
    }
    const auto promoted = group.promoted(kPromotionLimit);
    run.promoted = since(killed);
    if (!promoted) throw std::runtime_error("The Sentinels did not agree on a new master in time.");
    ask_new_master(*promoted, key, run);
    if (run.killed + run.promoted >= run.shape.ttl) {
        throw std::runtime_error("The lock had expired when there was a new master.");
    }
    if (is_modelled(run.cell)) {
        run.modelled = modelled_failover(run.cell, run.shape, run.killed, run.promoted);
    }
}

}  // namespace

FailoverRun run_failover(const FailoverCell& cell, const FailoverShape& shape, std::uint64_t run) {
    FailoverRun row;
    row.cell = cell;
    row.shape = shape;
    row.run = run;
    row.drawn = draw_kill(shape, run);
    try {
        fail_over(row);
    } catch (const std::runtime_error& error) {
        row.why_nothing = error.what();
    }
    return row;
}

nlohmann::ordered_json to_json(const FailoverRun& run) { return written_row(run); }
void read_row(const nlohmann::ordered_json& json, FailoverRun& run) { read_fields(json, run); }

}  // namespace locklab
