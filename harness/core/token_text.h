// What a careful lock's token looks like: hexadecimal digits, unlike any other's as a whole. Parts
// of it may well be alike, so that a lock that looks at a part of it only is found out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace locklab {

/// Digits of a token, in every world.
inline constexpr std::size_t kTokenDigits = 32;

enum class TokenStyle : std::uint8_t {
    mixed,      ///< of eight, two begin alike, and one ends as all such do
    same_head,  ///< all begin with the same four digits
    same_tail,  ///< all end with the same four digits, and begin differently; of two the one that
                ///< is the greater of the style before is the lesser
};

/// The `count`th token of `owner`, the same whenever it is asked for.
std::string token_text(TokenStyle style, std::uint64_t owner, std::uint64_t count);

/// The text with "<token>" in place of whatever is as long and made of such digits as a token.
std::string without_tokens(std::string_view text);

/// Random digits as a token of the mixed style.
std::string mixed_token(std::string digits);

}  // namespace locklab
