#include "harness/cli/scenario_drivers.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "harness/cli/driver_subjects.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/world_options.h"
#include "harness/play/driver_play_text.h"
#include "harness/play/named_algorithm.h"
#include "harness/suite/driver_play_row.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_mermaid.h"
#include "harness/view/timeline_svg.h"

namespace locklab {

namespace {

void refuse_for_drivers(const CommandLine& line) {
    if (line.get("world") != "live") {
        throw UsageError(
            "a library is run as it is, on a real Redis, and not simulated; right "
            "would be --world live");
    }
    const auto chosen = line.chosen();
    for (const char* option : {"table", "redis", "traces", kServerOption.name}) {
        if (!chosen.contains(option)) continue;
        throw UsageError("--" + std::string(option) +
                         " is not for scenarios of driver processes; right would be to leave it "
                         "out");
    }
}

void print_picture(const CommandLine& line, const DriverPlay& play) {
    if (play.end != DriverPlay::End::played) {
        throw UsageError("there is no picture: " + verdict_words(play));
    }
    const auto picture = make_timeline(play.play.scene);
    std::cout << (line.has("svg") ? to_svg(picture) : to_mermaid(picture));
}

void print_plays(const CommandLine& line, const std::vector<DriverPlay>& plays,
                 nlohmann::ordered_json& json) {
    if (line.json()) {
        for (const DriverPlay& play : plays) {
            json["scenarios"].push_back(to_json(driver_play_row(play)));
        }
    } else if (line.has("mermaid") || line.has("svg")) {
        print_picture(line, plays.front());
    } else if (plays.size() == 1) {
        std::cout << driver_story_text(plays.front());
    } else {
        std::cout << driver_overview_text(plays);
    }
}

/// Sum of all plays: one that differs outweighs those without a verdict; if nothing was played,
/// nothing is known.
class DriverSum {
public:
    void add(const std::vector<DriverPlay>& plays) {
        for (const DriverPlay& play : plays) {
            differs_ = differs_ || verdict_word(play) == "differs";
            unknown_ = unknown_ || verdict_word(play) == "no_verdict";
            played_ = played_ || play.end == DriverPlay::End::played;
        }
    }
    int exit_code() const {
        if (differs_) return kExitViolated;
        return unknown_ || !played_ ? kExitUnknown : kExitHolds;
    }

private:
    bool differs_ = false;
    bool unknown_ = false;
    bool played_ = false;
};

}  // namespace

int scenario_of_drivers(const CommandLine& line, const std::vector<Scenario>& scenarios,
                        std::uint64_t repeat, Duration ttl) {
    refuse_for_drivers(line);
    const Subjects subjects = subjects_of(line.get("algorithm"));
    ProgressLine progress;
    RunsAtOnce at_once(kPlaysAtOnce);
    DriverSum sum;
    nlohmann::ordered_json json;
    json["scenarios"] = nlohmann::ordered_json::array();
    for (std::uint64_t i = 0; i < repeat && !interrupt_flag(); ++i) {
        for (const auto& subject : subjects) {
            std::vector<DriverPlay> plays =
                driver_plays_of(scenarios, *subject, require_algorithm(subject->like()));
            play_all_on_drivers(
                plays, {std::max(ttl, subject->least_ttl()), at_once, watcher_with(progress)});
            progress.clear();
            print_plays(line, plays, json);
            sum.add(plays);
        }
    }
    if (line.json()) std::cout << json.dump(2) << "\n";
    if (!interrupt_flag()) return sum.exit_code();
    std::cerr << "locklab: interrupted: the result covers the plays finished so far\n";
    return kExitUnknown;
}

}  // namespace locklab
