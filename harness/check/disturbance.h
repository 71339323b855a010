// Whether the server of a live run, or the connection to it, made the run less meaningful: an
// unplanned delay breaks a lease just as a planned one does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/history.h"

namespace locklab {

struct Disturbance {
    enum class Kind : std::uint8_t {
        late,          ///< this process, or a restarted server, was late
        unanswered,    ///< a command was not answered in time
        disconnected,  ///< a connection broke, or was refused
        refused,       ///< the server refused a command for its own reasons: READONLY, OOM, ...
        clock,         ///< the machine's clock was set, by which a server's keys expire
        driver,        ///< a driver took too long by itself, on a machine that was in time
    };
    Kind kind = Kind::late;
    std::string words;  ///< the server's or the system's words, to be shown; may be empty
};

/// The names of all kinds, by value.
inline constexpr std::array<std::string_view, 6> kDisturbances{
    "late", "unanswered", "disconnected", "refused", "clock", "driver"};

/// What disturbed a live run, according to its history: the server refused a command, or a reply
/// was Unknown although no fault had struck its command or server. Sim has no machine to be slow.
std::optional<Disturbance> disturbance_of(const History& history);

/// How the machine disturbed a live run: by its lateness, or by a step of its clock. Neither
/// matters up to `most`.
std::optional<Disturbance> disturbance_by_machine(Duration lag, Duration clock_step, Duration most);

inline bool was_disturbed(const History& history) { return disturbance_of(history).has_value(); }

}  // namespace locklab
