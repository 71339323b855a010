// What the report's page shows step by step: witnesses of searches, and races of scenarios.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/core/hazard.h"
#include "harness/core/scene.h"
#include "harness/core/world_kind.h"

namespace locklab {

struct MarkRow {
    std::string words;
    std::string cause;
};

struct StepRow {
    std::string kind;
    std::string time;
    std::string words;
    std::string key;
    bool key_changed = false;
    std::vector<std::string> inside;
    std::vector<MarkRow> marks;
};

/// A play, to step through, to look at, and to paste.
struct SceneRow {
    std::vector<StepRow> steps;
    std::string svg;
    std::string mermaid;
};

SceneRow scene_row(const Scene& scene);

/// The shortest known witness for a lock, a hazard and a verdict.
struct WitnessRow {
    std::string algorithm;
    Hazard hazard = kNoFault;
    Verdict verdict = Verdict::unknown;
    std::size_t length = 0;  ///< in steps of the search
    std::uint32_t clients = 0;
    std::string cause;
    std::string replay;
    SceneRow scene;
};

nlohmann::ordered_json to_json(const WitnessRow& row);
void read_row(const nlohmann::ordered_json& json, WitnessRow& row);

/// The outcome of a race with one lock.
struct RaceOutcomeRow {
    std::string algorithm;
    WorldKind world = WorldKind::sim;
    std::string sum;  ///< as sum_of() gives it
    std::string observed;
    bool ok = false;
    std::string replay;
};

/// A race for the report: one play of a scenario step by step, and its outcome with every lock.
struct RaceRow {
    std::string name;
    std::string title;
    std::string source;
    std::string says;
    std::string means;
    std::string verdict_on_source;
    std::string sim_only;
    std::string algorithm;
    std::string sum;
    std::string observed;
    std::string why;
    std::string fix;
    std::string replay;
    SceneRow scene;
    std::vector<RaceOutcomeRow> outcomes;
};

nlohmann::ordered_json to_json(const RaceRow& row);
void read_row(const nlohmann::ordered_json& json, RaceRow& row);

}  // namespace locklab
