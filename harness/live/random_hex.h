// Unique values from the kernel's random numbers: tokens, and the prefix of keys.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace locklab {

class RandomHex {
public:
    /// This many random bytes, at most 256, as hexadecimal digits.
    std::string draw(std::size_t bytes);

private:
    /// The kernel gives this many at once without being interrupted.
    std::array<unsigned char, 256> pool_{};
    std::size_t used_ = pool_.size();
};

}  // namespace locklab
