// Names of lock libraries that a user may type, each with our lock that is like it.
#pragma once

#include <string>
#include <string_view>

namespace locklab {

/// "there is no lock 'redisson'; Redisson RLock is like reentrant_watchdog"; empty if the word
/// names no library. The libraries are those of plots/libraries.json; empty without that file.
std::string library_hint(std::string_view word);

}  // namespace locklab
