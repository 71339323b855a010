// The themes of the corpus, one file each: a function that adds its locks to the list.
#pragma once

#include <array>
#include <vector>

#include "tests/corpus/corpus.h"

namespace locklab::corpus {

using AddTheme = void(std::vector<Entry>& entries);

AddTheme add_tokens;
AddTheme add_releases;
AddTheme add_renewals;
AddTheme add_counts;
AddTheme add_clocks;
AddTheme add_commands;
AddTheme add_scripts;
AddTheme add_fences;
AddTheme add_late_replies;
AddTheme add_odds;
AddTheme add_several_servers;
AddTheme add_shared;
AddTheme add_blamed;
AddTheme add_evictions;
// Half of each by somebody who had not read the code.
AddTheme add_cached_scripts;
AddTheme add_several_expiries;
AddTheme add_turns;
// Written by somebody who had not read the code.
AddTheme add_stranger_tokens;
AddTheme add_stranger_releases;
AddTheme add_stranger_renewals;
AddTheme add_stranger_counts;
AddTheme add_stranger_clocks;
AddTheme add_stranger_commands;
AddTheme add_stranger_scripts;
AddTheme add_stranger_leases;

/// In the order of the list.
inline constexpr std::array<AddTheme*, 25> kThemes{
    add_tokens,
    add_releases,
    add_renewals,
    add_counts,
    add_clocks,
    add_commands,
    add_scripts,
    add_fences,
    add_late_replies,
    add_odds,
    add_several_servers,
    add_shared,
    add_blamed,
    add_evictions,
    add_cached_scripts,
    add_several_expiries,
    add_turns,
    add_stranger_tokens,
    add_stranger_releases,
    add_stranger_renewals,
    add_stranger_counts,
    add_stranger_clocks,
    add_stranger_commands,
    add_stranger_scripts,
    add_stranger_leases,
};

}  // namespace locklab::corpus
