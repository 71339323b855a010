// What is said of the searches behind a verdict: their bounds, what was asked, what they exercised.
#pragma once

#include <string>

#include "harness/explore/coverage.h"
#include "harness/play/explored.h"

namespace locklab {

/// What the verdict speaks of, a line for each: of a witness its search, else all searches.
std::string bounds_text(const Explored& explored);
/// How long everything takes, of which the faults make use: all that is known of other lengths is
/// what these show.
std::string lengths_text(const Explored& explored);
/// The same of one search, where each of the lengths of `of` is made use of.
std::string lengths_text(const Bounds& bounds, const FaultBudget& of);
/// The faults; for several sets of them, what came of each.
std::string claims_text(const Explored& explored);
/// How far searches went deeper by themselves; empty: not at all.
std::string deepened_text(const Explored& explored);
/// What a proof rests on.
std::string coverage_text(const Explored& explored);

/// Of a search, as people read it: 2 clients, 1 round, 3 attempts.
std::string search_text(const Bounds& bounds);
/// Of all its searches together.
Coverage coverage_of(const Explored& explored);

}  // namespace locklab
