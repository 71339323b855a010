#include "harness/cli/driver_subjects.h"

#include <iostream>
#include <string>

#include "algorithms/registry.h"
#include "harness/cli/progress.h"
#include "harness/core/usage_error.h"
#include "harness/live/live_server.h"
#include "harness/play/named_algorithm.h"

namespace locklab {

namespace {

constexpr std::string_view kDriver = "driver:";

}  // namespace

const Algorithm& lock_of_driver(std::string_view name) {
    const Algorithm* const lock = live_algorithm_named(name);
    return lock != nullptr ? *lock : require_algorithm(name);
}

bool names_drivers(std::string_view operand) {
    return operand == kLibraries || is_library_row(operand) || operand.starts_with(kDriver);
}

Subjects subjects_of(std::string_view operand) {
    Watcher told;
    told.on_tell = tell_on_stderr;
    clean_up_after_killed_runs({}, told);
    Subjects subjects;
    if (operand.starts_with(kDriver)) {
        const Algorithm& algorithm = lock_of_driver(operand.substr(kDriver.size()));
        subjects.push_back(std::make_unique<Subject>(algorithm, "/proc/self/exe"));
        return subjects;
    }
    if (operand != kLibraries) {
        const Library library = require_library(known_libraries(), operand);
        if (!library.cannot_run.empty()) {
            throw UsageError(library.row() + " cannot run: " + library.cannot_run);
        }
        if (const std::string why = library.why_not_installed(); !why.empty()) {
            throw UsageError(library.row() + " " + why + "; right would be: ./locklab " +
                             "libraries install " + library.folder_name());
        }
        subjects.push_back(std::make_unique<Subject>(library));
        return subjects;
    }
    for (const Library& library : usable_libraries(tell_on_stderr)) {
        if (!library.cannot_run.empty()) {
            tell_on_stderr(library.row() + " is left out: it cannot run: " + library.cannot_run);
            continue;
        }
        const std::string why = library.why_not_installed();
        if (why.empty()) {
            subjects.push_back(std::make_unique<Subject>(library));
        } else {
            tell_on_stderr(library.row() + " is left out: it " + why + "; ./locklab " +
                           "libraries install " + library.folder_name());
        }
    }
    if (subjects.empty()) {
        throw UsageError("no library is installed; right would be: ./locklab libraries install");
    }
    return subjects;
}

void refuse_what_drivers_lack(const Arguments& arguments) {
    for (const char* option : {"swarm", "tasks", "locks", "lock-order", "client-ttl",
                               "client-renewal", "client-job", "client-mode", "renewal", "unit",
                               "redis", "pause-every", "pause-length", "guarded", "latency"}) {
        const std::string name = "--" + std::string(option);
        if (!has_word(arguments, name)) continue;
        throw UsageError(name + " is not for driver processes; right would be to leave it out");
    }
}

void check_faults(const FaultBudget& faults, FaultWorld world, const std::string& where) {
    std::string made;
    for (const HazardRow& row : kHazards) {
        if (row.hazard == kNoFault || !is_made_in(world, row.hazard)) continue;
        made += (made.empty() ? "" : ", ") + std::string(row.name);
    }
    for (const HazardRow& row : kHazards) {
        if (faults[row.hazard] == 0 || is_made_in(world, row.hazard)) continue;
        throw UsageError("fault '" + std::string(row.name) + "' cannot be made in " + where +
                         " of driver processes: " + std::string(why_not_in(world, row.hazard)) +
                         "; right would be one of: " + made);
    }
}

std::string right_instead(Hazard hazard, const std::string& usual) {
    if (!strikes_calls(hazard)) return usual;
    return "a library whose manifest says \"cancels\": true, as lib:redis-py:asyncio and "
           "lib:redsync";
}

void check_calls(const Subject& subject, const FaultBudget& faults) {
    for (const HazardRow& row : kHazards) {
        if (faults[row.hazard] == 0 || !strikes_calls(row.hazard) || subject.row().cancels)
            continue;
        throw UsageError("no caller can cancel a try of " + std::string(subject.row().name) +
                         "; right would be " + right_instead(row.hazard, ""));
    }
}

void check_servers(const Subject& subject, const std::optional<Topology>& asked, FaultWorld world) {
    const std::string topology = asked ? "--topology " + to_string(*asked) : "";
    // Of our own locks, those that no model has wait for a replica.
    const bool waits_for_replica =
        subject.version().empty() && algorithm_named(subject.like()) == nullptr;
    if (waits_for_replica && (world == FaultWorld::plays || !asked || asked->replicas == 0)) {
        throw UsageError(subject.operand() + " waits for a replica; right would be: locklab " +
                         "campaign " + subject.operand() + " --topology replicas:1 --world live");
    }
    if (asked && asked->replicas > 0 && world == FaultWorld::plays) {
        throw UsageError("searches of driver processes have no replicas, and " + topology +
                         " has one; right would be --topology masters:3");
    }
    if (!asked || asked->masters == 1 || subject.takes_many_nodes()) return;
    throw UsageError(std::string(subject.row().name) + " takes one server, and " + topology +
                     " has more; right would be --topology one");
}

}  // namespace locklab
