#include "harness/check/object_cause.h"

namespace locklab {

Cause cause_of_one_token(const KeyLog& log, ClientId holder, ClientId by) {
    return log.share_object(holder, by) ? Cause::shared_object : Cause::token_collision;
}

std::optional<Cause> cause_of_shown_token(const KeyLog& log, const Claim& claim,
                                          const KeyChange& change) {
    if (!change.has_argument(claim.token)) return std::nullopt;
    const bool may_be_its_own = log.share_object(claim.client, change.client) ||
                                log.may_have_had(change.round, claim.token);
    if (!may_be_its_own) return std::nullopt;
    return cause_of_one_token(log, claim.client, change.client);
}

/// An object that has the key for one task may let in another without asking the server. If neither
/// has a key, there is no lock to share. A claim may have a key through a command whose effect is
/// unknown.
Cause cause_without_key(const KeyLog& log, const Claim& first, const Claim& second) {
    if (!log.tells_commands()) return Cause::unexplained;
    const bool may_have_it =
        (!first.taking && first.is_unsure) || (!second.taking && second.is_unsure);
    if (may_have_it) return Cause::unexplained;
    const auto came_back = [&](const Claim& claim) {
        return !claim.taking && log.may_have_come_back(claim);
    };
    if (came_back(first) || came_back(second)) return Cause::lost_data;
    const bool one_has_it = first.taking.has_value() || second.taking.has_value();
    const bool shares = log.share_object(first.client, second.client);
    return one_has_it && shares ? Cause::shared_object : Cause::no_key;
}

}  // namespace locklab
