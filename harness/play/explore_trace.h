// A find of a search as a file: who, within which bounds, and the steps in words.
#pragma once

#include <string>
#include <string_view>

#include "harness/explore/path.h"
#include "harness/play/step_player.h"

namespace locklab {

/// The witness of a search within these bounds. `newcomer`: in the end somebody comes and waits.
Find find_of(const Algorithm& algorithm, const Bounds& bounds, const Path& witness, bool newcomer);
/// The same; `waiter` waits in the end. By the number of clients, it is a newcomer.
Find find_of(const Algorithm& algorithm, const Bounds& bounds, const Path& witness,
             ClientId waiter);
/// What its file is called after, without an ending: explore.LOCK.FAULTS.c2r1a3.
std::string trace_name(const Find& find);

/// One line of JSON: a "locklab-trace" as the others, with "kind": "steps".
std::string to_json(const Find& find);

/// Whether the text of a trace is that of a find.
bool is_find_trace(std::string_view text);

/// Throws FormatError with one sentence.
Find read_find(std::string_view text, std::string_view name);

}  // namespace locklab
