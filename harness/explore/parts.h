// How ranks share a search (`mpirun -n 4 locklab explore ...`), so that it is to the bit the search
// of one process: the same numbers of states, digest, order, witness.
//
//  1. Every rank learns the tables of clients and servers by itself, in the order of one process.
//  So
//     a row of numbers means the same everywhere, and is all that is sent of a state. Each round
//     compares a digest of what was learnt.
//  2. Of the shards of the set of states, rank r keeps r, r + ranks, ...: states, ways back, and
//  the
//     next level. That is what fills a memory; the tables are small, and each rank has them all.
//  3. Level by level, in the chunks of one process: owners deal a chunk out in equal stretches; a
//     rank expands its own by what is known; what is not known, and states that ask who gets the
//     lock, all ranks look at alike; successors go to their owners, who sort them in by rank.
//  4. Then all ranks tell how many are new, where exclusion is violated, their memory, who was
//  asked
//     to stop, and what went wrong. Whatever is decided is decided from that, so by all alike.
//  5. A way back is asked of the owner of each state, step by step.
#pragma once

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "harness/explore/level.h"
#include "harness/explore/parcel.h"
#include "harness/explore/ranks.h"

namespace locklab {

inline constexpr const char* kOutOfMemory = "out of memory";

/// What came of sorting states in: of one rank, or of all.
struct SortedIn {
    static constexpr std::uint32_t kShards = StateSet<2>::kShards;

    std::array<std::uint64_t, kShards> fresh{};  ///< how many states of each shard are new
    std::array<StateId, kShards> violation{};    ///< the first violated one; kNoState: none
    std::uint64_t posted = 0;                    ///< known states too
    std::uint64_t states = 0;                    ///< since the search began
    std::uint64_t digest = 0;                    ///< of these
    std::uint64_t memory = 0;                    ///< in bytes
    std::uint64_t most_memory = 0;               ///< of one rank
    std::uint64_t learnt = 0;                    ///< a digest
    std::uint64_t stop = 0;                      ///< ranks that were asked to stop

    SortedIn() { violation.fill(kNoState); }
    void add(const SortedIn& other) {
        for (std::uint32_t i = 0; i < kShards; ++i) {
            fresh[i] += other.fresh[i];
            violation[i] = std::min(violation[i], other.violation[i]);
        }
        posted += other.posted;
        states += other.states;
        digest += other.digest;
        memory += other.memory;
        most_memory = std::max(most_memory, other.memory);
        stop += other.stop;
    }
};

template <std::size_t kWords>
class Parts {
    using Here = Waiting<kWords>;
    using Set = StateSet<kWords>;
    using Sources = std::vector<ByShard<kWords>>;

public:
    /// Null: one process has all.
    explicit Parts(Ranks* ranks) : ranks_(ranks) {
        LOCKLAB_ASSERT(ranks == nullptr || ranks->count() <= Set::kShards);
    }

    std::uint32_t count() const { return ranks_ == nullptr ? 1 : ranks_->count(); }
    std::uint32_t owner_of(std::uint32_t shard) const { return shard % count(); }
    bool owns(std::uint32_t shard) const {
        return ranks_ == nullptr || owner_of(shard) == ranks_->own();
    }

    /// Work that this rank does by itself. The next agreement tells what it throws, and throws that
    /// everywhere.
    template <class Work>
    void by_itself(Work work) {
        if (ranks_ == nullptr) return work();
        try {
            work();
        } catch (const std::length_error& too_many) {
            failure_ = too_many.what();
        } catch (const std::bad_alloc&) {
            failure_ = kOutOfMemory;
        }
    }

