#include "harness/check/cause.h"

#include <utility>

#include "harness/check/crowd_cause.h"
#include "harness/check/object_cause.h"
#include "harness/check/value_walk.h"

namespace locklab {

namespace {

/// Both rest on something, the first on what was there sooner.
Cause cause_of_two(const KeyLog& log, const Claim& first, const Claim& second,
                   const Overlap& overlap) {
    const auto met = log.last_meeting(first, second);
    if (met) return cause_along(log, first, met->first, met->second);
    if (log.rest_on_one_value(first, second)) {
        const bool same_token = !first.token.empty() && first.token == second.token;
        return same_token ? cause_of_one_token(log, first.client, second.client) : Cause::no_key;
    }
    if (log.failed_over(overlap.later.begin)) return Cause::failover;
    if (!log.are_at_one_server(first, second)) return Cause::other_servers;
    // One has the lock's key, and the other never asked for it.
    return first.is_on_lock_key() != second.is_on_lock_key() ? Cause::no_key : Cause::unexplained;
}

}  // namespace

Cause cause_of(const KeyLog& log, const Overlap& overlap) {
    const Claim* first = &log.claim_of(overlap.earlier);
    const Claim* second = &log.claim_of(overlap.later);
    if (log.is_shared()) return cause_of_crowd(log, *first, *second);
    if (!first->taking || !second->taking) return cause_without_key(log, *first, *second);
    // A client may take the key first and be told of it last.
    if (*second->taking < *first->taking) std::swap(first, second);
    const Cause cause = cause_of_two(log, *first, *second, overlap);
    // What let the second in may be that another key was gone, beside what it wrote over.
    const bool may_be_lost = cause == Cause::overwritten || cause == Cause::unexplained;
    return may_be_lost && log.lost_between(*first, *second) ? Cause::lost_data : cause;
}

}  // namespace locklab
