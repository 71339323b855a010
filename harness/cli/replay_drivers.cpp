#include "harness/cli/replay_drivers.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/cli/driver_subjects.h"
#include "harness/core/usage_error.h"
#include "harness/play/driver_play_text.h"
#include "harness/play/explore_trace.h"
#include "harness/play/find_on_drivers.h"
#include "harness/play/named_algorithm.h"
#include "harness/play/scenario_library.h"
#include "harness/play/scenario_replay.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/judgement_json.h"
#include "harness/record/judgement_text.h"
#include "harness/record/scenario_trace.h"
#include "harness/record/trace_json.h"
#include "harness/suite/driver_play_row.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_text.h"

namespace locklab {

namespace {

void keep_history(const CommandLine& line, const History& history) {
    if (!line.has("history")) return;
    std::ostringstream lines;
    write_history(lines, history);
    write_file(line.get("history"), lines.str());
}

int say_scenario(const CommandLine& line, const Scenario& scenario, const Subject& subject) {
    DriverPlay play;
    play.scenario = &scenario;
    play.subject = &subject;
    play.like = &require_algorithm(subject.like());
    StageProcesses processes(subject);
    play_on_drivers(play, std::max(kScenarioTtl, subject.least_ttl()), processes);
    if (line.json()) {
        std::cout << to_json(driver_play_row(play)).dump(2) << "\n";
    } else {
        std::cout << driver_story_text(play);
    }
    keep_history(line, play.play.scene.history);
    if (play.end != DriverPlay::End::played) return kExitUnknown;
    return play.is_as_expected() ? kExitHolds : kExitViolated;
}

int say_find(const CommandLine& line, const Find& find, const Subject& subject) {
    StageProcesses processes(subject);
    const DriverFind played = play_on_drivers(find, subject, processes);
    const bool was_played = played.not_played.empty();
    const std::string words = verdict_words(played, find, subject);
    if (line.json()) {
        nlohmann::ordered_json json{
            {"algorithm", subject.operand()}, {"like", subject.like()}, {"words", words}};
        if (was_played) json["judgement"] = judgement_json(played.judgement);
        std::cout << json.dump(2) << "\n";
    } else {
        if (was_played) {
            std::cout << to_text(make_timeline(played.scene)) << to_text(played.judgement);
        }
        std::cout << words << "\n";
    }
    keep_history(line, played.scene.history);
    const bool is_known = played.shows_something() || played.is_as_expected();
    return is_known ? exit_code(played.judgement.verdict) : kExitUnknown;
}

}  // namespace

int replay_on_drivers(const CommandLine& line) {
    const std::string operand = line.get("algorithm");
    if (!names_drivers(operand) || operand == kLibraries) {
        throw UsageError(
            "a trace says which lock it is of; --algorithm is for driver processes, "
            "lib:NAME or driver:LOCK");
    }
    if (line.get("world") != "live") {
        throw UsageError(
            "a library is run as it is, on a real Redis, and not simulated; right "
            "would be --world live");
    }
    if (line.has("history") && line.get("history") == "-") {
        throw UsageError(
            "--history - wants stdout, where the play is told; right would be "
            "--history FILE");
    }
    if (line.has("redis")) {
        throw UsageError(
            "driver processes have a redis-server of their own; right would be to "
            "leave out --redis");
    }
    const Subjects subjects = subjects_of(operand);
    const std::string& file = line.operands()[0];
    try {
        const std::string text = text_of_trace(file);
        if (is_scenario_trace(text)) {
            const Scenario scenario = scenario_in(read_scenario_trace(text, file), file);
            return say_scenario(line, scenario, *subjects.front());
        }
        if (is_find_trace(text)) {
            return say_find(line, read_find(text, file), *subjects.front());
        }
    } catch (const FileError& error) {
        throw UsageError(error.what());
    } catch (const std::invalid_argument& error) {
        throw UsageError(file + ":1: " + error.what());
    }
    throw UsageError(
        "a trace of picks is of coroutines, which are not processes; right would be "
        "the trace of a scenario or of a search");
}

}  // namespace locklab
