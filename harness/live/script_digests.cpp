#include "harness/live/script_digests.h"

#include <array>
#include <bit>
#include <cstdint>

namespace locklab {

namespace {

using State = std::array<std::uint32_t, 5>;

std::uint32_t big_endian(const unsigned char* bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
           std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]};
}

void mix_block(State& state, const unsigned char* block) {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian(block + 4 * i);
    for (std::size_t i = 16; i < 80; ++i) {
        w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < 80; ++i) {
        std::uint32_t f = b ^ c ^ d;
        std::uint32_t k = 0x6ED9EBA1;
        if (i < 20) {
            f = (b & c) | (~b & d);
            k = 0x5A827999;
        } else if (i >= 60) {
            k = 0xCA62C1D6;
        } else if (i >= 40) {
            f = (b & c) | (b & d) | (c & d);
            k = 0x8F1BBCDC;
        }
        const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

}  // namespace

std::string sha1_hex(std::string_view text) {
    std::string padded(text);
    padded += '\x80';
    while (padded.size() % 64 != 56) padded += '\0';
    const std::uint64_t bits = std::uint64_t{text.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift);

    State state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    const auto* bytes = reinterpret_cast<const unsigned char*>(padded.data());
    for (std::size_t at = 0; at < padded.size(); at += 64) mix_block(state, bytes + at);

    std::string hex;
    for (const std::uint32_t word : state) {
        for (int shift = 28; shift >= 0; shift -= 4) {
            hex += "0123456789abcdef"[(word >> shift) & 15];
        }
    }
    return hex;
}

const std::string& ScriptDigests::of(const Script& script) {
    for (const auto& entry : entries_) {
        if (entry->script == &script) return entry->digest;
    }
    entries_.push_back(std::make_unique<const Entry>(Entry{&script, sha1_hex(script.lua)}));
    return entries_.back()->digest;
}

}  // namespace locklab
