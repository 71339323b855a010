#include "harness/check/swarm_count.h"

namespace locklab {

namespace {

void add_to(SwarmCount::Row& row, const Judgement& judgement) {
    ++row.runs;
    if (judgement.verdict == Verdict::violated) ++row.violated;
    if (judgement.verdict == Verdict::stuck) ++row.stuck;
    for (const CauseRow& cause : kCauses) {
        if (judgement.causes[cause.cause] > 0) ++row.causes[cause.cause];
    }
}

std::size_t size_of(const HazardSet& hazards) {
    std::size_t size = 0;
    for (const HazardRow& row : kHazards) size += hazards.contains(row.hazard) ? 1 : 0;
    return size;
}

}  // namespace

void SwarmCount::add(const Draw& draw, std::uint64_t run, const HazardSet& struck,
                     const Judgement& judgement) {
    std::uint32_t subset = 0;
    for (std::size_t i = 0; i < kHazards.size(); ++i) {
        const Hazard hazard = kHazards[i].hazard;
        const bool drawn = draw.faults[hazard] > 0;
        if (drawn) subset |= 1U << i;
        add_to(drawn ? faults_[i].with : faults_[i].without, judgement);
        if (struck.contains(hazard)) ++faults_[i].struck;
    }
    add_to(all_, judgement);
    add_to(subsets_[subset], judgement);
    add_to(clients_[static_cast<std::uint32_t>(judgement.client_grants.size())], judgement);
    add_to(ttls_[draw.ttl], judgement);
    if (judgement.verdict != Verdict::violated) return;
    if (fewest_ && size_of(fewest_->struck) <= size_of(struck)) return;
    fewest_ = Fewest{run, struck};
}

HazardSet hazards_in(std::uint32_t subset) {
    HazardSet hazards;
    for (std::size_t i = 0; i < kHazards.size(); ++i) {
        if ((subset >> i & 1U) != 0) hazards.add(kHazards[i].hazard);
    }
    return hazards;
}

}  // namespace locklab
