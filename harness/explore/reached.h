// The states that a search has reached: each once, with the way back, and the level that comes
// next. Of several ranks each keeps a part of them.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "harness/explore/in_threads.h"
#include "harness/explore/parts.h"
#include "harness/explore/way_back.h"

namespace locklab {

template <std::size_t kWords>
class Reached {
    using Packed = PackedState<kWords>;
    using Set = StateSet<kWords>;
    using Here = Waiting<kWords>;

public:
    Reached(std::uint32_t threads, Ranks* ranks)
        : parts_(ranks), sources_(std::max(threads, parts_.count()) + 1) {}

    /// The states in which the search begins.
    void begin(const std::vector<Packed>& starts) {
        Set numbered;  // every rank knows the number of each
        for (const Packed& start : starts) {
            const Candidate<kWords> first{start, kNoState, Step()};
            const StateId id = numbered.insert(first, start.hash());
            if (id == kNoState) continue;
            starts_.push_back({start, id, static_cast<std::uint32_t>(starts_.size())});
            if (!parts_.owns(Set::shard_of(start.hash()))) continue;
            states_.insert(first, start.hash());
            frontier_.push_back(starts_.back());
        }
        waiting_ = starts_.size();
    }
    void forget() {
        states_ = Set();
        starts_.clear();
        frontier_.clear();
        waiting_ = steps_ = 0;
    }

    /// How many states the next level has up to now.
    std::uint64_t waiting() const { return waiting_; }
    Level<kWords> next_level() {
        return {std::exchange(frontier_, {}), std::exchange(waiting_, 0)};
    }
    /// What this process is to expand of `count` states of the level, from one place on.
    std::span<const Here> share(const Level<kWords>& level, std::uint64_t first,
                                std::size_t count) {
        return parts_.share(level.states, first, count);
    }
    Parts<kWords>& parts() { return parts_; }

    /// Where the threads that expand put what they find; and what is found after them.
    ByShard<kWords>& source(std::size_t thread) { return sources_[thread]; }
    ByShard<kWords>& last_source() { return sources_.back(); }
    static void post(const Packed& state, StateId from, const Step& step, ByShard<kWords>& into) {
        into[Set::shard_of(state.hash())].push_back({state, from, step});
    }

    /// Keeps what was posted; what is new waits in the next level. Returns the first of the new
    /// states that is violated. `threads`: how many may work; `least`: states that are worth them.
    template <class IsViolated>
    std::optional<StateId> sort_in(std::uint32_t threads, std::size_t least,
                                   IsViolated is_violated) {
        parts_.deliver(sources_);
        std::array<Fresh<kWords>, Set::kShards> fresh;
        SortedIn own;
        for (const ByShard<kWords>& source : sources_) {
            for (const auto& candidates : source) own.posted += candidates.size();
        }
        if (own.posted < least) threads = 1;
        parts_.by_itself([&] {
            in_threads(threads, [&](std::size_t t) {
                for (std::size_t shard = t; shard < fresh.size(); shard += threads) {
                    for (ByShard<kWords>& source : sources_)
                        sort_in(source[shard], fresh[shard], is_violated);
                }
            });
        });
        now_ = parts_.agree(told_of(fresh, own));
        steps_ += now_.posted;
        return keep(fresh);
    }

    /// Of all ranks, as the last call of sort_in() has left them.
    std::uint64_t size() const { return now_.states; }
    std::uint64_t digest() const { return now_.digest; }
    std::uint64_t memory() const { return now_.memory; }
    std::uint64_t most_memory() const { return now_.most_memory; }  ///< of one rank
    std::uint64_t steps() const { return steps_; }
    std::size_t starts() const { return starts_.size(); }

    /// See way_back().
    Path way_to(const Packing& packing, Rules& rules, const EndOfWay& end, Permutation* who) const {
        const auto origin = [this](StateId id) { return parts_.origin(states_, id); };
        return way_back<kWords>(origin, starts_, packing, rules, end, who);
    }

private:
    /// Inserts all candidates of one shard.
    template <class IsViolated>
    void sort_in(std::vector<Candidate<kWords>>& candidates, Fresh<kWords>& fresh,
                 const IsViolated& is_violated) {
        constexpr std::size_t kAhead = 12;  // prefetch distance, in candidates
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            if (k + kAhead < candidates.size()) {
                states_.prefetch(candidates[k + kAhead].state.hash());
            }
            const Packed& state = candidates[k].state;
            const StateId id = states_.insert(candidates[k], state.hash());
            if (id == kNoState) continue;
            fresh.states.push_back({state, id, 0});
            if (!fresh.violation && is_violated(state)) fresh.violation = id;
        }
        candidates.clear();
    }

    SortedIn told_of(const std::array<Fresh<kWords>, Set::kShards>& fresh, SortedIn own) const {
        for (std::size_t shard = 0; shard < fresh.size(); ++shard) {
            own.fresh[shard] = fresh[shard].states.size();
            own.violation[shard] = fresh[shard].violation.value_or(kNoState);
        }
        own.states = states_.size();
        own.digest = states_.digest();
        own.memory = states_.memory();
        return own;
    }

    /// Gives the new states their places in the next level: shard by shard, on any rank.
    std::optional<StateId> keep(std::array<Fresh<kWords>, Set::kShards>& fresh) {
        std::optional<StateId> violation;
        for (std::size_t shard = 0; shard < fresh.size(); ++shard) {
            auto place = static_cast<std::uint32_t>(waiting_);
            for (Here& state : fresh[shard].states) {
                state.place = place++;
                frontier_.push_back(state);
            }
            waiting_ += now_.fresh[shard];
            if (!violation && now_.violation[shard] != kNoState) violation = now_.violation[shard];
        }
        return violation;
    }

    Parts<kWords> parts_;
    Set states_;
    std::vector<ByShard<kWords>> sources_;
    std::vector<Here> starts_;
    std::vector<Here> frontier_;
    std::uint64_t waiting_ = 0;  ///< states of the frontier, of all ranks
    std::uint64_t steps_ = 0;
    SortedIn now_;
};

}  // namespace locklab
