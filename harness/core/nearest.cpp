#include "harness/core/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace locklab {

namespace {

/// Of longer words only the beginning is compared and quoted.
constexpr std::size_t kMostOfWord = 48;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Levenshtein's distance, one row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
    a = a.substr(0, kMostOfWord);
    b = b.substr(0, kMostOfWord);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
    std::string_view best;
    std::size_t least = 0;
    for (const std::string_view candidate : candidates) {
        const std::size_t d = distance(word, candidate);
        if (best.empty() || d < least) {
            best = candidate;
            least = d;
        }
    }
    return best;
}

bool resembles(std::string_view word, std::string_view candidate) {
    return 2 * distance(word, candidate) < std::max(word.size(), candidate.size());
}

std::string in_quotes(std::string_view word) {
    std::string text = "'";
    for (const char c : word.substr(0, kMostOfWord)) text += c >= ' ' && c <= '~' ? c : '?';
    return text + (word.size() > kMostOfWord ? "...'" : "'");
}

std::string unknown_word(std::string_view what, std::string_view word,
                         std::span<const std::string_view> candidates) {
    std::string text = "unknown ";
    text.append(what).append(" ").append(in_quotes(word));
    const std::string_view best = nearest(word, candidates);
    if (!best.empty() && resembles(word, best)) {
        text.append("; did you mean ").append(in_quotes(best)).append("?");
    } else {
        text.append(".");
    }
    text.append(" Known: ");
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        text.append(i == 0 ? "" : ", ").append(candidates[i]);
    }
    return text;
}

}  // namespace locklab
