// The driver protocol in JSON lines (drivers/PROTOCOL.md): requests, and the meaning of answers.
// The error for a bad line is one sentence.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "harness/core/time.h"

namespace locklab {

class JsonLine;

enum class DriverOp : std::uint8_t { hello, open, acquire, step, extend, release, close, exit };
inline constexpr std::array<std::string_view, 8> kDriverOps{"hello",  "open",    "acquire", "step",
                                                            "extend", "release", "close",   "exit"};
/// The one line that has no answer.
inline constexpr std::string_view kCancel = "cancel";

/// A library's description of itself.
struct DriverTraits {
    std::string library;
    std::string version;
    bool many_nodes = false;
    bool waits = false;
    bool renews = false;
    bool extends = false;
    bool tells = false;  ///< reports a loss
    bool fences = false;
};

struct DriverAnswer {
    std::uint64_t id = 0;
    DriverOp op = DriverOp::hello;
    /// By this driver's monotonic clock.
    Duration called{0};
    Duration answered{0};
    /// Granted, extended, released, or step ok; nothing: it did not say, or there was an error.
    std::optional<bool> yes;
    bool lost = false;  ///< of a step: the library says that the lock is lost
    std::string token{};
    std::optional<Duration> valid{};
    std::optional<std::uint64_t> fence{};
    std::string error{};    ///< empty: none
    bool definite = false;  ///< of an error: nothing has happened
    DriverTraits traits{};  ///< of a hello
};

/// A line that comes unasked, at any time.
struct DriverEvent {
    enum class Kind : std::uint8_t { lost, unhandled, crash };
    Kind kind = Kind::lost;
    std::string what{};
};

class DriverLines {
public:
    /// `name` is the driver's name in sentences.
    explicit DriverLines(std::string name) : name_(std::move(name)) {}

    /// The request as a line, with its end; asked() is the number that its answer will have.
    /// `more`: arguments of the operation.
    std::string ask(DriverOp op, const nlohmann::ordered_json& more = nullptr);
    std::uint64_t asked() const { return asked_; }
    /// The line, with its end, that cancels the call of this number.
    static std::string cancel(std::uint64_t id);
    /// Number of answers still to come.
    std::size_t waiting() const { return waiting_.size(); }
    /// Throws FormatError for a line that breaks the protocol, an answer that was not asked for or
    /// came before, and times that go back.
    std::variant<DriverAnswer, DriverEvent> read(std::string_view line);

private:
    DriverAnswer read_answer(JsonLine& line);
    static DriverEvent read_event(JsonLine& line);
    static void read_result(JsonLine& line, DriverAnswer& answer);
    static DriverTraits read_traits(JsonLine& line);

    std::string name_;
    std::uint64_t asked_ = 0;
    std::size_t lines_ = 0;
    Duration latest_{0};
    std::map<std::uint64_t, DriverOp> waiting_;
};

}  // namespace locklab
