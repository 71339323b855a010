// The verdicts. One run, or a search, has holds, violated, stuck or unknown; many runs can also
// have not_seen.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace locklab {

/// not_seen: nothing went wrong, in too few runs for `holds` (run_bound.h).
enum class Verdict : std::uint8_t { holds, violated, stuck, unknown, not_seen };

inline constexpr std::array kVerdicts{Verdict::holds, Verdict::violated, Verdict::stuck,
                                      Verdict::unknown, Verdict::not_seen};

std::string_view name_of(Verdict verdict);

/// For several things with one verdict, the gravest counts: violated, stuck, unknown, not seen,
/// holds.
bool is_graver(Verdict one, Verdict other);

/// Whether nothing went wrong, in however few runs.
bool is_clean(Verdict verdict);
/// Whether something went wrong.
bool is_broken(Verdict verdict);

}  // namespace locklab
