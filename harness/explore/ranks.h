// Processes that search together, each of which keeps a part of the states. They are all that a
// search knows of MPI: harness/ranks/ has those of mpirun, and a test makes some of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace locklab {

using Bytes = std::vector<std::byte>;

/// All ranks call the functions that say so, in one order: each waits there for the others.
class Ranks {
public:
    /// `asked`: whether somebody wants this rank to stop. It must outlive the ranks.
    Ranks(std::uint32_t own, std::uint32_t count, const std::atomic<bool>& asked)
        : own_(own), count_(count), asked_(asked) {}
    virtual ~Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    std::uint32_t own() const { return own_; }
    std::uint32_t count() const { return count_; }
    /// The first rank speaks for all.
    bool speaks() const { return own_ == 0; }

    /// Called by all: what each of them says, by rank.
    virtual std::vector<Bytes> tell_all(const Bytes& what) = 0;
    /// Called by all: what each has for this one, by rank. `for_each` has an entry for each rank.
    virtual std::vector<Bytes> swap(const std::vector<Bytes>& for_each) = 0;

    bool is_asked_to_stop() const { return asked_; }
    /// All ranks have learnt in one place that one was asked: only then they stop, since one that
    /// stopped alone would leave the others waiting.
    void agree_to_stop() { stop_ = true; }
    const std::atomic<bool>& stop() const { return stop_; }

private:
    const std::uint32_t own_;
    const std::uint32_t count_;
    const std::atomic<bool>& asked_;
    std::atomic<bool> stop_{false};
};

}  // namespace locklab
