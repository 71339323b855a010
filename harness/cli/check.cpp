// locklab check: judges a history, ours or foreign.

#include <fstream>
#include <iostream>

#include "harness/cli/command_line.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/judgement_json.h"
#include "harness/record/judgement_text.h"
#include "harness/store/redis/key_shadow.h"

namespace locklab {

namespace {

/// Event by event: a history may be longer than the memory.
Judgement judge_stream(std::istream& in, std::string_view name) {
    HistoryReader reader(in, name);
    KeyShadow shadow(reader.head());
    Judge judge(reader.head());
    while (std::optional<Event> event = reader.next()) {
        shadow.tell(*event);
        judge.see(*event);
    }
    return judge.end(reader.end(), reader.clients());
}

Judgement judge_file(const std::string& name) {
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
    const Judgement judgement = judge_file(line.operands()[0]);
    if (line.json()) {
        std::cout << judgement_json(judgement).dump(2) << "\n";
    } else {
        std::cout << to_text(judgement);
    }
    return exit_code(judgement.verdict);
}

}  // namespace locklab
