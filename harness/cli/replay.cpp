// locklab replay: one simulated run again, from its trace, to the byte.

#include <array>
#include <iostream>
#include <sstream>

#include "algorithms/registry.h"
#include "harness/cli/command_line.h"
#include "harness/core/nearest.h"
#include "harness/explore/sim_run.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/judgement_json.h"
#include "harness/record/judgement_text.h"
#include "harness/record/trace_json.h"

namespace locklab {

namespace {

Trace read(const std::string& file) {
    try {
        Trace trace = read_trace_file(file, algorithm_named);
        Latency::parse(trace.spec.latency);
        return trace;
    } catch (const FileError& error) {
        throw UsageError(error.what());
    } catch (const std::invalid_argument& error) {
        throw UsageError(file + ":1: " + error.what());
    }
}

}  // namespace

int replay_verb(const Arguments& arguments) {
    po::options_description list("Options");
    list.add_options()("history", po::value<std::string>(),
                       "write the history here, or - for stdout alone")(
        "world", po::value<std::string>()->default_value("sim"), "sim");
    CommandLine line("replay", list, 1);
    if (!line.parse(arguments)) return kExitHolds;
    if (line.operands().empty())
        throw UsageError("which trace? right would be: locklab replay FILE");
    const auto& world = line.get<std::string>("world");
    const std::array<std::string_view, 2> worlds{"sim", "live"};
    if (world != "sim" && world != "live") throw UsageError(unknown_word("world", world, worlds));
    if (world == "live") {
        throw UsageError(
            "a trace is replayed in sim: real time cannot be picked again; judge a "
            "live history with 'locklab check'");
    }
    const std::string target = line.has("history") ? line.get<std::string>("history") : "";
    if (line.json() && target == "-") {
        throw UsageError("--json and --history - both want stdout; right would be --history FILE");
    }
    const Trace trace = read(line.operands()[0]);
    ReplayChoices choices(trace.picks);
    SimRun run = SimRunner(trace.spec).run(choices);
    run.history.seed = trace.seed;
    run.history.run = trace.run;
    const Judgement judgement = judge(run.history);

    if (!target.empty()) {
        std::ostringstream lines;
        write_history(lines, run.history);
        if (target != "-") write_file(target, lines.str());
        if (target == "-") std::cout << lines.str();
    }
    if (target == "-") return exit_code(judgement.verdict);
    if (line.json()) {
        std::cout << judgement_json(judgement).dump(2) << "\n";
    } else {
        std::cout << trace.spec.algorithm->name << ", seed " << trace.seed << ", run " << trace.run
                  << "\n"
                  << to_text(judgement);
    }
    return exit_code(judgement.verdict);
}

}  // namespace locklab
