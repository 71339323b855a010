// The driver protocol, JSON lines (drivers/PROTOCOL.md): what is asked, and what an answer says. A
// line that is not as it should be is one sentence.
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

/// What a library says of itself.
struct DriverTraits {
    std::string library;
    std::string version;
    bool many_nodes = false;
    bool waits = false;
    bool renews = false;
    bool extends = false;
    bool tells = false;  ///< of a loss
    bool fences = false;
};

struct DriverAnswer {
    std::uint64_t id = 0;
    DriverOp op = DriverOp::hello;
    /// By the driver's monotonic clock: of this driver alone.
    Duration called{0};
    Duration answered{0};
    /// Granted, extended, released, or a step that is ok; nothing: it told nothing, or an error.
    std::optional<bool> yes;
    bool lost = false;  ///< of a step: it has been told that it lost the lock
    std::string token{};
    std::optional<Duration> valid{};
    std::optional<std::uint64_t> fence{};
    std::string error{};    ///< empty: none
    bool definite = false;  ///< of an error: nothing has happened
    DriverTraits traits{};  ///< of a hello
};

/// Said at any time, unasked.
struct DriverEvent {
    enum class Kind : std::uint8_t { lost, unhandled, crash };
    Kind kind = Kind::lost;
    std::string what{};
};

class DriverLines {
public:
    /// `name` is what sentences call the driver.
    explicit DriverLines(std::string name) : name_(std::move(name)) {}

    /// The line that asks this, with its end, and the number that its answer will have. `more`:
    /// what the operation takes.
    std::string ask(DriverOp op, const nlohmann::ordered_json& more = nullptr);
    std::uint64_t asked() const { return asked_; }
    /// How many answers are still to come.
    std::size_t waiting() const { return waiting_.size(); }
    /// Throws FormatError: for what is no line of the protocol, for an answer to what was not asked
    /// or was answered before, and for times that go back.
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
