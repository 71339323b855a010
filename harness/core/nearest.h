// Help with a misspelt word: the nearest known word.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace locklab {

/// The candidate with the fewest insertions, deletions and substitutions from `word`, ignoring
/// case; the first of several. Empty if there are no candidates.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// Whether one may be meant as the other: less than half of it would have to change.
bool resembles(std::string_view word, std::string_view candidate);

/// "unknown event 'grantd'; did you mean 'granted'? Known: wants, granted, ..." Proposes a word
/// only if it resembles the unknown one.
std::string unknown_word(std::string_view what, std::string_view word,
                         std::span<const std::string_view> candidates);

/// A word from outside, quoted for a message: shortened, and without control characters.
std::string in_quotes(std::string_view word);

}  // namespace locklab