    /// The states of the level from one place on that this rank is to expand, of `count` states.
    std::span<const Here> share(const std::vector<Here>& level, std::uint64_t first,
                                std::size_t count);
    /// What all ranks are to do together: what each has left to do, in the order of places.
    void agree(Expanded<kWords>& left);
    /// Takes what was posted to its owners; source r is then rank r, and the last what all learnt.
    void deliver(Sources& sources);
    /// The sum of what came of it in all ranks.
    SortedIn agree(SortedIn sorted);
    typename Set::Origin origin(const Set& states, StateId id) const;
    /// What any rank exercised.
    void agree(Coverage& coverage) const;

private:
    /// Throws what went wrong in any rank; of several, the first in the order of places.
    std::vector<ParcelReader> open(const std::vector<Bytes>& told) const {
        std::vector<ParcelReader> readers;
        std::string failure;
        for (const Bytes& bytes : told) {
            const std::string its = readers.emplace_back(bytes).get_text();
            if (failure.empty()) failure = its;
        }
        if (!failure.empty()) throw std::length_error(failure);
        return readers;
    }
    static void put(Parcel& parcel, const RefusedTries& refused);
    static RefusedTries refused_in(ParcelReader& reader);
    void note_learnt(const ByShard<kWords>& learnt);

    Ranks* const ranks_;
    std::string failure_;        ///< in this rank, since the last agreement
    std::uint64_t learnt_ = 0;   ///< a digest of what all ranks expanded alike
    std::vector<Here> stretch_;  ///< of a chunk: what this rank expands
};

template <std::size_t kWords>
std::span<const Waiting<kWords>> Parts<kWords>::share(const std::vector<Here>& level,
                                                      std::uint64_t first, std::size_t count) {
    if (ranks_ == nullptr) return std::span(level).subspan(first, count);
    const std::uint32_t ranks = ranks_->count();
    const auto begin_of = [&](std::uint64_t rank) { return first + count * rank / ranks; };
    std::vector<Bytes> for_each(ranks);
    auto from = std::ranges::lower_bound(level, first, {}, &Here::place);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const auto to =
            std::ranges::lower_bound(from, level.end(), begin_of(rank + 1U), {}, &Here::place);
        Parcel parcel;
        parcel.put_all(std::span<const Here>(from, to));
        for_each[rank] = parcel.bytes();
        from = to;
    }
    const std::uint64_t begin = begin_of(ranks_->own());
    stretch_.assign(begin_of(ranks_->own() + 1U) - begin, Here());
    std::vector<Here> got;
    for (const Bytes& bytes : ranks_->swap(for_each)) ParcelReader(bytes).get_all(got);
    LOCKLAB_ASSERT(got.size() == stretch_.size() && "each place is one rank's");
    for (const Here& state : got) stretch_[state.place - begin] = state;
    return stretch_;
}

template <std::size_t kWords>
void Parts<kWords>::agree(Expanded<kWords>& left) {
    if (ranks_ == nullptr) return;
    Parcel parcel;
    parcel.put_text(std::exchange(failure_, ""));
    parcel.put_all(std::span<const Here>(left.unknown));
    parcel.put_all(std::span<const Here>(left.at_rest));
    put(parcel, left.refused);
    const std::vector<Bytes> told = ranks_->tell_all(parcel.bytes());
    left = Expanded<kWords>();
    for (ParcelReader& reader : open(told)) {
        reader.get_all(left.unknown);
        reader.get_all(left.at_rest);
        left.refused.add(refused_in(reader));
    }
}

template <std::size_t kWords>
void Parts<kWords>::deliver(Sources& sources) {
    if (ranks_ == nullptr) return;
    std::vector<Parcel> parcels(count());
    for (std::uint32_t shard = 0; shard < Set::kShards; ++shard) {
        std::vector<Candidate<kWords>> all;
        for (ByShard<kWords>& source : std::span(sources).first(sources.size() - 1)) {
            all.insert(all.end(), source[shard].begin(), source[shard].end());
            source[shard].clear();
        }
        parcels[owner_of(shard)].put_all(std::span<const Candidate<kWords>>(all));
    }
    std::vector<Bytes> for_each;
    for (const Parcel& parcel : parcels) for_each.push_back(parcel.bytes());
    const std::vector<Bytes> got = ranks_->swap(for_each);
    note_learnt(sources.back());
    for (std::uint32_t rank = 0; rank < count(); ++rank) {
        ParcelReader reader(got[rank]);
        for (std::uint32_t shard = ranks_->own(); shard < Set::kShards; shard += count()) {
            reader.get_all(sources[rank][shard]);
        }
    }
    for (std::uint32_t shard = 0; shard < Set::kShards; ++shard) {
        if (!owns(shard)) sources.back()[shard].clear();
    }
}

