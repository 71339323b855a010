// A play as the report's page shows it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/core/scene.h"

namespace locklab {

/// {"steps": [...], "svg", "mermaid"}: to be stepped through, to be looked at, to be pasted.
nlohmann::ordered_json scene_json(const Scene& scene);

}  // namespace locklab
