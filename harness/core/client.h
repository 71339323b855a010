// What a lock algorithm sees of the world, and nothing else: Redis commands, its own clocks,
// sleep, a fresh token, a background task, and a way to tell the holder that the lock is lost.
#pragma once

#include <coroutine>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "harness/core/host.h"
#include "harness/core/sharing.h"
#include "harness/core/task.h"

namespace locklab {

class Client;

/// Identifies a background task that a client spawned, until the task ends or is cancelled.
struct Background {
    Client* of = nullptr;
    std::uint32_t slot = 0;
    std::uint64_t birth = 0;  ///< 0: no task
};

class [[nodiscard]] CommandAwaiter {
public:
    explicit CommandAwaiter(Client& client) : client_(client) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> task);
    Reply await_resume();

private:
    Client& client_;
};

class [[nodiscard]] SleepAwaiter {
public:
    explicit SleepAwaiter(Client& client) : client_(client) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> task);
    void await_resume() const noexcept {}

private:
    Client& client_;
};

class [[nodiscard]] RepliesAwaiter {
public:
    explicit RepliesAwaiter(Client& client) : client_(client) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> task);
    std::vector<Reply> await_resume();

private:
    Client& client_;
};

/// g++ 12 destroys an aggregate temporary twice if its expression contains a co_await. So a word of
/// a command must be a variable, have constructors, or need no destructor.
template <class Word>
concept OutlivesCoAwait =
    std::is_lvalue_reference_v<Word> || !std::is_aggregate_v<std::remove_cvref_t<Word>> ||
    std::is_trivially_destructible_v<std::remove_cvref_t<Word>>;

class Client {
public:
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// co_await client.command("SET", key, token, "NX", "PX", 30000) sends one command to the
    /// Redis server and gives its Reply, Unknown if none came in time.
    template <OutlivesCoAwait... Words>
    CommandAwaiter command(Words&&... words) {
        return command(NodeId{0}, words...);
    }
    /// The same to one of several servers.
    template <OutlivesCoAwait... Words>
    CommandAwaiter command(NodeId server, Words&&... words) {
        next_command(server).assign(words...);
        return CommandAwaiter(*acting_);
    }
    /// Runs a script: KEYS[1] = key, ARGV = arguments.
    template <OutlivesCoAwait... Words>
    CommandAwaiter eval(const Script& script, const Key& key, Words&&... arguments) {
        next_command(NodeId{0}).assign_eval(script, key, arguments...);
        return CommandAwaiter(*acting_);
    }
    /// ask_all() and eval_all() send to every server at once. The replies come together, in the
    /// order of servers, once each server has answered or was given up on.
    template <OutlivesCoAwait... Words>
    RepliesAwaiter ask_all(Words&&... words) {
        next_command_to_all().assign(words...);
        return RepliesAwaiter(*acting_);
    }
    template <OutlivesCoAwait... Words>
    RepliesAwaiter eval_all(const Script& script, const Key& key, Words&&... arguments) {
        next_command_to_all().assign_eval(script, key, arguments...);
        return RepliesAwaiter(*acting_);
    }
    /// How many Redis servers there are.
    std::uint32_t servers() const { return host_.servers(); }
    /// A question to the harness' own oracle: the job's register, the oracle mutex.
    template <OutlivesCoAwait... Words>
    CommandAwaiter ask_oracle(Words&&... words) {
        next_command(kOracle).assign(words...);
        return CommandAwaiter(*acting_);
    }

    /// A negative duration does not wait at all.
    SleepAwaiter sleep(Duration duration);

    /// This client's own wall clock, which may be wrong, and its monotonic clock.
    WallTime now() { return host_.now(acting_->id_); }
    MonotonicTime monotonic() { return host_.monotonic(acting_->id_); }

    /// A value that is never returned again in the run.
    Token fresh_token() { return host_.fresh_token(acting_->id_); }

