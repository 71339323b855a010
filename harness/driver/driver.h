// A driver: the process and its protocol. Whatever it does, the result is an answer, an event,
// silence, or a failure in one sentence; after a failure nothing of it runs any more.
#pragma once

#include <string>
#include <variant>

#include "harness/driver/driver_lines.h"
#include "harness/driver/driver_process.h"

namespace locklab {

/// It says nothing for now. That is no failure: it may still do, or answer, what it was asked.
struct DriverSilence {};
/// It broke the protocol, or ended. The sentence names the driver, and its last words.
struct DriverFailure {
    std::string sentence;
    bool has_ended = false;  ///< its process ended by itself
};
using DriverWord = std::variant<DriverSilence, DriverAnswer, DriverEvent, DriverFailure>;

class Driver {
public:
    /// Most answers owed at once, and most events between two answers; with more it fails.
    static constexpr std::size_t kMostWaiting = 100;
    static constexpr std::size_t kMostEvents = 1000;

    /// `name` is used in sentences: "redis-py". Throws as DriverProcess does.
    Driver(std::string name, const DriverProcess::Start& start);

    /// Returns the number that the answer will have. If the driver does not read, hear() reports
    /// the failure.
    std::uint64_t ask(DriverOp op, const nlohmann::ordered_json& more = nullptr);
    /// Its caller cancels the call of this number, if it is under way.
    void cancel(std::uint64_t id);
    DriverWord hear(Duration limit);
    /// Asks it to end, and waits; then kills it. Answers still owed do not matter. Returns nothing,
    /// or a sentence if it failed or did not end by itself.
    std::string finish(Duration limit);

    DriverProcess& process() { return process_; }
    const DriverProcess& process() const { return process_; }
    const std::string& name() const { return name_; }

private:
    DriverFailure fail(const std::string& what, bool has_ended = false);

    const std::string name_;
    DriverProcess process_;
    DriverLines lines_;
    std::size_t events_ = 0;
    std::string failure_;
    bool has_ended_ = false;
    bool takes_nothing_ = false;
};

}  // namespace locklab
