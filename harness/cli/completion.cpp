// locklab completion: a script for shells, so that Tab completes verbs, options, locks, scenarios
// and faults. It asks the program for all of them, so that it cannot drift.

#include <iostream>

#include "harness/cli/command_line.h"

namespace locklab {

namespace {

constexpr std::string_view kScript = R"bash(_locklab() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
    local typed=${COMP_WORDS[0]/#\~/$HOME} program home known
    program=$(command -v -- "$typed") || return
    home=$(cd "$(dirname -- "$program")" && pwd) || return
    # The script of a checkout would build what has changed.
    [ ! -x "$home/build/release/harness/cli/locklab" ] ||
        program=$home/build/release/harness/cli/locklab
    _locklab_ask() { LOCKLAB_HOME=${LOCKLAB_HOME:-$home} "$program" "$@" 2>/dev/null; }
    _locklab_names() { _locklab_ask list "$1" | sed -n 's/^  \([^ ]*\) .*/\1/p'; }
    if [ "$COMP_CWORD" -eq 1 ]; then
        known=$(_locklab_ask --help | sed -n 's/^  locklab \([a-z]*\) .*/\1/p')
    elif [ "$before" = --faults ]; then
        known="none $(_locklab_names faults | sed 's/$/=1/')"
    elif [ "$before" = --world ]; then
        known="sim live"
    elif [ "$before" = --algorithm ]; then
        known=$(_locklab_names algorithms)
    elif [[ $word == -* ]]; then
        known=$(_locklab_ask "$verb" --help | grep -oE -e '--[a-z][a-z-]+' | sort -u)
    else
        case $verb in
            list) known="algorithms libraries scenarios faults" ;;
            libraries)
                known="install list new pin test"
                known="$known $(_locklab_names libraries | sed -n 's/^lib://p')" ;;
            scenario) known="all $(_locklab_names scenarios)" ;;
            explore | campaign) known="all $(_locklab_names algorithms)" ;;
            bench)
                known="libraries $(_locklab_names libraries)"
                known="$known $(_locklab_names algorithms | sed 's/^/driver:/')" ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$known" -- "$word")
}
complete -o default -F _locklab locklab ./locklab
)bash";

}  // namespace

int completion_verb(const Arguments& arguments) {
    CommandLine line("completion", {}, 0);
    if (!line.parse(arguments)) return kExitHolds;
    if (line.json()) throw UsageError("completion prints a shell script, and has no --json");
    std::cout << kScript;
    return kExitHolds;
}

}  // namespace locklab
