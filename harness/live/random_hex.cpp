#include "harness/live/random_hex.h"

#include <sys/random.h>

#include "harness/core/assert.h"

namespace locklab {

std::string RandomHex::draw(std::size_t bytes) {
    LOCKLAB_ASSERT(bytes <= pool_.size());
    if (used_ + bytes > pool_.size()) {
        const ssize_t got = getrandom(pool_.data(), pool_.size(), 0);
        LOCKLAB_ASSERT(got == static_cast<ssize_t>(pool_.size()));
        used_ = 0;
    }
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text(2 * bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i) {
        const unsigned char byte = pool_[used_++];
        text[2 * i] = kDigits[byte >> 4];
        text[2 * i + 1] = kDigits[byte & 15];
    }
    return text;
}

}  // namespace locklab
