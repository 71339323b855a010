#include "harness/check/oracle.h"

namespace locklab {

OracleCount count_of(Oracle oracle, const Judgement& judgement, Duration orphan_limit) {
    const Notices& notices = judgement.notices;
    const Deletions& deletions = judgement.deletions;
    switch (oracle) {
        case Oracle::late_grants: return {judgement.late_grants.found, judgement.late_grants.of};
        case Oracle::late_notices: return {notices.late, notices.promised};
        case Oracle::never_told: return {notices.never_told, notices.losses};
        case Oracle::false_alarms: return {notices.false_alarms, notices.stays};
        case Oracle::own_keys_deleted: return {deletions.of_own, deletions.keys};
        case Oracle::others_keys_deleted: return {deletions.of_anothers, deletions.keys};
        case Oracle::keys_left: return {judgement.left_keys.found, judgement.left_keys.of};
        case Oracle::long_calls: return {judgement.long_calls.found, judgement.long_calls.of};
        case Oracle::deaths: return {judgement.deaths, judgement.client_lived.size()};
        case Oracle::orphan_waits: {
            const Liveness& liveness = judgement.liveness;
            const bool waits = is_orphan_wait(liveness.longest_orphan_wait, orphan_limit);
            return {liveness.stuck || waits ? 1U : 0U, judgement.grants > 0 ? 1U : 0U};
        }
        case Oracle::fences_back:
            return {judgement.fence_inversions, judgement.fenced_grants + judgement.writes.writes};
    }
    return {};
}

}  // namespace locklab
