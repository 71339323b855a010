#include "harness/bench/bare_rounds.h"

#include <hiredis/async.h>
#include <sys/prctl.h>
#include <uv.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <thread>

#include "harness/bench/argv.h"
#include "harness/bench/live_figures.h"
#include "harness/core/printable.h"
#include "harness/live/live_loop.h"
#include "harness/live/script_digests.h"
#include "harness/live/sync_connection.h"
#include "harness/live/wire.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;

/// Rounds of all clients together.
constexpr std::size_t kRecorded = 1024;
/// A single client that gets no lock for this long never will.
constexpr Duration kPatience = std::chrono::seconds(10);
/// For connecting, and for each reply over a blocking connection.
constexpr Duration kLimit = std::chrono::seconds(10);

std::uint64_t milliseconds_of(Duration duration) {
    return static_cast<std::uint64_t>(
        std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

bool is_same_kind(const Reply& expected, const redisReply& raw) {
    switch (raw.type) {
        case REDIS_REPLY_INTEGER: return expected.is_integer();
        case REDIS_REPLY_ERROR: return false;
        case REDIS_REPLY_NIL: return expected.is_nil();
        default: return !expected.is_integer() && !expected.is_nil();
    }
}

[[noreturn]] void fail(const std::string& why) {
    throw std::runtime_error("The floor could not be measured: " + why + ".");
}

/// Rounds with their words as hiredis takes them, in an endless cycle.
class ReadyRounds {
public:
    explicit ReadyRounds(const RecordedRounds& rounds) : rounds_(rounds) {
        for (const Command& command : rounds.commands) {
            const Script* script = command.script();
            argvs_.push_back(script == nullptr ? Argv(command)
                                               : Argv(command, digests_.of(*script)));
        }
    }

    Argv& next() { return argvs_[next_]; }
    bool next_is_last_of_round() const { return (next_ + 1) % rounds_.commands_each() == 0; }
    /// Checks the reply to the present command, and moves to the next. True if a round is over.
    bool take(const redisReply* raw) {
        if (raw == nullptr) fail("the connection broke");
        if (!is_same_kind(rounds_.replies[next_], *raw)) {
            const bool error = raw->type == REDIS_REPLY_ERROR;
            fail(printable(to_string(rounds_.commands[next_])) + " was answered with " +
                 (error ? printable({raw->str, raw->len}) : std::string("something else")) +
                 (error ? ", not with " : " than ") + printable(to_string(rounds_.replies[next_])));
        }
        const bool over = next_is_last_of_round();
        next_ = (next_ + 1) % argvs_.size();
        return over;
    }

private:
    const RecordedRounds& rounds_;
    ScriptDigests digests_;
    std::vector<Argv> argvs_;
    std::size_t next_ = 0;
};

/// Afterwards EVALSHA finds its script, and the key is as before.
void warm_up(const Endpoint& endpoint, const RecordedRounds& rounds) {
    SyncConnection connection(endpoint, kLimit);
    for (std::size_t i = 0; i < rounds.commands_each(); ++i) {
        connection.command(rounds.commands[i]);
    }
    if (connection.trouble() != SyncConnection::Trouble::none) fail(connection.reason());
}

/// When asynchronous rounds stop, and when the wait for the last of them does.
struct Window {
    bool over = false;
    bool late = false;  ///< a round was still not over long after

    static void ring(uv_timer_t* timer) {
        Window& window = *static_cast<Window*>(timer->data);
        if (std::exchange(window.over, true)) window.late = true;
    }
};

/// One of many connections: the callback of each command sends the next. It always polls for
/// reading, and writes once a turn: hiredis's own adapter for libuv, which changes the polled
/// events with every command, measured half as many commands a second.
class Looper {
public:
    Looper(const Endpoint& endpoint, const RecordedRounds& rounds, uv_loop_t* loop,
           const Window& window)
        : rounds_(rounds), window_(window) {
        context_ = endpoint.socket_path.empty()
                       ? redisAsyncConnect(endpoint.host.c_str(), endpoint.port)
                       : redisAsyncConnectUnix(endpoint.socket_path.c_str());
        if (context_ == nullptr || context_->err != 0) fail("no connection");
        context_->ev.data = this;
        context_->ev.addWrite = [](void* self) { static_cast<Looper*>(self)->writes_ = true; };
        context_->ev.cleanup = [](void* self) { static_cast<Looper*>(self)->stop_polling(); };
        uv_poll_init(loop, &poll_, context_->c.fd);
        poll_.data = this;
        poll_for(UV_READABLE | UV_WRITABLE);
    }
    Looper(const Looper&) = delete;
    Looper& operator=(const Looper&) = delete;

    /// Called at the end of each turn of the loop.
    void flush() {
        if (context_ != nullptr && connected() && std::exchange(writes_, false)) {
            redisAsyncHandleWrite(context_);
        }
    }

    void send() {
        Argv& argv = rounds_.next();
        redisAsyncCommandArgv(context_, &Looper::replied, this, argv.count(), argv.words(),
                              argv.lengths());
    }
    bool is_open() const { return context_ != nullptr; }
    /// Closes the connection, whatever it waits for.
    void end() {
        if (context_ != nullptr) redisAsyncFree(context_);
    }
    std::uint64_t done() const { return done_; }
    const std::string& trouble() const { return trouble_; }

private:
    bool connected() const { return (context_->c.flags & REDIS_CONNECTED) != 0; }
    void poll_for(int events) {
        uv_poll_start(&poll_, events, [](uv_poll_t* poll, int, int happened) {
            static_cast<Looper*>(poll->data)->polled(happened);
        });
    }
    void polled(int happened) {
        if (!connected()) {
            redisAsyncHandleWrite(context_);
            if (context_ != nullptr && connected()) poll_for(UV_READABLE);
        } else if ((happened & UV_READABLE) != 0) {
            redisAsyncHandleRead(context_);
        }
    }
    void stop_polling() {
        context_ = nullptr;
        uv_close(reinterpret_cast<uv_handle_t*>(&poll_), nullptr);
    }

    static void replied(redisAsyncContext* context, void* raw, void* self) {
        static_cast<Looper*>(self)->take(context, static_cast<redisReply*>(raw));
    }
    void take(redisAsyncContext* context, const redisReply* raw) {
        try {
            const bool round_is_over = rounds_.take(raw);
            done_ += round_is_over ? 1 : 0;
            if (!round_is_over || !window_.over) return send();
        } catch (const std::runtime_error& error) {
            trouble_ = error.what();
            if (raw == nullptr) return;
        }
        redisAsyncFree(context);
    }

    ReadyRounds rounds_;
    const Window& window_;
    redisAsyncContext* context_ = nullptr;
    uv_poll_t poll_{};
    bool writes_ = false;
    std::uint64_t done_ = 0;
    std::string trouble_;
};

}  // namespace

std::vector<RecordedRounds> record_rounds(const Algorithm& algorithm, const LockOptions& options,
                                          const Endpoint& endpoint, std::size_t clients) {
    LiveConfig config;
    config.algorithm = &algorithm;
    config.options = options;
    config.workload.lock_alone = true;
    config.clients = 1;
    config.grants = std::max<std::size_t>(1, kRecorded / clients);
    config.patience = kPatience;
    std::vector<RecordedRounds> rounds(clients);
    std::string why;
    LiveLoop(endpoint).run(
        std::vector<LiveConfig>(clients, config), clients, [&](std::size_t i, LiveResult result) {
            for (const Event& event : result.history.events) {
                if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
                    rounds[i].commands.push_back(ran->command);
                    rounds[i].replies.push_back(ran->reply);
                }
            }
            rounds[i].count = result.grants;
            if (result.grants == 0) why = why_no_grant(result);
        });
    if (!why.empty()) fail(why);
    return rounds;
}

