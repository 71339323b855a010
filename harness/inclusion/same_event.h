// Whether an event by the rules equals the event that a history tells.
#pragma once

#include <string>

#include "harness/core/history.h"

namespace locklab {

/// How far the history may differ from the rules, for locks that show their clock readings.
struct Tolerance {
    std::int64_t units = 0;  ///< for a number in a command or a token
    Duration lease{0};
};

bool same_command(const Command& one, const Command& other, const Tolerance& tolerance);
/// For faults the phase is ignored: it may be that of any task.
bool same_event(const Event& rules, const Event& told, const Tolerance& tolerance);

/// What a client does, to follow its name: "sends DEL lock".
std::string deed_of(const Event& event);
/// "client B"
std::string name_of(ClientId client);

}  // namespace locklab
