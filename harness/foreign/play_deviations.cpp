#include "harness/foreign/play_deviations.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "harness/core/usage_error.h"

namespace locklab {

PlayDeviations deviations_of(const PlayChoices& choices) {
    PlayDeviations deviations;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (choices[i].pick == 0) continue;
        deviations.emplace_back(static_cast<std::uint32_t>(i), choices[i].pick);
    }
    return deviations;
}

std::vector<std::uint32_t> picks_of(const PlayDeviations& deviations) {
    std::vector<std::uint32_t> picks;
    for (const auto& [place, pick] : deviations) {
        picks.resize(std::max<std::size_t>(picks.size(), place + 1));
        picks[place] = pick;
    }
    return picks;
}

void require_choices(const PlayDeviations& deviations, const PlayChoices& choices) {
    for (const auto& [place, pick] : deviations) {
        const std::string its = std::to_string(place);
        std::string why;
        if (place >= choices.size()) {
            why = "has no choice " + its + ", but " + std::to_string(choices.size()) + " from 0 on";
        } else if (pick >= choices[place].of) {
            why = "has no pick " + std::to_string(pick) + " at its choice " + its + ", but " +
                  std::to_string(choices[place].of) + " from 0 on";
        } else if (choices[place].pick != pick) {
            why = "is told two picks at its choice " + its;
        }
        if (why.empty()) continue;
        throw UsageError("--choices: '" + its + ":" + std::to_string(pick) + "': this play " + why +
                         "; right would be a replay line as it was " +
                         "shown, with all of its options");
    }
}

std::string to_string(const PlayDeviations& deviations) {
    std::string text;
    for (const auto& [place, pick] : deviations) {
        text += (text.empty() ? "" : ",") + std::to_string(place) + ":" + std::to_string(pick);
    }
    return text.empty() ? "calm" : text;
}

PlayDeviations parse_deviations(const std::string& text) {
    PlayDeviations deviations;
    if (text == "calm") return deviations;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        std::uint32_t place = 0;
        std::uint32_t pick = 0;
        const char* end = word.data() + word.size();
        const auto first = std::from_chars(word.data(), end, place);
        const bool has_pick = first.ec == std::errc() && first.ptr != end && *first.ptr == ':';
        const auto second =
            has_pick ? std::from_chars(first.ptr + 1, end, pick) : std::from_chars_result{end, {}};
        const bool is_right = has_pick && second.ec == std::errc() && second.ptr == end &&
                              place < 100'000 && pick > 0;
        if (!is_right) {
            throw UsageError("--choices: '" + word + "' is no choice; right would be, for " +
                             "instance, 17:3,25:1");
        }
        deviations.emplace_back(place, pick);
    }
    return deviations;
}

}  // namespace locklab