RecordedRounds ping_rounds() { return {{Command::of("PING")}, {Reply::status("PONG")}, 1}; }

struct BareClient::State {
    explicit State(const RecordedRounds& its_rounds) : rounds(its_rounds), ready(rounds) {}

    const RecordedRounds rounds;
    ReadyRounds ready;
    ContextPtr context;
};

BareClient::BareClient(const Endpoint& endpoint, const RecordedRounds& rounds)
    : state_(std::make_unique<State>(rounds)) {
    warm_up(endpoint, rounds);
    state_->context = connect_blocking(endpoint, kLimit);
    if (state_->context == nullptr || state_->context->err != 0) fail("no connection");
}

BareClient::~BareClient() = default;

Pace BareClient::run_for(Duration window, Duration hold) {
    prctl(PR_SET_TIMERSLACK, 1);  // ns: makes a hold as long as on the reactor's timer
    ReadyRounds& rounds = state_->ready;
    redisContext* context = state_->context.get();
    const double limit = std::chrono::duration<double>(window).count();
    const Clock::time_point began = Clock::now();
    Pace pace;
    do {
        for (bool over = false; !over;) {
            if (hold != Duration::zero() && rounds.next_is_last_of_round()) {
                std::this_thread::sleep_for(hold);
            }
            Argv& argv = rounds.next();
            redisAppendCommandArgv(context, argv.count(), argv.words(), argv.lengths());
            const ReplyPtr raw = await_reply(*context, kLimit);
            over = rounds.take(raw.get());
        }
        ++pace.rounds;
        pace.seconds = seconds_since(began);
    } while (pace.seconds < limit);
    return pace;
}

Pace run_asynchronous(const Endpoint& endpoint, const std::vector<RecordedRounds>& clients,
                      Duration window) {
    for (const RecordedRounds& rounds : clients) warm_up(endpoint, rounds);
    uv_loop_t loop;
    uv_loop_init(&loop);
    Window until;
    std::vector<std::unique_ptr<Looper>> loopers;
    for (const RecordedRounds& rounds : clients) {
        loopers.push_back(std::make_unique<Looper>(endpoint, rounds, &loop, until));
    }
    for (const auto& looper : loopers) looper->send();
    uv_timer_t timer;
    uv_timer_init(&loop, &timer);
    timer.data = &until;
    uv_timer_start(&timer, Window::ring, milliseconds_of(window), milliseconds_of(kLimit));
    const Clock::time_point began = Clock::now();
    for (bool ended = false; uv_run(&loop, UV_RUN_ONCE) != 0;) {
        for (const auto& looper : loopers) looper->flush();
        const bool working = std::any_of(loopers.begin(), loopers.end(),
                                         [](const auto& looper) { return looper->is_open(); });
        if (ended || (working && !until.late)) continue;
        ended = true;
        for (const auto& looper : loopers) looper->end();
        uv_close(reinterpret_cast<uv_handle_t*>(&timer), nullptr);
    }
    Pace pace;
    pace.seconds = seconds_since(began);
    uv_loop_close(&loop);
    for (const auto& looper : loopers) {
        if (!looper->trouble().empty()) throw std::runtime_error(looper->trouble());
        pace.rounds += looper->done();
    }
    return pace;
}

}  // namespace locklab
