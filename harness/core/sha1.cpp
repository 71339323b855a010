#include "harness/core/sha1.h"

#include <algorithm>
#include <bit>

namespace locklab {

namespace {

constexpr std::size_t kBlock = 64;

using State = std::array<std::uint32_t, 5>;

struct Round {
    std::uint32_t mixed;
    std::uint32_t constant;
};

Round round_of(std::size_t t, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    if (t < 20) return {(b & c) | (~b & d), 0x5A827999U};
    if (t < 40) return {b ^ c ^ d, 0x6ED9EBA1U};
    if (t < 60) return {(b & c) | (b & d) | (c & d), 0x8F1BBCDCU};
    return {b ^ c ^ d, 0xCA62C1D6U};
}

void absorb(State& state, const std::uint8_t* block) {
    std::array<std::uint32_t, 80> words;
    for (std::size_t t = 0; t < 16; ++t) {
        words[t] = std::uint32_t{block[4 * t]} << 24 | std::uint32_t{block[4 * t + 1]} << 16 |
                   std::uint32_t{block[4 * t + 2]} << 8 | std::uint32_t{block[4 * t + 3]};
    }
    for (std::size_t t = 16; t < words.size(); ++t) {
        words[t] = std::rotl(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1);
    }
    auto [a, b, c, d, e] = state;
    for (std::size_t t = 0; t < words.size(); ++t) {
        const Round round = round_of(t, b, c, d);
        const std::uint32_t next = std::rotl(a, 5) + round.mixed + e + round.constant + words[t];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

}  // namespace

Sha1 sha1(std::string_view text) {
    std::string padded(text);
    padded.push_back('\x80');
    while (padded.size() % kBlock != kBlock - 8) padded.push_back('\0');
    const std::uint64_t bits = std::uint64_t{text.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8) {
        padded.push_back(static_cast<char>(bits >> shift & 0xFF));
    }
    State state{0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};
    std::array<std::uint8_t, kBlock> block;
    for (std::size_t at = 0; at < padded.size(); at += kBlock) {
        std::copy_n(padded.begin() + static_cast<std::ptrdiff_t>(at), kBlock, block.begin());
        absorb(state, block.data());
    }
    Sha1 digest;
    for (std::size_t i = 0; i < digest.size(); ++i) {
        digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)) & 0xFF);
    }
    return digest;
}

std::string to_hex(const Sha1& digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const std::uint8_t byte : digest) {
        hex.push_back(kDigits[byte >> 4]);
        hex.push_back(kDigits[byte & 0xF]);
    }
    return hex;
}

}  // namespace locklab
