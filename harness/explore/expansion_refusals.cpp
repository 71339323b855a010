// Tries that are refused falsely. A try is followed from its first command to its end, nobody else
// doing anything meanwhile: if the lock was nobody's, or its client's own, it should be granted.

#include "harness/explore/expansion.h"

namespace locklab {

namespace {

/// Commands of one try; whoever sends more is not followed.
constexpr int kMostCommands = 8;

}  // namespace

bool Expansion::should_be_granted(const State& state, const Step& step) const {
    // Of several servers nobody knows whose the lock is.
    if (rules_.nodes() > 1) return false;
    if (step.kind != Step::Kind::send || step.slot != 0) return false;
    const ClientRow& own = row(state, step.client);
    if (!own.tries || own.is_to_oracle(0) || own.phase[0] != Phase::acquire) return false;
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
        if (i == step.client) continue;
        const ClientRow& other = row(state, i);
        const bool holds =
            other.inside || other.phase[0] == Phase::inside || other.phase[0] == Phase::release;
        if (holds) return false;
    }
    // Where there are other keys, nobody knows which of them the lock is.
    const std::uint16_t shape = servers(state)[0].data.shape;
    return shape == 0 || server_.is_of(shape, step.client);
}

void Expansion::follow_try(State state, const Step& first, bool was_own, Successors& out) {
    const auto has_key = [&] { return servers(state)[0].data.shape != 0; };
    FalseRefusal found{{first}, was_own};
    bool had_key = was_own;
    for (int sent = 0; sent < kMostCommands; ++sent) {
        // Who gives back what it has taken was not refused by the server.
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
