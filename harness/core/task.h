// A lazy coroutine that returns a T. It runs only when awaited. Destroying its owner destroys it,
// with all that it awaits.
//
// No coroutine here resumes another from inside itself: it leaves the next handle in the Runner,
// whose loop resumes it. So a hundred thousand completions in a row need no stack, with or without
// the compiler's tail calls.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "harness/core/assert.h"

namespace locklab {

/// One chain of awaiting coroutines, and the one to resume next.
struct Runner {
    std::coroutine_handle<> next;

    void run() {
        while (next) std::exchange(next, nullptr).resume();
    }
};

namespace detail {

struct PromiseBase {
    Runner* runner = nullptr;
    std::coroutine_handle<> awaiting;

    struct FinalAwaiter {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> finished) const noexcept {
            PromiseBase& promise = finished.promise();
            promise.runner->next = promise.awaiting;
        }
        void await_resume() const noexcept {}
    };

    std::suspend_always initial_suspend() const noexcept { return {}; }
    FinalAwaiter final_suspend() const noexcept { return {}; }
    /// The awaiting coroutine gets the same exception. The first of a chain has none: its owner
    /// asks.
    void unhandled_exception() noexcept { thrown = std::current_exception(); }
    void throw_again() const {
        if (thrown) std::rethrow_exception(thrown);
    }

    std::exception_ptr thrown;
};

template <class T>
struct Promise : PromiseBase {
    std::optional<T> value;
    auto get_return_object() { return std::coroutine_handle<Promise>::from_promise(*this); }
    void return_value(T result) { value.emplace(std::move(result)); }
    T take() {
        throw_again();
        return std::move(*value);
    }
};

template <>
struct Promise<void> : PromiseBase {
    auto get_return_object() { return std::coroutine_handle<Promise>::from_promise(*this); }
    void return_void() const noexcept {}
    void take() const { throw_again(); }
};

}  // namespace detail

template <class T = void>
class [[nodiscard]] Task {
public:
    using promise_type = detail::Promise<T>;
    using Handle = std::coroutine_handle<promise_type>;

    Task() = default;
    Task(Handle handle) : handle_(handle) {}
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Task() {
        if (handle_) handle_.destroy();
    }

    bool done() const { return !handle_ || handle_.done(); }
    /// The exception that ended the coroutine; null: none did.
    std::exception_ptr thrown() const { return handle_ ? handle_.promise().thrown : nullptr; }

    /// Makes this the first coroutine of `runner`, which must outlive the task.
    void start_on(Runner& runner) {
        LOCKLAB_ASSERT(handle_ && !handle_.done());
        handle_.promise().runner = &runner;
        runner.next = handle_;
    }

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> awaiting) noexcept {
        promise_type& promise = handle_.promise();
        promise.awaiting = awaiting;
        promise.runner = awaiting.promise().runner;
        promise.runner->next = handle_;
    }
    T await_resume() { return handle_.promise().take(); }

private:
    Handle handle_;
};

}  // namespace locklab
