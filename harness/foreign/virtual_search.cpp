#include "harness/foreign/virtual_search.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <memory>
#include <sstream>

#include "harness/core/usage_error.h"
#include "harness/foreign/play_drives.h"
#include "harness/record/history_json.h"

namespace locklab {

namespace {

/// Plays that shrinking may take.
constexpr std::uint64_t kMostShrinking = 300;
/// How long a play is before one was seen, in choices.
constexpr std::uint32_t kUsualLength = 60;
/// Plays that wait to be made, of which each is a list of picks.
constexpr std::size_t kMostWaiting = 1'000'000;

std::string text_of(const History& history) {
    std::ostringstream lines;
    write_history(lines, history);
    return lines.str();
}

class VirtualSearch {
public:
    VirtualSearch(VirtualWorld& world, const Subject& subject, const VirtualSpec& spec,
                  const VirtualSearchLimits& limits, const Watcher& watcher)
        : world_(world), subject_(subject), spec_(spec), limits_(limits), watcher_(watcher) {
        for (const HazardRow& row : kHazards) faults_ += spec.faults[row.hazard];
    }

    VirtualSearchResult run() {
        if (limits_.order == PlayOrder::delay) {
            run_all();
        } else {
            run_random();
        }
        return std::move(result_);
    }

private:
    bool goes_on() {
        result_.interrupted = watcher_.stopped();
        return !result_.interrupted && !result_.find && result_.plays < limits_.plays;
    }

    VirtualResult make(PlayDrive& drive) {
        VirtualResult made = play_virtually(world_, subject_, spec_, drive, result_.plays);
        length_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(made.choices.size()));
        return made;
    }

    VirtualResult make(const PlayDeviations& deviations) {
        GivenDrive drive(picks_of(deviations));
        return make(drive);
    }

    /// Counts it; a find ends the search.
    void take(VirtualResult made) {
        ++result_.plays;
        result_.choices += made.choices.size();
        result_.not_whole += made.is_whole ? 0 : 1;
        if (result_.first_error.empty()) result_.first_error = made.first_error;
        for (const Event& event : made.history.events) {
            result_.grants += std::holds_alternative<event::Granted>(event.detail) ? 1 : 0;
        }
        watcher_.show(subject_.name() + ": " + std::to_string(result_.plays) + " of " +
                      std::to_string(limits_.plays) + " plays");
        if (!made.proved.empty()) shrink(deviations_of(made.choices));
    }

    void run_random() {
        while (goes_on()) {
            std::unique_ptr<PlayDrive> drive;
            if (limits_.order == PlayOrder::random) {
                drive = std::make_unique<RandomDrive>(spec_.seed, result_.plays);
            } else {
                drive = std::make_unique<PctDrive>(
                    spec_.seed, result_.plays, PctDrive::Limits{limits_.changes, faults_, length_});
            }
            take(make(*drive));
        }
    }

    /// Each play that differs from one that was made in one choice more, after its last.
    void run_all() {
        std::deque<PlayDeviations> waiting{{}};
        while (goes_on() && !waiting.empty()) {
            const PlayDeviations deviations = std::move(waiting.front());
            waiting.pop_front();
            VirtualResult made = make(deviations);
            const PlayChoices choices = made.choices;
            take(std::move(made));
            if (deviations.size() == limits_.changes) continue;
            const std::size_t from = deviations.empty() ? 0 : deviations.back().first + 1;
            for (std::size_t i = from; i < choices.size(); ++i) {
                for (std::uint32_t pick = 1; pick < choices[i].of; ++pick) {
                    if (waiting.size() == kMostWaiting) return;
                    waiting.push_back(deviations);
                    waiting.back().emplace_back(static_cast<std::uint32_t>(i), pick);
                }
            }
        }
        result_.all_played = waiting.empty() && !result_.interrupted && !result_.find;
    }

    /// Until no choice can be made calm any more.
    void shrink(PlayDeviations deviations) {
        VirtualFind find;
        find.found_with = deviations.size();
        for (bool shorter = true; shorter;) {
            shorter = false;
            for (std::size_t i = deviations.size(); i-- > 0 && !watcher_.stopped();) {
                if (find.shrunk_in == kMostShrinking) break;
                PlayDeviations less = deviations;
                less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
                ++find.shrunk_in;
                VirtualResult made = make(less);
                if (made.proved.empty()) continue;
                // What was made, where a pick was too large for its question.
                deviations = deviations_of(made.choices);
                i = std::min(i, deviations.size());
                shorter = true;
            }
        }
        find.play = make(deviations);
        find.came_again = !find.play.proved.empty() &&
                          text_of(find.play.history) == text_of(make(deviations).history);
        find.deviations = std::move(deviations);
        result_.find = std::move(find);
    }

    VirtualWorld& world_;
    const Subject& subject_;
    const VirtualSpec& spec_;
    const VirtualSearchLimits& limits_;
    const Watcher& watcher_;
    std::uint32_t faults_ = 0;
    std::uint32_t length_ = kUsualLength;
    VirtualSearchResult result_;
};

}  // namespace

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

VirtualSearchResult search_virtually(VirtualWorld& world, const Subject& subject,
                                     const VirtualSpec& spec, const VirtualSearchLimits& limits,
                                     const Watcher& watcher) {
    return VirtualSearch(world, subject, spec, limits, watcher).run();
}

}  // namespace locklab
