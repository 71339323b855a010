// Ranks that are threads of one process: they say to each other what those of mpirun do.
#pragma once

#include <barrier>
#include <memory>
#include <vector>

#include "harness/explore/in_threads.h"
#include "harness/explore/ranks.h"

namespace locklab {

/// Where what is said lies until all have read it.
struct Board {
    explicit Board(std::uint32_t ranks) : said(ranks), all_come(ranks) {}

    std::vector<std::vector<Bytes>> said;  ///< by rank, for each rank
    std::barrier<> all_come;
};

class ThreadRanks final : public Ranks {
public:
    ThreadRanks(std::uint32_t own, Board& board, const std::atomic<bool>& asked)
        : Ranks(own, static_cast<std::uint32_t>(board.said.size()), asked), board_(board) {}

    std::vector<Bytes> tell_all(const Bytes& what) override {
        return swap(std::vector<Bytes>(count(), what));
    }
    std::vector<Bytes> swap(const std::vector<Bytes>& for_each) override {
        board_.said[own()] = for_each;
        board_.all_come.arrive_and_wait();
        std::vector<Bytes> got;
        for (const std::vector<Bytes>& its : board_.said) got.push_back(its[own()]);
        board_.all_come.arrive_and_wait();
        return got;
    }

private:
    Board& board_;
};

/// What work(ranks) gives in each of so many ranks. `asked` is whether rank 1 is asked to stop.
template <class Work>
auto in_thread_ranks(std::uint32_t count, const Work& work, const std::atomic<bool>& asked) {
    static const std::atomic<bool> nobody{false};
    Board board(count);
    using Result = decltype(work(std::declval<Ranks&>()));
    std::vector<Result> results(count);
    in_threads(count, [&](std::size_t rank) {
        const auto own = static_cast<std::uint32_t>(rank);
        ThreadRanks ranks(own, board, own == 1 ? asked : nobody);
        results[rank] = work(ranks);
    });
    return results;
}

}  // namespace locklab
