// Texts on the searches behind a verdict: bounds, faults, coverage.
#pragma once

#include <string>

#include "harness/explore/coverage.h"
#include "harness/play/explored.h"

namespace locklab {

/// The scope of the verdict, a line for each search: that of the witness, else all.
std::string bounds_text(const Explored& explored);
/// The lengths of everything that takes time, as far as the faults make use of it: the verdict
/// holds for these lengths alone.
std::string lengths_text(const Explored& explored);
/// The same for one search, with the lengths that the faults in `of` make use of.
std::string lengths_text(const Bounds& bounds, const FaultBudget& of);
/// The faults; if there are several sets, the result of each.
std::string claims_text(const Explored& explored);
/// How far searches went deeper by themselves; empty: not at all.
std::string deepened_text(const Explored& explored);
/// What a proof rests on.
std::string coverage_text(const Explored& explored);

/// Bounds of a search for people: 2 clients, 1 round, 3 attempts.
std::string search_text(const Bounds& bounds);
/// Coverage of all its searches together.
Coverage coverage_of(const Explored& explored);

}  // namespace locklab
