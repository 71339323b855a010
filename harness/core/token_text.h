// The tokens of a careful lock: hexadecimal digits, different from all others as a whole. Parts of
// them may be equal, to expose a lock that compares only a part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace locklab {

/// Digits of a token, in every world.
inline constexpr std::size_t kTokenDigits = 32;

enum class TokenStyle : std::uint8_t {
    mixed,      ///< of eight tokens, two begin alike, and one ends like others
    same_head,  ///< all begin with the same four digits
    same_tail,  ///< all end with the same four digits, and begin differently; of two, the greater
                ///< in same_head is the lesser here
};

/// The `count`th token of `owner`; equal arguments give equal tokens.
std::string token_text(TokenStyle style, std::uint64_t owner, std::uint64_t count);

/// The text with "<token>" in place of whatever is as long and made of such digits as a token.
std::string without_tokens(std::string_view text);

/// Random digits as a token of the mixed style.
std::string mixed_token(std::string digits);

}  // namespace locklab
