// The module that links MPI: collective calls of whole parcels of bytes.

#include <mpi.h>

#include <limits>
#include <numeric>
#include <stdexcept>

#include "harness/ranks/mpi_module.h"

namespace locklab {

namespace {

/// Sizes and places of parcels that lie one after the other, as MPI counts them.
class Places {
public:
    explicit Places(std::size_t ranks) : sizes_(ranks), begins_(ranks) {}

    int* sizes() { return sizes_.data(); }
    /// After the sizes have come.
    const int* begins() {
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            begins_[i] = int_of(begin);
            begin += sizes_[i];
        }
        all_ = static_cast<std::size_t>(int_of(begin));
        return begins_.data();
    }
    std::size_t all() const { return all_; }

    std::vector<Bytes> taken_apart(const Bytes& bytes) const {
        std::vector<Bytes> parcels;
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            const auto begin = bytes.begin() + begins_[i];
            parcels.emplace_back(begin, begin + sizes_[i]);
        }
        return parcels;
    }
    static int int_of(std::int64_t bytes) {
        if (bytes <= std::numeric_limits<int>::max()) return static_cast<int>(bytes);
        throw std::runtime_error("the ranks have more to say at once than MPI takes (2 GB)");
    }

private:
    std::vector<int> sizes_;
    std::vector<int> begins_;
    std::size_t all_ = 0;
};

int own_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int count_of_ranks() {
    int count = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return count;
}

class MpiRanks final : public LaunchedRanks {
public:
    explicit MpiRanks(const std::atomic<bool>& asked)
        : LaunchedRanks(static_cast<std::uint32_t>(own_rank()),
                        static_cast<std::uint32_t>(count_of_ranks()), asked) {}

    std::vector<Bytes> tell_all(const Bytes& what) override {
        const int size = Places::int_of(static_cast<std::int64_t>(what.size()));
        Places got(count());
        MPI_Allgather(&size, 1, MPI_INT, got.sizes(), 1, MPI_INT, MPI_COMM_WORLD);
        const int* begins = got.begins();
        Bytes all(got.all());
        MPI_Allgatherv(what.data(), size, MPI_BYTE, all.data(), got.sizes(), begins, MPI_BYTE,
                       MPI_COMM_WORLD);
        return got.taken_apart(all);
    }

    std::vector<Bytes> swap(const std::vector<Bytes>& for_each) override {
        Places sent(count());
        Bytes out;
        for (std::size_t i = 0; i < for_each.size(); ++i) {
            sent.sizes()[i] = Places::int_of(static_cast<std::int64_t>(for_each[i].size()));
            out.insert(out.end(), for_each[i].begin(), for_each[i].end());
        }
        Places got(count());
        MPI_Alltoall(sent.sizes(), 1, MPI_INT, got.sizes(), 1, MPI_INT, MPI_COMM_WORLD);
        const int* from = sent.begins();
        const int* begins = got.begins();
        Bytes all(got.all());
        MPI_Alltoallv(out.data(), sent.sizes(), from, MPI_BYTE, all.data(), got.sizes(), begins,
                      MPI_BYTE, MPI_COMM_WORLD);
        return got.taken_apart(all);
    }

    void finish() override { MPI_Finalize(); }
};

}  // namespace

extern "C" LaunchedRanks* locklab_open_mpi_ranks(const std::atomic<bool>& asked) {
    int given = MPI_THREAD_SINGLE;
    // A search's threads do not speak with other ranks: one that waits for them does. Where MPI
    // fails, it says so, and ends all ranks.
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    return new MpiRanks(asked);
}

}  // namespace locklab
