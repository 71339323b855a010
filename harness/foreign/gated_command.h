// A command as a library sends it, and an answer as it comes, made into what histories have.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/command.h"
#include "harness/core/reply.h"

namespace locklab {

struct GatedCommand {
    /// Its words, as many as a command has room for. A script is EVAL and its digest, whether it
    /// came as that or as its text.
    Command command;
    /// What tells two kinds of commands apart: "SET", or a script's digest.
    std::string signature;
};

/// `frame` is whole.
GatedCommand gated_command(std::string_view frame);
/// What an array or a map holds is left out.
Reply gated_reply(std::string_view frame);

}  // namespace locklab