    /// Starts a second task of this client, which runs at once to its first await. It ends with
    /// the client, or when cancelled; a command that it has sent by then stays sent.
    Background spawn(Task<> task);
    /// Does nothing if the task has ended.
    void cancel(Background& task);
    /// Whether a task that was spawned goes on.
    bool has_background() const;

    /// Tells the holder that the lock is lost: it is no longer inside and will not write. Does
    /// nothing if the client does not have the lock.
    void lost();

    /// The id of the asking task, if several tasks share the lock object: each has its own.
    ClientId id() const { return acting_->id_; }
    /// From now on eval() and eval_all() send a script as EVALSHA, and its whole text to a server
    /// that answers NOSCRIPT, as client libraries do: of several to one after the other.
    void send_scripts_by_sha() { process_->by_sha_ = true; }

    /// The mode in which the client wants the lock: alone, unless the lock's row allows sharing.
    Mode mode() const { return acting_->mode_; }

protected:
    friend class CommandAwaiter;
    friend class RepliesAwaiter;
    friend class SleepAwaiter;

    /// A task of the client, suspended at `parked` until its action is answered.
    struct Slot {
        Runner runner;
        Task<> root;
        std::coroutine_handle<> parked;
        Action action;
        Reply reply;
        std::vector<Reply> replies;  ///< from all servers
        std::uint32_t missing = 0;   ///< how many of these have not come
        std::uint64_t birth = 0;     ///< 0: the slot is free
        ResourceId resource;         ///< which lock the task is about
        /// The script whose EVALSHA the task waits for; null: it waits for something else.
        std::unique_ptr<Command> by_sha;
        std::uint32_t round = 0;  ///< for a background task: the round in which it began
    };

    /// `process`: the first task of the process, whose lock object this one shares and which the
    /// lock sees as its client; null: this is the first task.
    Client(ClientId id, Host& host, Mode mode, Client* process)
        : id_(id), host_(host), mode_(mode), process_(process == nullptr ? this : process) {}
    ~Client() = default;

    /// The running task's command, in the memory of its last one unless the host took that.
    Command& next_command(NodeId node);
    Command& next_command_to_all();
    void park(std::coroutine_handle<> task);
    /// Replaces the script that is about to be sent by its digest.
    void name_by_sha(Slot& slot);
    /// Resumes the coroutine in a slot until it waits again or ends.
    void run(std::uint32_t slot);

    ClientId id_;
    Host& host_;
    Mode mode_;
    Client* process_;
    Client* acting_ = this;  ///< the task that is being run, of those that share the object
    static void end(Slot& slot) {
        slot.root = Task<>();
        slot.birth = 0;
    }
    Slot& slot(std::uint32_t task) { return task == 0 ? worker_ : *background_[task - 1]; }
    const Slot& slot(std::uint32_t task) const {
        return task == 0 ? worker_ : *background_[task - 1];
    }

    Slot worker_;  // here, and not behind a pointer, because each step of the client reads it
    std::vector<std::unique_ptr<Slot>> background_;
    std::uint32_t running_ = 0;
    std::uint32_t round_ = 0;  ///< counts from 1; 0 before the first
    std::uint32_t last_ticket_ = 0;
    std::uint64_t last_birth_ = 0;
    std::uint32_t held_ = 0;  ///< a bit for each lock that the client has...
    std::uint32_t lost_ = 0;  ///< ...and for each that it was told is lost
    Phase phase_ = Phase::idle;
    bool by_sha_ = false;  ///< for a process: see send_scripts_by_sha()
};

inline void CommandAwaiter::await_suspend(std::coroutine_handle<> task) { client_.park(task); }
inline Reply CommandAwaiter::await_resume() {
    return std::move(client_.slot(client_.running_).reply);
}
inline void RepliesAwaiter::await_suspend(std::coroutine_handle<> task) { client_.park(task); }
inline std::vector<Reply> RepliesAwaiter::await_resume() {
    return std::move(client_.slot(client_.running_).replies);
}
inline void SleepAwaiter::await_suspend(std::coroutine_handle<> task) { client_.park(task); }

}  // namespace locklab
