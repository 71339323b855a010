// The SHA-1 digests of scripts for EVALSHA (https://redis.io/docs/latest/commands/evalsha/),
// computed once for each script.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/core/command.h"

namespace locklab {

class ScriptDigests {
public:
    /// The reference is valid as long as this lives.
    const std::string& of(const Script& script);

private:
    struct Entry {
        const Script* script;
        std::string digest;
    };
    /// A program has a handful of scripts, so looking through them is the fastest search.
    std::vector<std::unique_ptr<const Entry>> entries_;
};

}  // namespace locklab
