// Whether something that a client does by the rules is what a history tells.
#pragma once

#include <string>

#include "harness/core/history.h"

namespace locklab {

/// How far what is told may be from the rules: for locks that show what their clocks say.
struct Tolerance {
    std::int64_t units = 0;  ///< of a number in a command or a token
    Duration lease{0};
};

bool same_command(const Command& one, const Command& other, const Tolerance& tolerance);
/// Of faults, not the phase: it is that of any task.
bool same_event(const Event& rules, const Event& told, const Tolerance& tolerance);

/// What a client does, after its name: "sends DEL lock".
std::string deed_of(const Event& event);
/// "client B"
std::string name_of(ClientId client);

}  // namespace locklab
