// locklab check: judges a history, ours or foreign.

#include <fstream>
#include <iostream>

#include "harness/cli/command_line.h"
#include "harness/inclusion/inclusion.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
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

/// Event by event: a history may be longer than the memory.
Checked judge_stream(std::istream& in, std::string_view name) {
    HistoryReader reader(in, name);
    KeyShadow shadow(reader.head());
    Judge judge(reader.head());
    History history;
    static_cast<HistoryHead&>(history) = reader.head();
    bool follows = history.world == "live" || history.world == "sim";
    while (std::optional<Event> event = reader.next()) {
        shadow.tell(*event);
        judge.see(*event);
        follows = follows && history.events.size() < kMostKept;
        if (follows) history.events.push_back(std::move(*event));
    }
    Checked checked{judge.end(reader.end(), reader.clients()), {}};
    if (follows) checked.inclusion = find_order(history);
    return checked;
}

Checked judge_file(const std::string& name) {
    if (name == "-") return judge_stream(std::cin, "stdin");
    try {
        std::ifstream in = open_to_read(name);
        return judge_stream(in, name);
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
    const Checked checked = judge_file(line.operands()[0]);
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
