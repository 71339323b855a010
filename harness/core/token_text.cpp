#include "harness/core/token_text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace locklab {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
/// The two digits of each byte, the lower one first.
using DigitPair = std::array<char, 2>;
constexpr auto kPairs = [] {
    std::array<DigitPair, 256> pairs{};
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kDigits[i % 16], kDigits[i / 16]};
    return pairs;
}();
static_assert(kTokenDigits % 2 == 0);

constexpr std::string_view kHead = "7c3a";
constexpr std::string_view kTail = "e51d";

/// splitmix64, from "Fast splittable pseudorandom number generators" (Steele, Lea, Flood 2014).
std::uint64_t mixed_bits(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}

void set_head(std::string& token) { token.replace(0, kHead.size(), kHead); }
/// Puts the first four digits at both ends, twice each, so that they survive a head or tail that is
/// set afterwards. The first tokens of any two of a few clients differ in the first digit.
void set_ends(std::string& token, std::uint64_t owner, std::uint64_t count) {
    constexpr std::size_t kSize = kHead.size();
    static_assert(kTail.size() == kSize && kTokenDigits >= 4 * kSize);
    token[0] = kDigits[(5 * owner + count) % kDigits.size()];
    const std::string end = token.substr(0, kSize);
    for (const std::size_t place : {kSize, kTokenDigits - 2 * kSize, kTokenDigits - kSize}) {
        token.replace(place, kSize, end);
    }
}
/// Replaces each digit d by 15 - d: the lesser of two texts becomes the greater.
void turn_round(std::string& token) {
    for (char& digit : token) digit = kDigits[kDigits.size() - 1 - kDigits.find(digit)];
}
void set_tail(std::string& token) {
    token.replace(token.size() - kTail.size(), kTail.size(), kTail);
}

}  // namespace

std::string token_text(TokenStyle style, std::uint64_t owner, std::uint64_t count) {
    std::string token(kTokenDigits, '0');
    std::uint64_t bits = owner << 32 ^ count;
    for (std::size_t i = 0; i < token.size(); i += 2) {
        if (i % 16 == 0) bits = mixed_bits(bits + i);
        const DigitPair& pair = kPairs[bits >> 4 * (i % 16) & 0xFF];
        token[i] = pair[0];
        token[i + 1] = pair[1];
    }
    switch (style) {
        case TokenStyle::mixed: return mixed_token(std::move(token));
        case TokenStyle::same_head:
            set_ends(token, owner, count);
            set_head(token);
            break;
        case TokenStyle::same_tail:
            set_ends(token, owner, count);
            turn_round(token);
            set_tail(token);
            break;
    }
    return token;
}

std::string without_tokens(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
        out += digits == kTokenDigits ? "<token>" : text.substr(0, digits);
        text.remove_prefix(digits);
        const std::size_t others = std::min(text.find_first_of(kDigits), text.size());
        out += text.substr(0, others);
        text.remove_prefix(others);
    }
    return out;
}

std::string mixed_token(std::string digits) {
    switch (kDigits.find(digits[kHead.size()]) % 8) {
        case 0:
        case 1: set_head(digits); break;
        case 2: set_tail(digits); break;
        default: break;
    }
    return digits;
}

}  // namespace locklab
