// One run, judged: what the three oracles and the liveness check found, why, and the verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/cause.h"
#include "harness/check/error_answers.h"
#include "harness/check/liveness.h"
#include "harness/check/lost_update.h"
#include "harness/check/violation.h"
#include "harness/core/history.h"

namespace locklab {

enum class Verdict : std::uint8_t { holds, violated, stuck, unknown };

std::string_view name_of(Verdict verdict);

struct Judgement {
    Verdict verdict = Verdict::unknown;
    /// Why the verdict is unknown, as half a sentence; empty otherwise.
    std::string why_unknown;
    /// The model of Redis does not know what the lock wants of it: nothing here shows anything.
    bool not_modelled = false;
    /// In the order in which they happened.
    std::vector<Violation> violations;
    std::uint64_t overlaps = 0;
    std::uint64_t lost_updates = 0;
    std::uint64_t fence_inversions = 0;
    std::uint64_t grants_in_overlap = 0;
    CauseCounts causes;

    Liveness liveness;

    std::uint64_t grants = 0;
    /// Grants of each client, and whether it lived to the end.
    std::vector<std::uint64_t> client_grants;
    std::vector<std::uint8_t> client_lived;
    /// From each Wants to its grant, in order of the grants. Grants without a Wants have none.
    std::vector<Duration> waits;
    std::uint64_t commands = 0;         ///< sent to servers: not those to the arbiter
    std::uint64_t unknown_answers = 0;  ///< of them, never answered in time
    ErrorAnswers errors;
    WriteCount writes;
    Duration duration{0};  ///< from the first event to the end
};

/// `violated` wins over `stuck`. A history without a grant in which nobody is stuck proves
/// nothing: `unknown`; nor does one in which nobody gets the lock, but the server refused commands
/// by its own doing; nor one in which the lock wants what the model of Redis does not know.
Judgement judge(const History& history);

}  // namespace locklab
