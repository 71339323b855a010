// What the program prints goes through here: a title in a file, a library's complaint or a server's
// words cannot clear the reader's terminal, nor write what we did not say.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace locklab {

/// As long as it lives, what is written to `stream` is printable. A line that is not ended waits
/// for its end, or for a flush.
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

/// A standard stream that is closed is opened on nothing, or the first file that is opened would
/// be taken for it. False: stdout was closed, so that nothing can be shown.
bool open_standard_streams();

}  // namespace locklab
