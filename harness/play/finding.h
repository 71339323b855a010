// Findings of a search in addition to its verdict, each with a witness confirmed on the stage: how
// long clients wait for a lock that nobody holds, and tries that are refused falsely.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "harness/explore/bounds.h"
#include "harness/explore/exhaustive.h"
#include "harness/explore/path.h"

namespace locklab {

struct Explored;
struct Searched;

struct Finding {
    Bounds bounds;  ///< of the search that found the witness
    Path witness;
    std::string trace;
    std::string replay;
};

/// Takes the findings from the proofs of `explored`, plays their witnesses and writes the traces
/// into the folder. Drops findings that the stage does not confirm. Throws FileError.
void show_findings(Explored& explored, const std::filesystem::path& folder);

/// The longest wait of a client for a lock that nobody holds though nothing failed, in searches
/// without faults; zero: shorter than an orphan wait.
Duration wait_without_fault(const Explored& explored);

/// A line for each finding, if the verdict is no violation.
std::string findings_text(const Explored& explored);

/// The line for a lock that becomes free only because other clients try for it too.
inline constexpr std::string_view kCountsOnWaiters =
    "  waiters: all who were refused try on here; one that stops can block the lock for ever\n";

/// " (1.1 of its TTL)"; empty for a lock without a TTL.
std::string in_ttls(Duration wait, const Bounds& bounds);

/// The name of a client in a witness.
std::string client_name(ClientId client);
/// The same for a client that is stuck, which may be the newcomer.
std::string stuck_name(ClientId client, const Bounds& bounds);

/// The search that found a client stuck, if the verdict is a violation; null: there is none.
const Searched* stuck_too(const Explored& explored);

/// The sum over all its searches.
FalseRefusals false_refusals_of(const Explored& explored);

}  // namespace locklab
