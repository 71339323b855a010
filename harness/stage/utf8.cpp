#include "harness/stage/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace locklab {

namespace {

/// First byte of a character of this many bytes, and the least code point that needs them.
struct Form {
    unsigned mask;
    unsigned lead;
    std::size_t bytes;
    std::uint32_t least;
};
constexpr std::array<Form, 3> kForms{
    {{0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}}};

unsigned value_of(char byte) { return static_cast<unsigned char>(byte); }

bool is_plain(std::string_view bytes) {
    const char c = bytes.front();
    if (c == '\r') return bytes.starts_with("\r\n");
    return c == '\n' || c == '\t' || (c >= ' ' && c <= '~');
}

/// Length of the character at the start; 0 if there is none.
std::size_t length_of(std::string_view bytes) {
    if (value_of(bytes.front()) < 0x80) return is_plain(bytes) ? 1 : 0;
    for (const Form& form : kForms) {
        if ((value_of(bytes.front()) & form.mask) != form.lead) continue;
        if (bytes.size() < form.bytes) return 0;
        std::uint32_t point = value_of(bytes.front()) & ~form.mask;
        for (const char c : bytes.substr(1, form.bytes - 1)) {
            if ((value_of(c) & 0xC0) != 0x80) return 0;
            point = point << 6 | (value_of(c) & 0x3F);
        }
        const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
        const bool control = point < 0xA0;
        const bool exists = point >= form.least && point <= 0x10FFFF;
        return exists && !surrogate && !control ? form.bytes : 0;
    }
    return 0;
}

}  // namespace

std::size_t characters(std::string_view utf8) {
    return static_cast<std::size_t>(
        std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::size_t first_that_is_no_text(std::string_view bytes) {
    std::size_t i = 0;
    while (i < bytes.size()) {
        const std::size_t length = length_of(bytes.substr(i));
        if (length == 0) return i;
        i += length;
    }
    return i;
}

std::string hex(char byte) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    return {'0', 'x', kDigits[value_of(byte) >> 4], kDigits[value_of(byte) & 0xF]};
}

}  // namespace locklab
