#include "harness/proxy/frame_words.h"

#include <algorithm>
#include <charconv>

namespace locklab {

namespace {

char capital(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// The first line of `rest`, without its end; removes it from `rest`.
std::string_view line_of(std::string_view& rest) {
    const std::size_t end = rest.find("\r\n");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
    return line;
}

/// 0 for negative counts.
std::size_t count_in(std::string_view digits) {
    std::size_t count = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
    return count;
}

}  // namespace

FrameWords::FrameWords(std::string_view frame) {
    if (frame.starts_with('*') || frame.starts_with('>')) {
        read_array(frame);
    } else {
        read_inline(frame);
    }
}

bool FrameWords::is(std::size_t index, std::string_view capitals) const {
    const std::string_view word = (*this)[index];
    return word.size() == capitals.size() &&
           std::equal(word.begin(), word.end(), capitals.begin(),
                      [](char a, char b) { return capital(a) == b; });
}

void FrameWords::read_array(std::string_view rest) {
    count_ = count_in(line_of(rest).substr(1));
    while (kept_ < std::min(kKept, count_) && !rest.empty()) {
        const std::string_view line = line_of(rest);
        const char type = line.empty() ? '\0' : line.front();
        if (type == '$' && !line.starts_with("$-")) {
            const std::size_t size = std::min(count_in(line.substr(1)), rest.size());
            words_[kept_++] = rest.substr(0, size);
            rest.remove_prefix(std::min(size + 2, rest.size()));
        } else if (type == ':' || type == '+') {
            words_[kept_++] = line.substr(1);
        } else {
            return;
        }
    }
}

/// Ignores quotes: no word of interest here is quoted.
void FrameWords::read_inline(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r\n";
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;
         at = line.find_first_not_of(kBlanks, at)) {
        const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
        if (kept_ < kKept) words_[kept_++] = line.substr(at, end - at);
        ++count_;
        at = end;
    }
}

}  // namespace locklab
