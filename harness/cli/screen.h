// All output passes through here: a title in a file, a library's complaint or a server's words
// cannot clear the reader's terminal, or imitate our own output.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace locklab {

/// As long as it lives, text written to `stream` is made printable. An unfinished line waits for
/// its end, or for a flush.
class Screen final : private std::streambuf {
public:
    explicit Screen(std::ostream& stream) : stream_(stream), below_(stream.rdbuf(this)) {}
    ~Screen() override;
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

private:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;
    bool put_lines();
    bool put(std::string_view text);

    std::ostream& stream_;
    std::streambuf* below_;
    std::string line_;  ///< not written yet
};

/// Opens closed standard streams on /dev/null; otherwise the first opened file would take their
/// place. False: stdout was closed, so that nothing can be shown.
bool open_standard_streams();

}  // namespace locklab
