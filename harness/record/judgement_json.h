// Judgements as JSON. Keys are a contract: more may be added, none renamed.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/check/judge.h"

namespace locklab {

/// One run, with its first violations.
nlohmann::ordered_json judgement_json(const Judgement& judgement);

}  // namespace locklab
