// A counterexample of a search as a file: lock, bounds, and the steps in words.
#pragma once

#include <string>
#include <string_view>

#include "harness/explore/path.h"
#include "harness/play/step_player.h"

namespace locklab {

/// The witness of a search within these bounds. `newcomer`: at the end a new client comes and
/// waits.
Find find_of(const Algorithm& algorithm, const Bounds& bounds, const Path& witness, bool newcomer);
/// The same; at the end `waiter` waits. If it is the number of clients, it is a newcomer.
Find find_of(const Algorithm& algorithm, const Bounds& bounds, const Path& witness,
             ClientId waiter);
/// Stem of its file name, without an ending: explore.LOCK.FAULTS.c2r1a3.
std::string trace_name(const Find& find);

/// One line of JSON: a "locklab-trace" like the others, with "kind": "steps".
std::string to_json(const Find& find);

/// Whether the text is a trace of a counterexample.
bool is_find_trace(std::string_view text);

/// Throws FormatError with one sentence.
Find read_find(std::string_view text, std::string_view name);

}  // namespace locklab
