// A driver: the process and its protocol. Whatever it does, what comes of it is an answer, an
// event, silence, or one sentence, after which nothing of it runs any more.
#pragma once

#include <string>
#include <variant>

#include "harness/driver/driver_lines.h"
#include "harness/driver/driver_process.h"

namespace locklab {

/// It says nothing for now. That is no failure: what it was asked may still be done, or answered.
struct DriverSilence {};
/// It broke the protocol, or ended. The sentence says which driver, and what it said last.
struct DriverFailure {
    std::string sentence;
    bool has_ended = false;  ///< its process did, by itself
};
using DriverWord = std::variant<DriverSilence, DriverAnswer, DriverEvent, DriverFailure>;

class Driver {
public:
    /// Answers that may be owed at once, and events between two answers; beyond them it fails.
    static constexpr std::size_t kMostWaiting = 100;
    static constexpr std::size_t kMostEvents = 1000;

    /// `name` is what sentences call it: "redis-py". Throws as DriverProcess does.
    Driver(std::string name, const DriverProcess::Start& start);

    /// The number that the answer will have. A driver that does not read fails when it is heard.
    std::uint64_t ask(DriverOp op, const nlohmann::ordered_json& more = nullptr);
    DriverWord hear(Duration limit);
    /// Asks it to end, and waits for that; then it is killed. Answers that were still owed are not
    /// missed. Nothing, or a sentence: it failed, or did not end by itself.
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
