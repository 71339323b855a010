// SHA-1, by which Redis identifies a script (FIPS 180-4). Not used for security.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace locklab {

using Sha1 = std::array<std::uint8_t, 20>;

Sha1 sha1(std::string_view text);

/// Forty digits in lower case.
std::string to_hex(const Sha1& digest);

}  // namespace locklab
