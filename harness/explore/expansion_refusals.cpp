// Tries that are refused falsely. A try is followed from its first command to its end, with no
// other client acting: if the lock was free, or the client's own, it should be granted.

#include "harness/explore/expansion.h"

namespace locklab {

namespace {

/// Most commands of one try; a longer try is not followed.
constexpr int kMostCommands = 8;

}  // namespace

bool Expansion::should_be_granted(const State& state, const Step& step) const {
    // With several servers the data of one does not show who holds the lock.
    if (rules_.nodes() > 1 || servers(state)[0].hung > 0) return false;
    if (step.kind != Step::Kind::send || step.slot != 0) return false;
    const ClientRow& own = row(state, step.client);
    if (own.cut || !own.tries || own.is_to_oracle(0) || own.phase[0] != Phase::acquire)
        return false;
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
        if (i == step.client) continue;
        const ClientRow& other = row(state, i);
        const bool holds =
            other.inside || other.phase[0] == Phase::inside || other.phase[0] == Phase::release;
        if (holds) return false;
    }
    // With other keys on the server, it is not known which of them is the lock's.
    const std::uint16_t shape = servers(state)[0].data.shape;
    return shape == 0 || server_.is_of(shape, step.client);
}

void Expansion::follow_try(State state, const Step& first, bool was_own, Successors& out) {
    const auto has_key = [&] { return servers(state)[0].data.shape != 0; };
    FalseRefusal found{{first}, was_own};
    bool had_key = was_own;
    for (int sent = 0; sent < kMostCommands; ++sent) {
        // The lock's key is gone: the client gave back what it took, so the server did not refuse
        // it.
        if (had_key && !has_key()) return;
        had_key = has_key();
        found.steps.push_back({Step::Kind::take, first.client, 0, false, 0});
        make(state, found.steps.back());
        if (!complete_) return;
        const ClientRow& now = row(state, first.client);
        if (now.refused) {
            found.of_own = had_key;
            out.refusals.push_back(std::move(found));
            return;
        }
        const bool goes_on = now.offer[0] == Step::Kind::send && !now.tries &&
                             !now.is_to_oracle(0) && now.phase[0] == Phase::acquire;
        if (!goes_on) return;
        found.steps.push_back({Step::Kind::send, first.client, 0, false, 0});
        make(state, found.steps.back());
        if (!complete_) return;
    }
}

}  // namespace locklab
