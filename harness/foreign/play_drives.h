// Drives for plays of driver processes: random, by priorities (PCT), and replay of given choices.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "harness/core/random_choices.h"
#include "harness/foreign/play_drive.h"

namespace locklab {

/// Chooses uniformly among the moves that are due; once in a while an early move or a fault.
class RandomDrive final : public PlayDrive {
public:
    RandomDrive(std::uint64_t seed, std::uint64_t play) : choices_(seed, play) {}
    std::size_t choose(std::span<const PlayOption> options) override;

private:
    RandomChoices choices_;
};

/// The actor with the highest priority goes first. At `changes` places, drawn among the first
/// `length` choices, the highest becomes the lowest; faults strike at places drawn likewise.
/// Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
/// Guarantees of Finding Bugs, ASPLOS 2010.
class PctDrive final : public PlayDrive {
public:
    struct Limits {
        std::uint32_t changes = 2;
        std::uint32_t faults = 0;
        std::uint32_t length = 50;
    };
    PctDrive(std::uint64_t seed, std::uint64_t play, const Limits& limits);
    std::size_t choose(std::span<const PlayOption> options) override;

private:
    std::size_t highest(std::span<const PlayOption> open);

    RandomChoices choices_;
    std::map<std::uint32_t, std::uint32_t> priorities_;
    std::multiset<std::uint32_t> changes_;
    std::multiset<std::uint32_t> faults_;
    std::uint32_t place_ = 0;
    std::uint32_t lowest_ = 1U << 20;
};

/// Picks by their places; all other choices are the default.
class GivenDrive final : public PlayDrive {
public:
    explicit GivenDrive(std::vector<std::uint32_t> picks) : picks_(std::move(picks)) {}
    std::size_t choose(std::span<const PlayOption> options) override;

private:
    std::vector<std::uint32_t> picks_;
    std::size_t next_ = 0;
};

}  // namespace locklab
