#include "harness/play/starved.h"

#include <cstdio>
#include <stdexcept>

#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/explore/step_text.h"
#include "harness/play/explore_trace.h"
#include "harness/play/find_replay.h"
#include "harness/record/files.h"
#include "harness/record/stopwatch.h"
#include "harness/record/typed.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_text.h"

namespace locklab {

namespace {

/// Cycles to play before a lasso is shown, and cycles in its trace.
constexpr std::size_t kLaps = 30;
constexpr std::size_t kLapsOfTrace = 3;

Find find_of_laps(const Starvation& found, const Lasso& lasso, std::size_t laps) {
    Path path;
    path.steps = lasso.stem;
    for (std::size_t i = 0; i < laps; ++i) {
        path.steps.insert(path.steps.end(), lasso.cycle.begin(), lasso.cycle.end());
    }
    return find_of(*found.algorithm, found.bounds, path, false);
}

/// Counts of one client and of the others after a number of cycles.
struct Tally {
    std::size_t refused = 0;
    std::size_t granted = 0;
    std::size_t others_granted = 0;
};

Tally tally_of(const Starvation& found, const Lasso& lasso, std::size_t laps) {
    const Scene scene = play_in_sim(find_of_laps(found, lasso, laps));
    Tally tally;
    for (const Event& event : scene.history.events) {
        const bool its = event.client.value == lasso.victim;
        if (std::holds_alternative<event::Granted>(event.detail)) {
            ++(its ? tally.granted : tally.others_granted);
        }
        const bool in_vain = std::holds_alternative<event::Refused>(event.detail) ||
                             std::holds_alternative<event::Failed>(event.detail);
        if (in_vain && its) ++tally.refused;
    }
    return tally;
}

/// Drops the rounds before the stem if the lasso does not need them.
Lasso shortened(const Starvation& found) {
    Lasso shorter = *found.lasso;
    shorter.stem.erase(shorter.stem.begin(),
                       shorter.stem.begin() + static_cast<std::ptrdiff_t>(shorter.before));
    shorter.before = 0;
    return goes_round(found, shorter, kLaps) ? shorter : *found.lasso;
}

void show_lasso(Starved& starved, const std::filesystem::path& folder) {
    Starvation& found = starved.found;
    if (!goes_round(found, *found.lasso, kLaps)) {
        throw std::runtime_error("the search finds a client of " +
                                 std::string(found.algorithm->name) +
                                 " that is passed over, and the stage does not see it: this is a "
                                 "bug of locklab");
    }
    found.lasso = shortened(found);
    starved.laps = kLaps;
    const Find find = find_of_laps(found, *found.lasso, kLapsOfTrace);
    starved.scene = play_in_sim(find_of_laps(found, *found.lasso, 1));
    const std::filesystem::path file =
        folder /
        ("explore." + std::string(found.algorithm->name) + "." + to_string(found.bounds.faults) +
         ".c" + std::to_string(found.bounds.clients) + ".starvation.json");
    write_file(file, to_json(find));
    starved.trace = file.string();
    starved.replay = typed_program() + " replay " + typed(file);
}

std::string steps_text(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps) text += (text.empty() ? "" : ", ") + to_string(step);
    return text;
}

std::string lasso_text(const Starved& starved) {
    const Lasso& lasso = *starved.found.lasso;
    const std::string victim(1, static_cast<char>('A' + lasso.victim));
    Timeline picture = make_timeline(*starved.scene);
    picture.verdict = "client " + victim + " starves";
    std::string text = "  client " + victim + " is passed over for ever: a stem of " +
                       counted(lasso.stem.size(), "step") + ", and a cycle of " +
                       std::to_string(lasso.cycle.size()) + " that comes back to where it began" +
                       (lasso.takes_time ? "" : ", in which no time need pass") + "\n";
    if (lasso.before > 0) {
        text += "  the first " + std::to_string(lasso.before) +
                " steps of the stem are a round that each client has alone\n";
    }
    return text + "    stem:  " + steps_text(lasso.stem) +
           "\n    cycle: " + steps_text(lasso.cycle) + "\n  seen on the stage in " +
           std::to_string(starved.laps) +
           " laps: in each it is refused, and others are granted the lock\n\n" + to_text(picture) +
           "  The last " + std::to_string(lasso.cycle.size()) +
           " steps are one lap.\n  replay: " + starved.replay + "\n";
}

}  // namespace

bool goes_round(const Starvation& found, const Lasso& lasso, std::size_t laps) {
    try {
        Tally before = tally_of(found, lasso, 0);
        for (std::size_t lap = 1; lap <= laps; ++lap) {
            const Tally after = tally_of(found, lasso, lap);
            const bool passed_over = after.granted == before.granted &&
                                     after.refused > before.refused &&
                                     after.others_granted > before.others_granted;
            if (!passed_over) return false;
            before = after;
        }
    } catch (const std::invalid_argument&) {
        return false;  // a step cannot be made there
    }
    return true;
}

Starved explore_starvation(const Algorithm& algorithm, const Bounds& bounds,
                           const StarvationLimits& limits, const std::filesystem::path& folder,
                           const Watcher& watcher) {
    Starved starved;
    const Stopwatch stopwatch;
    starved.found =
        find_starvation(algorithm, bounds, limits, *watcher.stop, [&](std::uint64_t states) {
            watcher.show(std::string(algorithm.name) + ": " + std::to_string(states) + " states");
        });
    if (starved.found.lasso) show_lasso(starved, folder);
    starved.seconds = stopwatch.seconds();
    return starved;
}

std::string_view starved_word(Verdict verdict) {
    switch (verdict) {
        case Verdict::violated: return "starves";
        case Verdict::holds: return "nobody is passed over for ever";
        case Verdict::stuck:
        case Verdict::not_seen:
        case Verdict::unknown: break;
    }
    return "unknown";
}

std::string starved_text(const Starved& starved) {
    const Starvation& found = starved.found;
    char seconds[24];
    std::snprintf(seconds, sizeof seconds, "%.3f", starved.seconds);
    std::string text =
        std::string(found.algorithm->name) + ": " + std::string(starved_word(found.verdict)) +
        "\n  " + counted(found.bounds.clients, "client") + ", rounds and tries without end, " +
        (found.bounds.faults == FaultBudget() ? "no faults"
                                              : "faults " + to_string(found.bounds.faults)) +
        "; each client has had the lock before\n  " + counted(found.states, "state") + ", " +
        std::to_string(found.steps) + " steps between them" +
        (found.exhausted ? ", exhausted" : "") + ", in " + seconds + " s\n";
    if (!found.why_unknown.empty()) text += "  unknown: " + found.why_unknown + "\n";
    if (found.verdict != Verdict::unknown || found.exhausted) {
        text += "  exercised: " + counted(found.granted, "step") + " that grant the lock, " +
                std::to_string(found.refused) + " that refuse it\n";
    }
    if (found.exhausted) {
        text += "  checked: " + counted(found.checked, "step") +
                " of walks with other pasts, each of the steps again, each time with two pasts\n";
    }
    if (found.lasso) text += lasso_text(starved);
    return text;
}

}  // namespace locklab
