#include "harness/play/scenario_text.h"

#include <algorithm>

#include "algorithms/registry.h"
#include "harness/check/outcome.h"
#include "harness/core/counted.h"
#include "harness/view/timeline_text.h"

namespace locklab {

namespace {

std::string padded(std::string_view text, std::size_t width) {
    std::string column(text);
    column.resize(std::max(width, column.size()), ' ');
    return column;
}

/// The letter of a play in the matrix. See legend().
char letter_of(const PlayedScenario& played) {
    const std::string_view sum = sum_of(played);
    if (sum == "no_verdict") return '?';
    if (sum == "foreign_key") return 'x';
    if (sum == "waits") return 't';
    if (sum == "harmless") return '.';
    return sum == "kept_out" ? 'k' : sum == "stuck" ? 'S' : 'V';
}

std::string legend() {
    return "V violated   S stuck for ever   x another's key deleted or extended   "
           "t stuck until the TTL   k kept out   . nothing goes wrong   ? no verdict\n"
           "In brackets: of this lock the scenario's file says what is to be seen.\n";
}

std::string matrix_row(const std::vector<PlayedScenario>& plays, const Scenario& scenario,
                       const std::vector<const Algorithm*>& columns) {
    std::string text;
    for (const Algorithm* algorithm : columns) {
        const auto played = std::find_if(plays.begin(), plays.end(), [&](const auto& other) {
            return other.scenario == &scenario && other.algorithm == algorithm;
        });
        if (played == plays.end()) {
            text += "   ";
            continue;
        }
        const bool told = played->expected != nullptr;
        text += std::string(told ? "[" : " ") + letter_of(*played) + (told ? "]" : " ");
    }
    return text + "\n";
}

std::string matrix(const std::vector<PlayedScenario>& plays) {
    std::vector<const Algorithm*> columns;
    for (const Algorithm* algorithm : every_algorithm()) {
        const bool played = std::any_of(plays.begin(), plays.end(), [&](const auto& play) {
            return play.algorithm == algorithm;
        });
        if (played) columns.push_back(algorithm);
    }
    std::vector<const Scenario*> rows;
    std::size_t width = 0;
    for (const PlayedScenario& played : plays) {
        if (rows.empty() || rows.back() != played.scenario) rows.push_back(played.scenario);
        width = std::max(width, played.scenario->name.size());
    }
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        text += padded("", width) + "  ";
        for (std::size_t k = 0; k < i; ++k) text += "|  ";
        text += std::string(columns[i]->name) + "\n";
    }
    for (const Scenario* row : rows) {
        text += padded(row->name, width) + " " + matrix_row(plays, *row, columns);
    }
    return text + "\n" + legend();
}

using Plays = std::vector<PlayedScenario>::const_iterator;

/// State of all plays of one scenario.
const char* state_of(Plays first, Plays last) {
    const auto wrong = [](const PlayedScenario& played) {
        return played.has_verdict() && !played.ok();
    };
    if (std::any_of(first, last, wrong)) return "NOT OK";
    const auto good = [](const PlayedScenario& played) { return played.has_verdict(); };
    return std::all_of(first, last, good) ? "ok" : "?";
}

/// Locks with the same outcome of a scenario and the same fix.
struct TableRow {
    const Scenario* scenario = nullptr;
    std::string locks;
    std::string observed;
    std::string fix;
};

std::vector<TableRow> table_rows(const std::vector<PlayedScenario>& plays) {
    std::vector<TableRow> rows;
    for (const PlayedScenario& played : plays) {
        if (played.expected == nullptr || is_harmless(played.expected->outcome)) continue;
        TableRow row{played.scenario, std::string(played.algorithm->name), observed_words(played),
                     played.expected->fix};
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const TableRow& other) {
            return other.scenario == row.scenario && other.observed == row.observed &&
                   other.fix == row.fix;
        });
        if (same != rows.end()) {
            same->locks += ", " + row.locks;
        } else {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

}  // namespace

std::string observed_words(const PlayedScenario& played) {
    if (!played.done) return "not played: interrupted";
    if (played.play.disturbed) return "nothing was shown: " + played.play.why_disturbed;
    return in_words(played.play.observed, played.scenario->names());
}

std::string_view sum_of(const PlayedScenario& played) {
    if (!played.has_verdict()) return "no_verdict";
    const Outcome& seen = played.play.observed;
    if (!played.play.judgement.violations.empty()) return "violated";
    const bool for_ever = std::any_of(seen.stuck.begin(), seen.stuck.end(), [](const auto& stuck) {
        return stuck.second == StuckKind::for_ever;
    });
    if (for_ever) return "stuck";
    if (!seen.deleted.empty() || !seen.extended.empty()) return "foreign_key";
    if (!seen.stuck.empty()) return "waits";
    return seen.kept_out.empty() ? "harmless" : "kept_out";
}

std::string play_line(const PlayedScenario& played) {
    const char* said = !played.has_verdict()        ? "  no verdict         "
                       : !played.ok()               ? "  NOT AS EXPECTED    "
                       : played.expected == nullptr ? "  (not in the file)  "
                                                    : "  as expected        ";
    return said + padded(played.algorithm->name, 22) + observed_words(played) + "\n";
}

Timeline picture_of(const PlayedScenario& played) {
    Timeline picture = make_timeline(played.play.scene);
    // Errors alone are not a lock that nobody gets (scenarios/README.md, `failed`).
    const Outcome& seen = played.play.observed;
    const bool only_errors = played.play.judgement.verdict == Verdict::stuck &&
                             seen.stuck.empty() && !seen.failed.empty();
    if (!played.has_verdict() || only_errors) picture.verdict = kNoVerdict;
    return picture;
}

std::string story_text(const PlayedScenario& played) {
    const Scenario& scenario = *played.scenario;
    const Expectation* expected = played.expected;
    std::string text = scenario.name + ", " + std::string(played.algorithm->name) + ", " +
                       std::string(name_of(played.world)) + "\n" + scenario.title + "\n";
    text += "  " + scenario.source + (scenario.says.empty() ? "" : ": " + scenario.says) + "\n";
    if (!scenario.means.empty()) text += "  " + scenario.means + "\n";
    if (const std::uint32_t meant = played.algorithm->redis_servers;
        meant > scenario.topology.masters) {
        text += "  " + std::string(played.algorithm->name) + " is meant for " +
                counted(meant, "server") + "; this scenario has " +
                std::to_string(scenario.topology.masters) + "\n";
    }
    if (!played.done) return text + "\nobserved  " + observed_words(played) + "\n";
    text += "\n" + to_text(picture_of(played)) + "\n";
    if (expected != nullptr) {
        text += "expected  " + in_words(expected->outcome, scenario.names()) + "\n";
    }
    text += "observed  " + observed_words(played) + "\n";
    if (!played.agrees()) {
        text += "in sim    " + in_words(played.in_sim, scenario.names()) + "\n";
    }
    if (!played.not_in_sim.empty()) text += "in sim    nothing: " + played.not_in_sim + "\n";
    for (const std::string& line : played.play.passed_over) text += "          " + line + "\n";
    if (expected != nullptr) text += "why       " + expected->why + "\n";
    if (expected != nullptr && !expected->fix.empty()) text += "fix       " + expected->fix + "\n";
    if (!scenario.verdict_on_source.empty()) {
        text += "source    " + scenario.verdict_on_source + "\n";
    }
    return text + (played.ok() ? "" : "replay    " + played.replay() + "\n");
}

std::string stories_text(const std::vector<PlayedScenario>& plays) {
    if (plays.size() == 1) return story_text(plays[0]);
    const PlayedScenario& race = plays[0];
    const PlayedScenario* cure = nullptr;
    for (const PlayedScenario& played : plays) {
        if (!is_harmless(played.play.observed)) continue;
        const bool named = race.expected->fix.find(played.algorithm->name) != std::string::npos;
        if (cure == nullptr || named) cure = &played;
        if (named) break;
    }
    std::string text = story_text(race);
    std::string lines;
    for (const PlayedScenario& played : plays) {
        const bool in_full = &played == cure || !played.ok();
        if (&played != &race && in_full) text += "\n" + story_text(played);
        lines += play_line(played);
    }
    return text + "\n" + lines;
}

std::string overview_text(const std::vector<PlayedScenario>& plays) {
    std::string text;
    for (auto first = plays.begin(); first != plays.end();) {
        const Scenario* scenario = first->scenario;
        const auto last = std::find_if(first, plays.end(), [&](const PlayedScenario& played) {
            return played.scenario != scenario;
        });
        const auto told = std::count_if(
            first, last, [](const PlayedScenario& played) { return played.expected != nullptr; });
        text += padded(state_of(first, last), 8) + padded(scenario->name, 42) +
                std::to_string(told) + " locks: " + scenario->title + "\n";
        const auto missing =
            std::count_if(first, last, [](const PlayedScenario& played) { return !played.done; });
        if (missing > 0) text += "  " + std::to_string(missing) + " not played: interrupted\n";
        for (; first != last; ++first) {
            if (!first->done || first->ok()) continue;
            text += play_line(*first) + "    " + first->replay() + "\n";
        }
    }
    return text + "\n" + matrix(plays);
}

std::string scenario_table(const std::vector<PlayedScenario>& plays) {
    std::string text =
        "| scenario | source | hits | locks | what happens | fix |\n|---|---|---|---|---|---|\n";
    const Scenario* before = nullptr;
    for (const TableRow& row : table_rows(plays)) {
        const Scenario& scenario = *row.scenario;
        const bool fresh = before != &scenario;
        before = &scenario;
        text += "| " + (fresh ? "[" + scenario.name + "](" + scenario.name + ".yaml)" : "") +
                " | " + (fresh ? scenario.source : "") + " | " + (fresh ? scenario.hits : "") +
                " | " + row.locks + " | " + row.observed + " | " + row.fix + " |\n";
    }
    return text;
}

}  // namespace locklab
