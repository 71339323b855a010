// Work on what strangers wrote, in a child process: limits of processor time and memory hold for
// it alone, and where it crashes, nothing else does.
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
    int code = 0;             ///< its exit code, where `why` is empty
    std::string why;          ///< it did not end by itself: what ended it, in half a sentence
    std::uint64_t place = 0;  ///< where it was at then
};

/// The child did not end by itself. what() is ApartEnd::why.
struct ApartError : std::runtime_error {
    explicit ApartError(const ApartEnd& end) : std::runtime_error(end.why), place(end.place) {}
    std::uint64_t place;
};

class Apart {
public:
    /// Throws std::system_error where there is no memory or no process to be had.
    Apart();
    ~Apart();
    Apart(const Apart&) = delete;
    Apart& operator=(const Apart&) = delete;

    /// Splits the process. The child gets nothing and goes on, within the limits; the parent
    /// waits, and gets how the child ended. Throws std::system_error.
    std::optional<ApartEnd> split();

    /// Of the child: its work has got so far. If it is ended, the parent learns this place; and
    /// from here on it has the whole of its time again: each thousand places, and where it comes to
    /// one for the second time, with other work.
    void at(std::uint64_t place);

private:
    void limit() const;
    void renew_time() const;
    ApartEnd end_of(pid_t child) const;

    std::atomic<std::uint64_t>* place_;  ///< in memory that both have
};

/// Does `work` in a child and gives what it gave. Throws ApartError, std::system_error, and as a
/// std::runtime_error what `work` threw.
std::string done_apart(const std::function<std::string(Apart&)>& work);

}  // namespace locklab
