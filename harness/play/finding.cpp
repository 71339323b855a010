#include "harness/play/finding.h"

#include <cstdio>
#include <stdexcept>

#include "harness/check/judge.h"
#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/play/explore_trace.h"
#include "harness/play/explored.h"
#include "harness/record/files.h"
#include "harness/record/typed.h"
#include "harness/stage/sim_world.h"

namespace locklab {

namespace {

/// What a search finds that did not follow a background task may be otherwise on the stage.
bool is_told(const Searched& searched) { return !searched.result.has_ghosts; }

/// The longest wait of all searches; of those that are as long, the first.
const Searched* most_orphaned(const Explored& explored) {
    const Searched* most = nullptr;
    for (const Proof& proof : explored.proofs) {
        for (const Searched& searched : proof.searches) {
            const Duration wait = searched.result.longest_orphan;
            const bool is_longer =
                most == nullptr ? wait > Duration::zero() : wait > most->result.longest_orphan;
            if (is_longer && is_told(searched)) most = &searched;
        }
    }
    return most;
}

/// The shortest witness of all searches.
const Searched* most_falsely_refused(const Explored& explored) {
    const auto length = [](const Searched& searched) {
        return searched.result.false_refusals.witness.steps.size();
    };
    const Searched* shortest = nullptr;
    for (const Proof& proof : explored.proofs) {
        for (const Searched& searched : proof.searches) {
            if (searched.result.false_refusals.count() == 0 || !is_told(searched)) continue;
            if (shortest == nullptr || length(searched) < length(*shortest)) shortest = &searched;
        }
    }
    return shortest;
}

/// Its judgement, if the stage can play it.
std::optional<Judgement> played(const Find& find) {
    SimWorld world;
    try {
        return judge(play_steps(find, world, Key{"lock"}).history);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(std::string(error.what()) + ": this is a bug of locklab");
    }
}

template <class IsSeen>
std::optional<Finding> finding_of(const Explored& explored, const Searched& searched,
                                  const Path& witness, bool newcomer, const char* name,
                                  const std::filesystem::path& folder, IsSeen is_seen) {
    const Find find = find_of(*explored.algorithm, searched.bounds, witness, newcomer);
    if (!is_seen(*played(find))) return std::nullopt;
    const std::filesystem::path file = folder / (trace_name(find) + "." + name + ".json");
    write_file(file, to_json(find));
    return Finding{searched.bounds, witness, file.string(),
                   typed_program() + " replay " + typed(file)};
}

/// "1.1 of its TTL"; nothing for a lock that has none.
std::string in_ttls(const Explored& explored) {
    const Duration ttl = explored.bounds.options.ttl;
    if (ttl == Duration::zero()) return "";
    char text[48];
    std::snprintf(text, sizeof text, " (%.1f of its TTL)",
                  static_cast<double>(explored.result.longest_orphan.count()) /
                      static_cast<double>(ttl.count()));
    return text;
}

}  // namespace

void show_findings(Explored& explored, const std::filesystem::path& folder) {
    if (const Searched* most = most_orphaned(explored)) {
        explored.orphaned =
            finding_of(explored, *most, most->result.orphan_witness, true, "orphaned", folder,
                       [](const Judgement& seen) {
                           return seen.liveness.longest_orphan_wait > Duration::zero();
                       });
    }
    if (const Searched* most = most_falsely_refused(explored)) {
        explored.falsely_refused =
            finding_of(explored, *most, most->result.false_refusals.witness, false, "false_refusal",
                       folder, [](const Judgement& seen) { return seen.refusals.falsely() > 0; });
    }
}

std::string findings_text(const Explored& explored) {
    if (explored.result.verdict == Verdict::violated) return "";
    std::string text;
    if (explored.orphaned) {
        text += "  orphaned: clients wait " + to_string(explored.result.longest_orphan) +
                in_ttls(explored) + (explored.result.exhausted ? " at most" : " or longer") +
                " for a lock that no live client holds\n    replay: " + explored.orphaned->replay +
                "\n";
    }
    if (explored.result.counts_on_waiters) text += kCountsOnWaiters;
    if (explored.falsely_refused) {
        const FalseRefusals sum = false_refusals_of(explored);
        text += "  false refusals: in " + counted(sum.count(), "state") +
                " a try is refused though the lock is its caller's own (" +
                std::to_string(sum.of_own) + ") or nobody's (" + std::to_string(sum.of_nobodys) +
                ")\n    replay: " + explored.falsely_refused->replay + "\n";
    }
    return text;
}

FalseRefusals false_refusals_of(const Explored& explored) {
    FalseRefusals sum;
    for (const Proof& proof : explored.proofs) {
        for (const Searched& searched : proof.searches) {
            sum.of_own += searched.result.false_refusals.of_own;
            sum.of_nobodys += searched.result.false_refusals.of_nobodys;
        }
    }
    return sum;
}

}  // namespace locklab
