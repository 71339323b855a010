// The verdicts. Those of one run, and of a search, are holds, violated, stuck and unknown; of many
// runs there is one more.
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

/// Of what is told as one verdict the gravest counts: violated, stuck, unknown, not seen, holds.
bool is_graver(Verdict one, Verdict other);

/// Whether nothing went wrong, in however few runs.
bool is_clean(Verdict verdict);
/// Whether something did.
bool is_broken(Verdict verdict);

}  // namespace locklab
