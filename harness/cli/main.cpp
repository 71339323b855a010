// The command line: finds the verb, runs it, and turns errors into one sentence on stderr and an
// exit code.

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <vector>

#include "harness/cli/command_line.h"
#include "harness/cli/progress.h"
#include "harness/cli/screen.h"
#include "harness/cli/verbs.h"
#include "harness/core/nearest.h"
#include "harness/live/process_mark.h"
#include "harness/record/json_line.h"
#include "harness/stage/scenario_reader.h"

namespace {

using namespace locklab;

void print_help(std::ostream& out) {
    out << "locklab: distributed locks on Redis, broken on purpose\n\n";
    for (const Verb& verb : kVerbs) {
        out << "  locklab " << verb.name << " " << verb.arguments << "\n      " << verb.meaning
            << "\n";
    }
    out << "\nEvery verb takes --help, and --json for one JSON object on stdout. Exit codes: "
           "0 holds or as expected,\n1 violated, stuck or not as expected, 2 unknown, 64 bad "
           "usage or input.\n";
}

constexpr std::string_view kOutOfMemory =
    "locklab: out of memory: what was asked for is too large for this machine\n";

/// Memory may run out where exceptions cannot pass, as in a coroutine. The result is the same as
/// elsewhere.
[[noreturn]] void on_terminate() {
    if (const std::exception_ptr error = std::current_exception()) {
        try {
            std::rethrow_exception(error);
        } catch (const std::bad_alloc&) {
            // Several threads may run out at once; only one reports it.
            static std::atomic_flag said;
            if (!said.test_and_set() &&
                write(STDERR_FILENO, kOutOfMemory.data(), kOutOfMemory.size()) < 0) {
                std::abort();
            }
            _exit(kExitUnknown);
        } catch (const std::exception& other) {
            tell_on_stderr(other.what());
        }
    }
    std::abort();
}

int dispatch(const Arguments& arguments) {
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" ||
        arguments[0] == "help") {
        print_help(arguments.empty() ? std::cerr : std::cout);
        return arguments.empty() ? kExitUsage : kExitHolds;
    }
    for (const Verb& verb : kVerbs) {
        if (verb.name == arguments[0]) {
            return verb.run(Arguments(arguments.begin() + 1, arguments.end()));
        }
    }
    // Not for people: a campaign starts it, and talks to it.
    if (arguments[0] == "driver") return driver_verb({arguments.begin() + 1, arguments.end()});
    std::vector<std::string_view> names;
    for (const Verb& verb : kVerbs) names.push_back(verb.name);
    throw UsageError(unknown_word("verb", arguments[0], names));
}

/// What drivers and servers left behind that nothing else found.
struct AtTheEnd {
    const std::vector<pid_t> children = ProcessMark::children();
    ~AtTheEnd() { ProcessMark::kill_children(children); }
};

}  // namespace

int main(int count, char** words) {
    // A file that reaches its size limit is an error to report, like a full disk, not a reason to
    // die.
    std::signal(SIGXFSZ, SIG_IGN);
    std::set_terminate(on_terminate);
    if (!open_standard_streams()) {
        std::cerr
            << "locklab: stdout is closed, and nothing can be shown; right would be a file, or "
               ">/dev/null\n";
        return kExitUnknown;
    }
    const AtTheEnd kills_children;
    const Screen out(std::cout);
    const Screen err(std::cerr);
    try {
        const int code = dispatch(Arguments(words + 1, words + count));
        std::cout.flush();
        if (!std::cout) {
            std::cerr << "locklab: stdout cannot be written\n";
            return kExitUnknown;
        }
        return code;
    } catch (const UsageError& error) {
        tell_on_stderr(error.what());
        return kExitUsage;
    } catch (const FormatError& error) {
        tell_on_stderr(error.what());
        return kExitUsage;
    } catch (const ScenarioError& error) {
        tell_on_stderr(error.what());
        return kExitUsage;
    } catch (const std::invalid_argument& error) {
        tell_on_stderr(error.what());
        return kExitUsage;
    } catch (const std::bad_alloc&) {
        std::cerr << kOutOfMemory;
        return kExitUnknown;
    } catch (const std::exception& error) {
        tell_on_stderr(error.what());
        return kExitUnknown;
    }
}
