// The non-default choices of a play: they name it, and replay it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/foreign/play_drive.h"

namespace locklab {

/// Place and pick of each choice.
using PlayDeviations = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
PlayDeviations deviations_of(const PlayChoices& choices);
std::vector<std::uint32_t> picks_of(const PlayDeviations& deviations);
/// Throws UsageError if a play with these choices lacks one of the deviations.
void require_choices(const PlayDeviations& deviations, const PlayChoices& choices);
/// "17:3,25:1"; "calm" for none. Reading throws UsageError.
std::string to_string(const PlayDeviations& deviations);
PlayDeviations parse_deviations(const std::string& text);

}  // namespace locklab
