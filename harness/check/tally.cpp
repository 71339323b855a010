#include "harness/check/tally.h"

#include <algorithm>
#include <optional>

namespace locklab {

namespace {

double quotient(std::uint64_t above, std::uint64_t below) {
    return below == 0 ? 0 : static_cast<double>(above) / static_cast<double>(below);
}

Rate per_1000(const Rate& rate) { return {rate.value * 1000, rate.low * 1000, rate.high * 1000}; }

/// Jain, Chiu and Hawe, DEC-TR-301 (1984). Nothing if no client that lived was granted the lock.
std::optional<double> jain_index(const Judgement& judgement) {
    double sum = 0;
    double squares = 0;
    double clients = 0;
    for (std::size_t i = 0; i < judgement.client_grants.size(); ++i) {
        if (judgement.client_lived[i] == 0) continue;
        const double grants = static_cast<double>(judgement.client_grants[i]);
        sum += grants;
        squares += grants * grants;
        ++clients;
    }
    if (sum == 0) return std::nullopt;
    return sum * sum / (clients * squares);
}

}  // namespace

void Tally::add(const Judgement& judgement, Duration orphan_limit) {
    overlaps_of_runs_.push_back({judgement.overlaps, judgement.grants});
    erased_of_runs_.push_back({judgement.writes.erased, judgement.writes.writes});
    waits_.insert(waits_.end(), judgement.waits.begin(), judgement.waits.end());
    const Liveness& liveness = judgement.liveness;
    if (judgement.verdict == Verdict::violated) ++violated_runs_;
    if (judgement.verdict == Verdict::unknown) ++unknown_runs_;
    if (liveness.stuck && judgement.verdict != Verdict::unknown) ++stuck_runs_;
    if (is_orphan_wait(liveness.longest_orphan_wait, orphan_limit)) ++stuck_until_ttl_runs_;
    longest_orphan_wait_ = std::max(longest_orphan_wait_, liveness.longest_orphan_wait);
    grants_ += judgement.grants;
    overlaps_ += judgement.overlaps;
    lost_updates_ += judgement.lost_updates;
    fence_inversions_ += judgement.fence_inversions;
    unknown_answers_ += judgement.unknown_answers;
    error_answers_ += judgement.errors.answers;
    failed_tries_ += judgement.errors.tries;
    if (first_error_.empty()) first_error_ = judgement.errors.first;
    commands_ += judgement.commands;
    writes_ += judgement.writes.writes;
    erased_writes_ += judgement.writes.erased;
    denied_ += judgement.denied;
    duration_ += judgement.duration;
    for (const CauseRow& row : kCauses) causes_[row.cause] += judgement.causes[row.cause];
    only_counted_ += judgement.only_counted;
    notices_.add(judgement.notices);
    refusals_.add(judgement.refusals);
    if (const auto index = jain_index(judgement)) {
        jain_sum_ += *index;
        ++jain_runs_;
    }
}

Verdict Tally::verdict() const {
    if (violated_runs_ > 0) return Verdict::violated;
    if (stuck_runs_ > 0) return Verdict::stuck;
    return grants_ == 0 ? Verdict::unknown : verdict_of_clean(runs() - unknown_runs_);
}

Rate Tally::overlaps_per_1000_grants() const { return per_1000(ratio_interval(overlaps_of_runs_)); }

Rate Tally::erased_per_1000_writes() const { return per_1000(ratio_interval(erased_of_runs_)); }

double Tally::throughput_per_s() const {
    const auto spent = static_cast<std::uint64_t>(duration_.count());
    return quotient(grants_, spent) * 1e6;
}

double Tally::commands_per_grant() const { return quotient(commands_, grants_); }

double Tally::jain() const {
    return jain_runs_ == 0 ? 0 : jain_sum_ / static_cast<double>(jain_runs_);
}

WaitPercentiles Tally::waits() const {
    if (waits_.empty()) return {};
    std::vector<Duration> sorted = waits_;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](std::size_t per_mille) {
        return sorted[(sorted.size() * per_mille + 999) / 1000 - 1];
    };
    return {at(500), at(990), at(999), sorted.back()};
}

}  // namespace locklab
