#include "harness/core/printable.h"

#include <algorithm>
#include <cstdint>

namespace locklab {

namespace {

/// How many bytes the character at the beginning of `text` has; 0 if it is no UTF-8.
std::size_t size_of_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    // Not allowed: overlong forms, halves of surrogate pairs, numbers beyond the last character.
    const unsigned char second = byte(1);
    const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                       (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
    return wrong ? 0 : size;
}

/// Control characters of ASCII and Latin-1, line and paragraph separators, and direction marks.
bool is_obeyed(std::string_view character) {
    if (character.size() == 1) {
        const auto byte = static_cast<unsigned char>(character[0]);
        return byte < 0x20 || byte == 0x7F;
    }
    if (character.size() == 2) return character >= "\xC2\x80" && character <= "\xC2\x9F";
    const bool in_lines = character >= "\xE2\x80\xA8" && character <= "\xE2\x80\xAE";
    const bool isolates = character >= "\xE2\x81\xA6" && character <= "\xE2\x81\xA9";
    const bool marks = character == "\xE2\x80\x8E" || character == "\xE2\x80\x8F";
    return character.size() == 3 && (in_lines || isolates || marks);
}

std::string hex(std::uint32_t number, int digits) {
    std::string text;
    for (int i = digits; i-- > 0;) text += "0123456789abcdef"[number >> (4 * i) & 15];
    return text;
}

/// Writes out a UTF-8 character, or a byte that is none. JSON escapes neither DEL nor characters of
/// more than one byte, so these get JSON's own \u form.
std::string written_out(std::string_view bytes) {
    if (bytes == "\n") return "\\n";
    if (bytes == "\r") return "\\r";
    if (bytes == "\t") return "\\t";
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    if (bytes.size() == 3) {
        return "\\u" + hex((byte(0) & 0xFU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU), 4);
    }
    if (bytes.size() == 2) return "\\u" + hex((byte(0) & 0x1FU) << 6 | (byte(1) & 0x3FU), 4);
    return byte(0) == 0x7F ? "\\u007f" : "\\x" + hex(byte(0), 2);
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
    std::string shown;
    while (!text.empty()) {
        const std::size_t size = size_of_character(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(size, 1));
        const bool as_it_is = size > 0 && !is_obeyed(character);
        const std::string next = as_it_is ? std::string(character) : written_out(character);
        if (next.size() > most - shown.size()) return shown + "...";
        shown += next;
        text.remove_prefix(character.size());
    }
    return shown;
}

std::string printable_lines(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        shown += printable(text.substr(0, end), std::string::npos);
        if (end < text.size()) shown += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return shown;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t size = size_of_character(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

}  // namespace locklab
