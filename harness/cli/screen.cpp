#include "harness/cli/screen.h"

#include <fcntl.h>
#include <unistd.h>

#include <string_view>

#include "harness/core/printable.h"

namespace locklab {

Screen::~Screen() {
    sync();
    stream_.rdbuf(below_);
}

bool Screen::put(std::string_view text) {
    const std::string shown = printable_lines(text);
    const auto size = static_cast<std::streamsize>(shown.size());
    return below_->sputn(shown.data(), size) == size;
}

bool Screen::put_lines() {
    const std::size_t end = line_.rfind('\n');
    if (end == std::string::npos) return true;
    const bool well = put(std::string_view(line_).substr(0, end + 1));
    line_.erase(0, end + 1);
    return well;
}

Screen::int_type Screen::overflow(int_type c) {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    line_ += traits_type::to_char_type(c);
    return line_.back() != '\n' || put_lines() ? c : traits_type::eof();
}

std::streamsize Screen::xsputn(const char* text, std::streamsize size) {
    line_.append(text, static_cast<std::size_t>(size));
    return put_lines() ? size : 0;
}

int Screen::sync() {
    const bool well = put(line_);
    line_.clear();
    return well && below_->pubsync() == 0 ? 0 : -1;
}

bool open_standard_streams() {
    bool has_stdout = true;
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) >= 0) continue;
        // open() takes the lowest free number, which is this one.
        static_cast<void>(open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY));
        has_stdout = has_stdout && stream != STDOUT_FILENO;
    }
    return has_stdout;
}

}  // namespace locklab