template <std::size_t kWords>
SortedIn Parts<kWords>::agree(SortedIn sorted) {
    sorted.most_memory = sorted.memory;
    if (ranks_ == nullptr) return sorted;
    sorted.learnt = learnt_;
    sorted.stop = ranks_->is_asked_to_stop() ? 1 : 0;
    Parcel parcel;
    parcel.put_text(std::exchange(failure_, ""));
    parcel.put(sorted);
    const std::vector<Bytes> told = ranks_->tell_all(parcel.bytes());
    SortedIn all;
    for (ParcelReader& reader : open(told)) {
        const auto its = reader.template get<SortedIn>();
        all.add(its);
        if (its.learnt == learnt_) continue;
        throw std::runtime_error(
            "the ranks have learnt different things of the lock: they must run one build, on "
            "machines that are alike");
    }
    if (all.stop > 0) ranks_->agree_to_stop();
    return all;
}

template <std::size_t kWords>
typename StateSet<kWords>::Origin Parts<kWords>::origin(const Set& states, StateId id) const {
    if (ranks_ == nullptr) return states.origin(id);
    const std::uint32_t shard = Set::shard_of_id(id);
    Parcel parcel;
    if (owns(shard)) parcel.put(states.origin(id));
    const std::vector<Bytes> told = ranks_->tell_all(parcel.bytes());
    return ParcelReader(told[owner_of(shard)]).template get<typename Set::Origin>();
}

template <std::size_t kWords>
void Parts<kWords>::agree(Coverage& coverage) const {
    if (ranks_ == nullptr) return;
    const auto flags = [](Coverage& of) {
        return std::array{&of.sets_ttl, &of.ran_out, &of.ran_out_inside, &of.sets_other_ttl,
                          &of.other_ran_out};
    };
    Parcel parcel;
    parcel.put(coverage.struck);
    parcel.put(coverage.refused);
    for (const bool* flag : flags(coverage)) parcel.put(*flag);
    parcel.put_text(coverage.unlisted_key);
    for (const Bytes& bytes : ranks_->tell_all(parcel.bytes())) {
        ParcelReader reader(bytes);
        Coverage its;
        its.struck = reader.template get<decltype(its.struck)>();
        its.refused = reader.template get<decltype(its.refused)>();
        for (bool* flag : flags(its)) *flag = reader.template get<bool>();
        its.unlisted_key = reader.get_text();
        coverage.add(its);
    }
}

template <std::size_t kWords>
void Parts<kWords>::put(Parcel& parcel, const RefusedTries& refused) {
    parcel.put(refused.of_own);
    parcel.put(refused.of_nobodys);
    parcel.put(refused.first.has_value());
    if (!refused.first) return;
    parcel.put(refused.first->id);
    parcel.put(refused.first->what.of_own);
    parcel.put_all(std::span<const Step>(refused.first->what.steps));
}

template <std::size_t kWords>
RefusedTries Parts<kWords>::refused_in(ParcelReader& reader) {
    RefusedTries refused;
    refused.of_own = reader.template get<std::uint64_t>();
    refused.of_nobodys = reader.template get<std::uint64_t>();
    if (!reader.template get<bool>()) return refused;
    RefusedTry& first = refused.first.emplace();
    first.id = reader.template get<StateId>();
    first.what.of_own = reader.template get<bool>();
    reader.get_all(first.what.steps);
    return refused;
}

template <std::size_t kWords>
void Parts<kWords>::note_learnt(const ByShard<kWords>& learnt) {
    for (const std::vector<Candidate<kWords>>& candidates : learnt) {
        for (const Candidate<kWords>& one : candidates) {
            learnt_ = (learnt_ ^ learnt_ >> 32 ^ one.state.hash()) * 0xD6E8FEB86659FD93U;
            learnt_ += static_cast<std::uint64_t>(one.step.kind) + one.parent;
        }
    }
}

}  // namespace locklab
