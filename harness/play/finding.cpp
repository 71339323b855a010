#include "harness/play/finding.h"

#include <algorithm>
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

/// A search that did not follow a background task may find what the stage does not show.
bool is_told(const Searched& searched) { return !searched.result.has_ghosts; }

/// As campaigns define it.
bool is_orphaned(const Searched& searched) {
    return is_orphan_wait(searched.result.longest_orphan,
                          orphan_limit(longest_ttl(searched.bounds.options, {})));
}

/// The longest wait of all searches; among equal ones, the first.
const Searched* most_orphaned(const Explored& explored) {
    const Searched* most = nullptr;
    for (const Proof& proof : explored.proofs) {
        for (const Searched& searched : proof.searches) {
            const Duration wait = searched.result.longest_orphan;
            const bool is_longer = most == nullptr || wait > most->result.longest_orphan;
            if (is_longer && is_orphaned(searched) && is_told(searched)) most = &searched;
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

/// Its judgement. Throws std::runtime_error if the stage cannot play it.
std::optional<Judgement> played(const Find& find) {
    SimWorld world;
    try {
        return judge(play_steps(find, world, Key{"lock"}).history);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(std::string(error.what()) + ": this is a bug of locklab");
    }
}

template <class IsSeen>
std::optional<Finding> finding_of(const Find& find, const Searched& searched, const Path& witness,
                                  const char* name, const std::filesystem::path& folder,
                                  IsSeen is_seen) {
    if (!is_seen(*played(find))) return std::nullopt;
    const std::filesystem::path file = folder / (trace_name(find) + "." + name + ".json");
    write_file(file, to_json(find));
    return Finding{searched.bounds, witness, file.string(),
                   typed_program() + " replay " + typed(file)};
}

}  // namespace

std::string in_ttls(Duration wait, const Bounds& bounds) {
    const Duration ttl = bounds.options.ttl;
    if (ttl == Duration::zero()) return "";
    char text[48];
    std::snprintf(text, sizeof text, " (%.1f of its TTL)",
                  static_cast<double>(wait.count()) / static_cast<double>(ttl.count()));
    return text;
}

const Searched* stuck_too(const Explored& explored) {
    if (!explored.stuck_search || explored.result.verdict != Verdict::violated) return nullptr;
    const Searched& searched =
        explored.proofs[explored.stuck_proof].searches[*explored.stuck_search];
    return is_told(searched) ? &searched : nullptr;
}

void show_findings(Explored& explored, const std::filesystem::path& folder) {
    const Algorithm& lock = *explored.algorithm;
    if (const Searched* most = most_orphaned(explored)) {
        const Path& witness = most->result.orphan_witness;
        explored.orphaned =
            finding_of(find_of(lock, most->bounds, witness, most->result.orphan_waiter), *most,
                       witness, "orphaned", folder, [](const Judgement& seen) {
                           return seen.liveness.longest_orphan_wait > Duration::zero();
                       });
    }
    if (const Searched* most = most_falsely_refused(explored)) {
        const Path& witness = most->result.false_refusals.witness;
        explored.falsely_refused =
            finding_of(find_of(lock, most->bounds, witness, false), *most, witness, "false_refusal",
                       folder, [](const Judgement& seen) { return seen.refusals.falsely() > 0; });
    }
    if (const Searched* searched = stuck_too(explored)) {
        const SearchResult::Stuck& stuck = *searched->result.stuck;
        explored.stuck = finding_of(find_of(lock, searched->bounds, stuck.witness, stuck.client),
                                    *searched, stuck.witness, "stuck", folder,
                                    [](const Judgement& seen) { return seen.liveness.stuck; });
    }
}

std::string client_name(ClientId client) {
    return std::string(1, static_cast<char>('A' + client.value));
}

std::string stuck_name(ClientId client, const Bounds& bounds) {
    return client.value == bounds.clients ? "a client that comes anew" : client_name(client);
}

Duration wait_without_fault(const Explored& explored) {
    Duration longest{0};
    for (const Proof& proof : explored.proofs) {
        if (proof.faults != FaultBudget()) continue;
        for (const Searched& searched : proof.searches) {
            const Duration wait = searched.result.longest_orphan;
            if (is_orphaned(searched) && is_told(searched)) longest = std::max(longest, wait);
        }
    }
    return longest;
}

std::string findings_text(const Explored& explored) {
    std::string text;
    if (explored.stuck) {
        const ClientId client = stuck_too(explored)->result.stuck->client;
        text += "  stuck, too: after " + counted(explored.stuck->witness.steps.size(), "step") +
                " " + stuck_name(client, explored.stuck->bounds) +
                " never gets the lock\n    replay: " + explored.stuck->replay + "\n";
    }
    if (explored.result.verdict == Verdict::violated) return text;
    if (explored.orphaned) {
        text += "  orphaned: clients wait " + to_string(explored.result.longest_orphan) +
                in_ttls(explored.result.longest_orphan, explored.bounds) +
                (explored.result.exhausted ? " at most" : " or longer") +
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
