// locklab check: judges a history, ours or foreign.

#include <fstream>
#include <iostream>

#include "algorithms/registry.h"
#include "harness/cli/command_line.h"
#include "harness/core/printable.h"
#include "harness/driver/apart.h"
#include "harness/inclusion/schedule.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/json_line.h"
#include "harness/record/judgement_json.h"
#include "harness/record/judgement_text.h"
#include "harness/record/trace_json.h"
#include "harness/store/redis/key_shadow.h"

namespace locklab {

namespace {

/// Most events kept to check whether the rules allow them.
constexpr std::size_t kMostKept = 1'000'000;

struct Checked {
    Judgement judgement;
    std::optional<Inclusion> inclusion;  ///< for a history of our own worlds
    std::string schedule;                ///< what is said of the clients' schedule
};

void tell_effect(KeyShadow& shadow, Event& event, std::string_view name, std::size_t line) {
    try {
        shadow.tell(event);
    } catch (const ScriptBeyondLimits& beyond) {
        throw JsonLine::error(
            name, line, std::string(beyond.what()) + "; right would be a history without them");
    }
}

std::string not_known(const std::string& why) {
    return "whether the rules allow what the clients made of it is not known: " + why;
}

/// For a history with a result of find_order().
std::string schedule_of(const History& history, const Inclusion& order, std::string_view name) {
    if (order.found != Inclusion::Found::accepted) {
        return not_known("no order of what the servers did was found");
    }
    // The follower assumes that the oracle answers at once, which is true only of live runs.
    if (history.world == "sim") {
        return not_known("only live runs are followed; 'locklab replay' makes this one again");
    }
    if (history.given.empty()) return not_known("the options of the run are not in the file");
    const std::string algorithm = peek_text(history.given, "algorithm");
    if (algorithm_named(algorithm) == nullptr) {
        return not_known("there is no lock '" + printable(algorithm) + "' here (see locklab list)");
    }
    const GivenRun given = read_given(history.given, name, algorithm_named);
    const Inclusion schedule = find_schedule(history, given.spec, given.lag);
    switch (schedule.found) {
        case Inclusion::Found::accepted: return "the rules allow what the clients made of it";
        case Inclusion::Found::refused:
            return "the rules do not allow what the clients made of it: no rule allows event " +
                   std::to_string(*schedule.event + 1) + ": " + schedule.why;
        case Inclusion::Found::undecided: break;
    }
    return not_known(schedule.why);
}

/// Handles one event at a time: a history may be larger than the memory.
Checked judge_stream(std::istream& in, std::string_view name, Apart& apart) {
    HistoryReader reader(in, name);
    KeyShadow shadow(reader.head());
    Judge judge(reader.head());
    History history;
    static_cast<HistoryHead&>(history) = reader.head();
    bool follows = history.world == "live" || history.world == "sim";
    while (std::optional<Event> event = reader.next()) {
        apart.at(reader.line());
        tell_effect(shadow, *event, name, reader.line());
        judge.see(*event);
        follows = follows && history.events.size() < kMostKept;
        if (follows) history.events.push_back(std::move(*event));
    }
    apart.at(reader.line());
    Checked checked{judge.end(reader.end(), reader.clients()), {}, {}};
    if (!follows) return checked;
    history.clients = reader.clients();
    history.end = reader.end();
    checked.inclusion = find_order(history);
    apart.at(reader.line());
    checked.schedule = schedule_of(history, *checked.inclusion, name);
    return checked;
}

Checked judge_file(const std::string& name, Apart& apart) {
    if (name == "-") return judge_stream(std::cin, "stdin", apart);
    try {
        std::ifstream in = open_to_read(name);
        return judge_stream(in, name, apart);
    } catch (const FileError& error) {
        throw UsageError(error.what());
    }
}

}  // namespace

int check_verb(const Arguments& arguments) {
    CommandLine line("check", {}, 1);
    if (!line.parse(arguments)) return kExitHolds;
    if (line.operands().empty()) {
        throw UsageError("which history? right would be: locklab check FILE, or - for stdin");
    }
    const std::string& name = line.operands()[0];
    Apart apart;
    if (const std::optional<ApartEnd> end = apart.split()) {
        if (end->why.empty()) return end->code;
        // The file is not at fault: this program could not judge it.
        const auto error = JsonLine::error(name == "-" ? "stdin" : name, end->place,
                                           "judging it " + end->why + " at or after this line");
        throw std::runtime_error(error.what());
    }
    const Checked checked = judge_file(name, apart);
    if (line.json()) {
        auto json = judgement_json(checked.judgement);
        if (checked.inclusion) json["inclusion"] = to_text(*checked.inclusion);
        if (checked.inclusion) json["schedule"] = checked.schedule;
        std::cout << json.dump(2) << "\n";
    } else {
        std::cout << to_text(checked.judgement);
        if (checked.inclusion)
            std::cout << "  " << to_text(*checked.inclusion) << "\n  " << checked.schedule << "\n";
    }
    return exit_code(checked.judgement.verdict);
}

}  // namespace locklab
