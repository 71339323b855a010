// What a lock does to its users and its server besides mutual exclusion, as columns: each is one
// question about a history, with how often it could have gone wrong and how often it did.
//
// Findings that depend on clocks are verdicts only if clocks are exact: in the simulator and in
// virtual time. Live, a late machine can cause all of them, so there they are columns, to be read
// together with the machine's lateness.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/check/judge.h"

namespace locklab {

enum class Oracle : std::uint8_t {
    late_grants,
    late_notices,
    never_told,
    false_alarms,
    own_keys_deleted,
    others_keys_deleted,
    keys_left,
    long_calls,
    deaths,
    orphan_waits,
    fences_back,
};

struct OracleRow {
    Oracle oracle;
    std::string_view name;
    std::string_view meaning;  ///< of a finding
    std::string_view chances;  ///< what could have gone wrong
    bool rests_on_clocks = false;
    bool is_of_notices = false;  ///< printed in a form of its own
    bool is_of_verdict = false;  ///< the verdict of the run tells it too
};

/// All oracles, by value.
inline constexpr auto kOracles = std::to_array<OracleRow>({
    {Oracle::late_grants, "late_grants", "granted after the validity had run out", "grants", true},
    {Oracle::late_notices, "late_notices", "told of a loss later than its renewals promise",
     "losses", true, true},
    {Oracle::never_told, "never_told", "lost the lock while inside, and never told", "losses", true,
     true},
    {Oracle::false_alarms, "false_alarms", "told of a loss that was none", "stays inside", true,
     true},
    {Oracle::own_keys_deleted, "own_keys_deleted",
     "its own key deleted under it, by a command of an earlier round", "keys"},
    {Oracle::others_keys_deleted, "others_keys_deleted", "another client's key deleted", "keys"},
    {Oracle::keys_left, "keys_left", "a key left behind until it ran out, by a try that failed",
     "failed tries"},
    {Oracle::long_calls, "long_calls", "a call for the lock blocked longer than it promised",
     "calls", true},
    {Oracle::deaths, "deaths", "a process ended by itself", "processes"},
    {Oracle::orphan_waits, "orphan_waits",
     "nobody held the lock, and who wanted it waited for half a TTL, or for ever", "runs", true,
     false, true},
    {Oracle::fences_back, "fences_back", "a fencing token went back", "tokens and writes", false,
     false, true},
});
static_assert(
    [] {
        for (std::size_t i = 0; i < kOracles.size(); ++i) {
            if (kOracles[i].oracle != static_cast<Oracle>(i)) return false;
        }
        return true;
    }(),
    "rows stand in the order of the enumeration");

/// Whether a finding in such a run is a verdict, and not a column.
constexpr bool is_verdict(const OracleRow& row, bool has_exact_clocks) {
    return has_exact_clocks || !row.rests_on_clocks;
}

struct OracleCount {
    std::uint64_t found = 0;
    std::uint64_t of = 0;  ///< chances; none: there was nothing to look at

    bool operator==(const OracleCount&) const = default;
};

/// Counts for one run. `orphan_limit`: see Tally; zero: only clients that wait for ever count.
OracleCount count_of(Oracle oracle, const Judgement& judgement, Duration orphan_limit);

}  // namespace locklab
