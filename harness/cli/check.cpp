// locklab check: judges a history, ours or foreign.

#include <iostream>

#include "harness/cli/command_line.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/judgement_json.h"
#include "harness/record/judgement_text.h"

namespace locklab {

int check_verb(const Arguments& arguments) {
    CommandLine line("check", po::options_description("Options"), 1);
    if (!line.parse(arguments)) return kExitHolds;
    if (line.operands().empty()) {
        throw UsageError("which history? right would be: locklab check FILE, or - for stdin");
    }
    const std::string& name = line.operands()[0];
    History history;
    try {
        history = name == "-" ? read_history(std::cin, "stdin") : read_history_file(name);
    } catch (const FileError& error) {
        throw UsageError(error.what());
    }
    const Judgement judgement = judge(history);
    if (line.json()) {
        std::cout << judgement_json(judgement).dump(2) << "\n";
    } else {
        std::cout << to_text(judgement);
    }
    return exit_code(judgement.verdict);
}

}  // namespace locklab
