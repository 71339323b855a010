// The first words of a frame: of a command its name and its arguments, of a message what it is.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace locklab {

class FrameWords {
public:
    /// So many are kept. EVAL's digest, CLIENT REPLY OFF, a message's channel and count need no
    /// more.
    static constexpr std::size_t kKept = 4;

    /// `frame` is whole. A word that is no text or line, and all after it, are not kept.
    explicit FrameWords(std::string_view frame);

    /// How many words there are, kept or not.
    std::size_t count() const { return count_; }
    /// Empty for a word that is not kept.
    std::string_view operator[](std::size_t index) const {
        return index < kept_ ? words_[index] : std::string_view();
    }
    /// Whether the word is this one, which is written in capitals, in any case.
    bool is(std::size_t index, std::string_view capitals) const;

private:
    void read_array(std::string_view rest);
    void read_inline(std::string_view line);

    std::array<std::string_view, kKept> words_;
    std::size_t kept_ = 0;
    std::size_t count_ = 0;
};

}  // namespace locklab
