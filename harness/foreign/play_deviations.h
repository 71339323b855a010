// The choices of a play that are not calm, by which it is named and made again.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/foreign/play_drive.h"

namespace locklab {

/// Place and pick of each.
using PlayDeviations = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
PlayDeviations deviations_of(const PlayChoices& choices);
std::vector<std::uint32_t> picks_of(const PlayDeviations& deviations);
/// Throws UsageError where a play with these choices does not have one of the deviations.
void require_choices(const PlayDeviations& deviations, const PlayChoices& choices);
/// "17:3,25:1"; "calm" for none. Reading throws UsageError.
std::string to_string(const PlayDeviations& deviations);
PlayDeviations parse_deviations(const std::string& text);

}  // namespace locklab
