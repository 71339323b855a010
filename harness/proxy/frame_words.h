// The first words of a frame: a command's name and arguments, or a message's kind.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace locklab {

class FrameWords {
public:
    /// Number of words kept. EVAL's digest, CLIENT REPLY OFF, a message's channel and count need no
    /// more.
    static constexpr std::size_t kKept = 4;

    /// `frame` must be whole. Keeps words up to the first that is no text or line.
    explicit FrameWords(std::string_view frame);

    /// Number of words, kept or not.
    std::size_t count() const { return count_; }
    /// Empty for a word that is not kept.
    std::string_view operator[](std::size_t index) const {
        return index < kept_ ? words_[index] : std::string_view();
    }
    /// Whether the word equals `capitals`, ignoring case.
    bool is(std::size_t index, std::string_view capitals) const;

private:
    void read_array(std::string_view rest);
    void read_inline(std::string_view line);

    std::array<std::string_view, kKept> words_;
    std::size_t kept_ = 0;
    std::size_t count_ = 0;
};

}  // namespace locklab
