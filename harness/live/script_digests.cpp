#include "harness/live/script_digests.h"

#include "harness/core/sha1.h"

namespace locklab {

const std::string& ScriptDigests::of(const Script& script) {
    for (const auto& entry : entries_) {
        if (entry->script == &script) return entry->digest;
    }
    entries_.push_back(std::make_unique<const Entry>(Entry{&script, to_hex(sha1(script.lua))}));
    return entries_.back()->digest;
}

}  // namespace locklab
