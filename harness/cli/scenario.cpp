// locklab scenario: the races of the articles, played with any lock, in sim or on a real Redis.

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/cli/command_line.h"
#include "harness/cli/driver_subjects.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/scenario_drivers.h"
#include "harness/cli/world_options.h"
#include "harness/live/live_server.h"
#include "harness/play/named_algorithm.h"
#include "harness/play/scenario_library.h"
#include "harness/play/scenario_text.h"
#include "harness/suite/play_row.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_mermaid.h"
#include "harness/view/timeline_svg.h"

namespace locklab {

namespace {

/// Live: below this every play is late, and time does not stand still between two moves.
constexpr Duration kLeastTtl = std::chrono::milliseconds(100);

OptionList scenario_options() {
    return {
        {"algorithm", kText, "play it with this lock alone, or lib:NAME, driver:LOCK"},
        {"world", preset("sim"), "sim, or live (a real Redis)"},
        {"mermaid", kFlag, "print the play as a Mermaid sequence diagram, and nothing else"},
        {"svg", kFlag, "print the play as an SVG picture, and nothing else"},
        {"table", kFlag, "print the table of all scenarios in Markdown, and nothing else"},
        {"repeat", preset("1"), "play everything so many times"},
        {"ttl", preset("500ms"), "live: the TTL to which a scenario's times are scaled"},
        {"redis", kText, "live: use the Redis at host:port (or LOCKLAB_REDIS)"},
        kServerOption,
        {"traces", kText, "write a trace of each play into this folder"},
    };
}

std::vector<const Algorithm*> locks_of(const CommandLine& line) {
    return algorithms_named(line.has("algorithm") ? line.get("algorithm") : "all");
}

void refuse_contradictions(const CommandLine& line, bool all) {
    const int pictures = line.has("mermaid") + line.has("svg") + line.has("table");
    if (pictures + line.json() > 1) {
        throw UsageError("--mermaid, --svg, --table and --json each want stdout; give one of them");
    }
    if (all && (line.has("mermaid") || line.has("svg"))) {
        throw UsageError("a picture is of one play; right would be the name of a scenario");
    }
    if (!all && line.has("table")) throw UsageError("--table is for 'scenario all'");
}

Duration ttl_option(const CommandLine& line, bool live) {
    const Duration ttl = duration_option(line, "ttl");
    if (live && ttl < kLeastTtl) {
        throw UsageError("--ttl " + line.get("ttl") +
                         " is too short: a machine is late by more than a twentieth of it; right "
                         "would be 100ms or more");
    }
    return ttl;
}

std::uint64_t repeat_option(const CommandLine& line) {
    const std::uint64_t repeat = count_option(line, "repeat", 1, 1'000'000);
    const bool one_play = line.has("mermaid") || line.has("svg") || line.has("table");
    if (repeat > 1 && one_play) {
        throw UsageError("--mermaid, --svg and --table print one thing; leave out --repeat");
    }
    return repeat;
}

/// Prints the output asked for; JSON is collected in `json` until the end.
void print(const CommandLine& line, bool all, const std::vector<PlayedScenario>& plays,
           nlohmann::ordered_json& json) {
    const auto picture = [&] { return picture_of(plays[0]); };
    if (line.json()) {
        for (const PlayedScenario& played : plays)
            json["scenarios"].push_back(to_json(play_row(played)));
    } else if (line.has("mermaid")) {
        std::cout << to_mermaid(picture());
    } else if (line.has("svg")) {
        std::cout << to_svg(picture());
    } else if (line.has("table")) {
        std::cout << scenario_table(plays);
    } else {
        std::cout << (all ? overview_text(plays) : stories_text(plays));
    }
}

const std::string& operand_in(const CommandLine& line) {
    if (line.operands().empty()) {
        throw UsageError("which scenario? right would be: locklab scenario NAME, or all");
    }
    return line.operands()[0];
}

/// Sum of all plays over all repetitions: an unexpected one outweighs those without a verdict.
class Sum {
public:
    void add(const std::vector<PlayedScenario>& plays) {
        for (const PlayedScenario& played : plays) {
            unknown_ = unknown_ || !played.has_verdict();
            wrong_ = wrong_ || (played.has_verdict() && !played.ok());
        }
    }
    int exit_code() const {
        if (wrong_) return kExitViolated;
        return unknown_ ? kExitUnknown : kExitHolds;
    }

private:
    bool unknown_ = false;
    bool wrong_ = false;
};

}  // namespace

int scenario_verb(const Arguments& arguments) {
    CommandLine line("scenario", scenario_options(), 1);
    if (!line.parse(arguments)) return kExitHolds;
    const std::string& name = operand_in(line);
    const bool all = name == "all";
    PlayOptions options;
    options.world = world_option(line);
    const bool live = options.world == WorldKind::live;
    refuse_contradictions(line, all);
    options.ttl = ttl_option(line, live);
    const std::uint64_t repeat = repeat_option(line);
    std::vector<Scenario> scenarios = scenarios_named(name);
    if (line.has("algorithm") && names_drivers(line.get("algorithm"))) {
        return scenario_of_drivers(line, scenarios, repeat, options.ttl);
    }
    const std::vector<const Algorithm*> locks = locks_of(line);
    const std::string redis = redis_option(line, options.world);
    ProgressLine progress;
    options.watcher = watcher_with(progress);
    if (live) {
        for (const std::string& left_out : leave_out_sim_only(scenarios, redis.empty(), all)) {
            options.watcher.tell(left_out);
        }
    }
    std::optional<LiveServer> server;
    if (live) server.emplace(redis, options.watcher);
    options.server = server ? &*server : nullptr;
    options.live_options = live_options(options.ttl, redis);

    const std::filesystem::path traces =
        line.has("traces") ? output_folder(line, "traces", "") : std::filesystem::path();

    const bool matrix = all && !live && !line.json() && !line.has("table");
    const bool with_each_lock = matrix || line.has("algorithm");
    Sum sum;
    nlohmann::ordered_json json;
    json["scenarios"] = nlohmann::ordered_json::array();
    // Who is interrupted before the first play is still told what was not played.
    for (std::uint64_t i = 0; i == 0 || (i < repeat && !interrupt_flag()); ++i) {
        std::vector<PlayedScenario> plays =
            with_each_lock ? plays_of(scenarios, locks) : expected_plays(scenarios);
        const std::string keys_left = play_all(plays, options);
        progress.clear();
        if (!keys_left.empty()) options.watcher.tell(keys_left);
        if (line.has("traces")) write_traces(plays, traces);
        print(line, all, plays, json);
        sum.add(plays);
    }
    if (line.json()) std::cout << json.dump(2) << "\n";
    if (!interrupt_flag()) return sum.exit_code();
    std::cerr << "locklab: interrupted: the result covers the plays finished so far\n";
    return kExitUnknown;
}

}  // namespace locklab
