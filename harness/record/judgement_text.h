// A judgement for people.
#pragma once

#include <string>

#include "harness/check/judge.h"

namespace locklab {

/// The verdict first, then the counts, then the first violations: when, who, why.
std::string to_text(const Judgement& judgement);

}  // namespace locklab
