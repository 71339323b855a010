// The findings of the oracles that look at one lock in a run: who was inside together, what was
// lost, why, and which clients wait in vain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/check/fence.h"
#include "harness/check/inside.h"
#include "harness/check/key_log.h"
#include "harness/check/late_grant.h"
#include "harness/check/left_key.h"
#include "harness/check/liveness.h"
#include "harness/check/long_call.h"
#include "harness/check/lost_update.h"
#include "harness/check/notice.h"
#include "harness/check/refusal.h"
#include "harness/check/trespass.h"
#include "harness/check/violation.h"
#include "harness/core/history.h"

namespace locklab {

/// The findings about one lock, or about several together.
struct LockFindings {
    /// In the order in which they happened: all of them, up to kMostOverlaps of one kind.
    std::vector<Violation> violations;
    /// Further violations, whose causes were not looked for.
    std::uint64_t only_counted = 0;
    std::uint64_t overlaps = 0;
    std::uint64_t lost_updates = 0;
    std::uint64_t fence_inversions = 0;  ///< writes, and grants with an old token
    std::uint64_t grants_in_overlap = 0;
    CauseCounts causes;
    /// The register differed from what the previous write had left.
    std::uint64_t register_jumps = 0;
    std::optional<RegisterJump> first_jump;
    WriteCount writes;
    /// Commands whose effect on the key is not certain.
    std::uint64_t uncertain_effects = 0;

    Notices notices;
    Refusals refusals;
    LateGrants late_grants;
    LongCalls long_calls;
    LeftKeys left_keys;
    Deletions deletions;
    std::uint64_t fenced_grants = 0;  ///< grants that had a fencing token
    Liveness liveness;

    /// Adds the findings about another lock of the same run.
    void add(LockFindings&& other);
};

/// Judges what happens to one lock, event by event. It keeps a few bytes per grant, write, and
/// change of the key, but no events.
class LockJudge {
public:
    LockJudge(const HistoryHead& head, ResourceId lock);
    /// Call for every event that is about this lock (is_about); `place` counts all events.
    void see(const Event& event, std::size_t place);
    /// `patience`: zero if the run did not end because its patience did. Call it once.
    LockFindings end(Instant at, std::size_t places, Duration patience);

private:
    const ResourceId lock_;
    const bool in_order_;
    const Permits permits_;
    KeyLog log_;
    Stays stays_;
    RegisterWatch register_;
    FenceWatch fences_;
    LivenessWatch liveness_;
    NoticeWatch notices_;
    RefusalWatch refusals_;
    LongCallWatch long_calls_;
    LeftKeyWatch left_keys_;
    TrespassWatch trespasses_;
};

}  // namespace locklab
