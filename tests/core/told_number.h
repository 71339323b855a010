// How often a test does what it does, where whoever runs it may want more.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace locklab {

/// What the environment says, else `usual`.
inline std::uint64_t told_number(const char* variable, std::uint64_t usual) {
    const char* told = std::getenv(variable);
    return told == nullptr ? usual : std::strtoull(told, nullptr, 10);
}

}  // namespace locklab
