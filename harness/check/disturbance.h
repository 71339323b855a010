// Whether the server under a live run, or the way to it, made the run mean less than it was meant
// to: a delay that nobody planned breaks a lease as well as one that was.
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
        late,          ///< this process was late, or a restarted server was
        unanswered,    ///< a command was not answered in time
        disconnected,  ///< a connection broke, or was refused
        refused,       ///< the server refused a command by its own doing: READONLY, OOM, ...
        clock,         ///< somebody set the machine's clock, by which a server's keys expire
    };
    Kind kind = Kind::late;
    std::string words;  ///< the server's or the system's own, to be shown; may be empty
};

/// Every kind, by its value.
inline constexpr std::array<std::string_view, 5> kDisturbances{"late", "unanswered", "disconnected",
                                                               "refused", "clock"};

/// What disturbed a live run, as its history tells: the server refused a command, or an answer was
/// Unknown though no fault had struck its command or its server. Sim has no machine to be slow.
std::optional<Disturbance> disturbance_of(const History& history);

/// What the machine did to a live run: how late it was, and how far somebody set its clock. Up to
/// `most` neither matters.
std::optional<Disturbance> disturbance_by_machine(Duration lag, Duration clock_step, Duration most);

inline bool was_disturbed(const History& history) { return disturbance_of(history).has_value(); }

}  // namespace locklab
