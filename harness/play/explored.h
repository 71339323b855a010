// What a search of one lock came to: its verdict, what was exhausted, and the witness, which the
// stage has seen, as a story.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/core/scene.h"
#include "harness/explore/proof.h"
#include "harness/explore/state_graph.h"
#include "harness/play/finding.h"

namespace locklab {

struct Explored {
    const Algorithm* algorithm = nullptr;
    Bounds bounds;
    SearchResult result;
    double seconds = 0;
    /// What `result` was taken from, where it is more than one search.
    std::vector<Proof> proofs;
    /// Beside a violation: which search of which proof found a client stuck.
    std::optional<std::size_t> stuck_search;
    std::size_t stuck_proof = 0;
    /// What is told beside the verdict.
    std::optional<Finding> orphaned;
    std::optional<Finding> falsely_refused;
    std::optional<Finding> stuck;  ///< beside a violation
    /// What random schedules exercised, which prove nothing.
    std::optional<Coverage> exercised;
    std::string strategy = "exhaustive";
    /// Of random schedules; how many there were, and how many of them were violated.
    std::optional<std::uint64_t> seed;
    std::optional<std::uint64_t> schedules;
    std::optional<std::uint64_t> violated_schedules;
    /// How many steps a random find had before it was shrunk.
    std::optional<std::size_t> shrunk_from;
    /// No witness within the bounds is shorter.
    bool proved_shortest = false;
    /// What a walk over the whole graph would meet, if that was asked for.
    std::optional<Odds> odds;
    /// The witness as the stage played it, what its judge says of it, and its file.
    std::optional<Scene> scene;
    std::optional<Judgement> judgement;
    std::string trace;
    std::string replay;
};

/// Plays the witness, if there is one, and writes its trace into the folder. The stage must see
/// what the search has found: throws std::runtime_error if it does not, and FileError.
void show_witness(Explored& explored, const std::filesystem::path& folder);

/// Why it was violated, as the stage's judge says; empty where it was not shown or not violated.
std::string cause_of(const Explored& explored);

/// Of its steps, and the clocks that were wrong before the first, those that are faults.
std::size_t faults_in(const Path& witness);

std::string explored_text(const Explored& explored);

/// Of all these.
Verdict gravest_of(const std::vector<Explored>& all);

}  // namespace locklab
