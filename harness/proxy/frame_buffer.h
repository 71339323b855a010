// Bytes of one direction of a connection, returned frame by frame.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/proxy/resp_scanner.h"

namespace locklab {

/// Empties it, and frees the memory of a large frame.
inline void empty(std::string& bytes) {
    constexpr std::size_t kMostKept = 262'144;
    bytes.clear();
    if (bytes.capacity() > kMostKept) bytes.shrink_to_fit();
}

class FrameBuffer {
public:
    explicit FrameBuffer(RespScanner::Speaker speaker) : scanner_(speaker) {}

    void append(std::string_view bytes) {
        bytes_.erase(0, begin_);
        scanned_ -= begin_;
        begin_ = 0;
        bytes_.append(bytes);
    }
    /// The first frame, if it is whole: the same one until pop(). Nothing after malformed input.
    std::optional<std::string_view> front() {
        if (!whole_ && !nonsense_) {
            const RespScanner::Step step = scanner_.scan(std::string_view(bytes_).substr(scanned_));
            scanned_ += step.used;
            whole_ = step.found == RespScanner::Found::frame;
            nonsense_ = step.found == RespScanner::Found::nonsense;
        }
        if (!whole_) return std::nullopt;
        return std::string_view(bytes_).substr(begin_, scanned_ - begin_);
    }
    void pop() {
        begin_ = scanned_;
        whole_ = false;
        if (size() == 0) clear();
    }
    /// All remaining bytes, as they came.
    std::string_view rest() const { return std::string_view(bytes_).substr(begin_); }
    void clear() {
        empty(bytes_);
        begin_ = scanned_ = 0;
        whole_ = false;
    }

    std::size_t size() const { return bytes_.size() - begin_; }
    /// Type of the first frame.
    char type() const { return scanner_.type(); }
    bool is_nonsense() const { return nonsense_; }
    const char* complaint() const { return scanner_.complaint(); }

private:
    RespScanner scanner_;
    std::string bytes_;
    std::size_t begin_ = 0;
    std::size_t scanned_ = 0;
    bool whole_ = false;
    bool nonsense_ = false;
};

}  // namespace locklab
