// Untrusted work in a child process: limits of processor time and memory hold for it alone, and if
// it crashes, only the child ends.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace locklab {

/// How the child ended.
struct ApartEnd {
    int code = 0;             ///< its exit code, if `why` is empty
    std::string why;          ///< what ended it, if it did not end by itself: half a sentence
    std::uint64_t place = 0;  ///< the last place that it reported
};

/// The child did not end by itself. what() is ApartEnd::why.
struct ApartError : std::runtime_error {
    explicit ApartError(const ApartEnd& end) : std::runtime_error(end.why), place(end.place) {}
    std::uint64_t place;
};

class Apart {
public:
    /// Throws std::system_error if there is no memory or no process.
    Apart();
    ~Apart();
    Apart(const Apart&) = delete;
    Apart& operator=(const Apart&) = delete;

    /// Splits the process. In the child it returns nothing, and the child goes on, within the
    /// limits; the parent waits, and gets how the child ended. Throws std::system_error.
    std::optional<ApartEnd> split();

    /// Called by the child: its work has reached this place. If it is ended, the parent learns the
    /// place. Its time limit starts again every thousand places, and when the same place comes
    /// twice in a row, with other work.
    void at(std::uint64_t place);

private:
    void limit() const;
    void renew_time() const;
    ApartEnd end_of(pid_t child) const;

    std::atomic<std::uint64_t>* place_;  ///< in memory that both share
};

/// Does `work` in a child and returns its result. Throws ApartError, std::system_error, and what
/// `work` threw as a std::runtime_error.
std::string done_apart(const std::function<std::string(Apart&)>& work);

}  // namespace locklab
