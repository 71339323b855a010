// Uniform choices from a seed: the same numbers on every platform, library and compiler.
#pragma once

#include <array>
#include <cstdint>

#include "harness/core/choices.h"

namespace locklab {

/// xoshiro256** 1.0 seeded by splitmix64 (Blackman and Vigna, https://prng.di.unimi.it).
class RandomChoices final : public Choices {
public:
    /// Streams of one seed are independent: campaigns give each run a stream of its own.
    explicit RandomChoices(std::uint64_t seed, std::uint64_t stream = 0) {
        std::uint64_t state = seed ^ mix(stream + 0x9E3779B97F4A7C15U);
        for (std::uint64_t& word : words_) {
            state += 0x9E3779B97F4A7C15U;
            word = mix(state);
        }
    }

    std::uint32_t pick(ChoiceKind, std::uint32_t count) override {
        // Multiply-shift: the bias is below count / 2^32, less than any figure here resolves.
        const std::uint64_t high = next() >> 32;
        return static_cast<std::uint32_t>((high * count) >> 32);
    }

    std::uint64_t next() {
        const std::uint64_t result = rotate(words_[1] * 5, 7) * 9;
        const std::uint64_t shifted = words_[1] << 17;
        words_[2] ^= words_[0];
        words_[3] ^= words_[1];
        words_[1] ^= words_[2];
        words_[0] ^= words_[3];
        words_[2] ^= shifted;
        words_[3] = rotate(words_[3], 45);
        return result;
    }

private:
    static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
        return x ^ (x >> 31);
    }

    std::array<std::uint64_t, 4> words_{};
};

}  // namespace locklab
