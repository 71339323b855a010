// Help for whoever misspelt a word: the nearest one that is known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace locklab {

/// The candidate with the fewest insertions, deletions and substitutions from `word`, ignoring
/// case; the first of several. Empty if there are no candidates.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// Whether one may be meant by the other: less than half of it would have to change.
bool resembles(std::string_view word, std::string_view candidate);

/// "unknown event 'grantd'; did you mean 'granted'? Known: wants, granted, ..." Nothing is
/// proposed that the word does not resemble.
std::string unknown_word(std::string_view what, std::string_view word,
                         std::span<const std::string_view> candidates);

/// A word from outside, fit to be quoted in a message: short, and without control characters.
std::string in_quotes(std::string_view word);

}  // namespace locklab
