#include "harness/cli/explore_ranks.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <thread>

#include "harness/cli/driver_subjects.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/explore/parcel.h"
#include "harness/explore/state_set.h"
#include "harness/ranks/launched_ranks.h"
#include "harness/record/digest.h"

namespace locklab {

namespace {

/// What this process prints from now on is not seen.
void hush() {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
}

/// Throws std::runtime_error if a rank runs something else.
void compare(Ranks& ranks, const Arguments& arguments) {
    Parcel own;
    own.put_text(digest_of_file("/proc/self/exe"));
    for (const std::string& word : arguments) own.put_text(word);
    const std::vector<Bytes> all = ranks.tell_all(own.bytes());
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
        if (all[rank] == all[0]) continue;
        throw std::runtime_error("rank " + std::to_string(rank) +
                                 " runs another build or command than rank 0; right would be one "
                                 "on all machines");
    }
}

/// What went wrong in a rank that is not the first. What went wrong in all alike the first has
/// told by then, and the launcher has ended this one.
int tell_alone(std::uint32_t rank, const std::string& what) {
    constexpr std::chrono::seconds kForTheFirst{3};
    std::this_thread::sleep_for(kForTheFirst);
    tell_on_stderr("rank " + std::to_string(rank) + ": " + what);
    return kExitUnknown;
}

int in_other_rank(std::uint32_t rank, const std::function<int()>& run) {
    hush();
    try {
        return run();
    } catch (const UsageError&) {
        return kExitHolds;  // the first rank says it, and ends with that exit code
    } catch (const std::bad_alloc&) {
        return tell_alone(rank, "out of memory: what was asked for is too large for this machine");
    } catch (const std::exception& error) {
        return tell_alone(rank, error.what());
    }
}

}  // namespace

int in_ranks(const std::function<int(const OpenRanks& open)>& run) {
    const std::optional<Launched> here = launched();
    if (!here) return run([](const Arguments&) { return nullptr; });
    std::unique_ptr<LaunchedRanks> ranks;
    const auto run_and_finish = [&] {
        const int code = run([&](const Arguments& arguments) {
            ranks = open_ranks(interrupt_flag());
            compare(*ranks, arguments);
            return ranks.get();
        });
        std::cout.flush();
        if (ranks != nullptr) ranks->finish();
        return code;
    };
    // If this one throws, main tells of it; and the launcher ends the others, since it did not
    // finish.
    return here->rank == 0 ? run_and_finish() : in_other_rank(here->rank, run_and_finish);
}

void check_ranks(const CommandLine& line) {
    const std::optional<Launched> here = launched();
    if (!here) return;
    if (here->count > StateSet<2>::kShards) {
        throw UsageError("mpirun started " + std::to_string(here->count) +
                         " ranks, and a search can be shared by " +
                         std::to_string(StateSet<2>::kShards) +
                         " at most; right would be fewer, each with --threads");
    }
    if (names_drivers(line.operands()[0])) {
        throw UsageError(
            "ranks of mpirun do not share plays of drivers; right would be to start "
            "it without mpirun");
    }
    if (line.get("strategy") != "exhaustive" || line.has("shard")) {
        throw UsageError(
            "ranks of mpirun share the states of --strategy exhaustive, and no "
            "schedules; right would be --shard I/N, without mpirun");
    }
    for (const char* option : {"probability", "starvation"}) {
        if (!line.has(option)) continue;
        throw UsageError("--" + std::string(option) +
                         " asks for the whole graph of states, which ranks of mpirun do not have; "
                         "right would be to start it without mpirun");
    }
}

}  // namespace locklab
