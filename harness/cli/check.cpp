// locklab check: judges a history, ours or foreign.

#include <fstream>
#include <iostream>

#include "harness/cli/command_line.h"
#include "harness/driver/apart.h"
#include "harness/inclusion/inclusion.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/json_line.h"
#include "harness/record/judgement_json.h"
#include "harness/record/judgement_text.h"
#include "harness/store/redis/key_shadow.h"

namespace locklab {

namespace {

/// So many events are kept to be followed by the rules.
constexpr std::size_t kMostKept = 1'000'000;

/// A run in a campaign is followed while its options are at hand.
constexpr const char* kScheduleUnknown =
    "whether the rules allow what the clients made of it is not known: the options of the run are "
    "not in the file";

struct Checked {
    Judgement judgement;
    std::optional<Inclusion> inclusion;  ///< of a history of our own worlds
};

void tell_effect(KeyShadow& shadow, Event& event, std::string_view name, std::size_t line) {
    try {
        shadow.tell(event);
    } catch (const ScriptBeyondLimits& beyond) {
        throw JsonLine::error(
            name, line,
            std::string(beyond.what()) + " are not run; right would be a history without them");
    }
}

/// Event by event: a history may be longer than the memory.
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
    Checked checked{judge.end(reader.end(), reader.clients()), {}};
    if (follows) checked.inclusion = find_order(history);
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
        // No fault in the file: this could not judge it.
        const auto error = JsonLine::error(name == "-" ? "stdin" : name, end->place,
                                           "judging it " + end->why + " at or after this line");
        throw std::runtime_error(error.what());
    }
    const Checked checked = judge_file(name, apart);
    if (line.json()) {
        auto json = judgement_json(checked.judgement);
        if (checked.inclusion) json["inclusion"] = to_text(*checked.inclusion);
        if (checked.inclusion) json["schedule"] = kScheduleUnknown;
        std::cout << json.dump(2) << "\n";
    } else {
        std::cout << to_text(checked.judgement);
        if (checked.inclusion)
            std::cout << "  " << to_text(*checked.inclusion) << "\n  " << kScheduleUnknown << "\n";
    }
    return exit_code(checked.judgement.verdict);
}

}  // namespace locklab
