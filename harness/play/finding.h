// What a search tells beside its verdict, each with a witness that the stage has seen: how long
// clients wait for a lock that is orphaned, and tries that are refused falsely.
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
/// into the folder. What the stage does not see is not told. Throws FileError.
void show_findings(Explored& explored, const std::filesystem::path& folder);

/// The longest that a client waits for a lock that nobody has though nothing failed, in searches
/// without faults; zero: shorter than an orphan wait.
Duration wait_without_fault(const Explored& explored);

/// A line for each finding of a verdict that is no violation.
std::string findings_text(const Explored& explored);

/// The line of a lock that is free only because others try for it, too.
inline constexpr std::string_view kCountsOnWaiters =
    "  waiters: all who were refused try on here; one that stops can block the lock for ever\n";

/// " (1.1 of its TTL)"; nothing for a lock that has none.
std::string in_ttls(Duration wait, const Bounds& bounds);

/// The name of a client in a witness, which has a handful of them.
std::string client_name(ClientId client);
/// The same of one that is stuck, which may be nobody of the search.
std::string stuck_name(ClientId client, const Bounds& bounds);

/// The search that found a client stuck, where the verdict is a violation; null: there is none.
const Searched* stuck_too(const Explored& explored);

/// Of all its searches.
FalseRefusals false_refusals_of(const Explored& explored);

}  // namespace locklab
