// The result of searching one lock: its verdict, what was exhausted, and the witness, confirmed on
// the stage, as a story.
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
    /// The proofs behind `result`, if there is more than one search.
    std::vector<Proof> proofs;
    /// In addition to a violation: the search, and its proof, that found a client stuck.
    std::optional<std::size_t> stuck_search;
    std::size_t stuck_proof = 0;
    /// Findings in addition to the verdict.
    std::optional<Finding> orphaned;
    std::optional<Finding> falsely_refused;
    std::optional<Finding> stuck;  ///< in addition to a violation
    /// What random schedules exercised, which prove nothing.
    std::optional<Coverage> exercised;
    std::string strategy = "exhaustive";
    /// Of random schedules: their seed, their number, and how many of them were violated.
    std::optional<std::uint64_t> seed;
    std::optional<std::uint64_t> schedules;
    std::optional<std::uint64_t> violated_schedules;
    /// Number of steps of a random witness before it was shrunk.
    std::optional<std::size_t> shrunk_from;
    /// No witness within the bounds is shorter.
    bool proved_shortest = false;
    /// Probabilities of a random walk over the whole graph, if that was asked for.
    std::optional<Odds> odds;
    /// The witness as the stage played it, its judgement, and its file.
    std::optional<Scene> scene;
    std::optional<Judgement> judgement;
    std::string trace;
    std::string replay;
};

/// Plays the witness, if there is one, and writes its trace into the folder. Throws FileError, and
/// std::runtime_error if the stage does not see what the search found.
void show_witness(Explored& explored, const std::filesystem::path& folder);

/// The cause of the violation, from the stage's judge; empty if it was not shown or not violated.
std::string cause_of(const Explored& explored);

/// Number of faults among its steps and the clocks that were wrong before the first.
std::size_t faults_in(const Path& witness);

std::string explored_text(const Explored& explored);

/// The gravest verdict of all.
Verdict gravest_of(const std::vector<Explored>& all);

}  // namespace locklab
