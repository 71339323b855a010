// Finds scripts by digest, since EVALSHA names a digest only.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "harness/core/command.h"

namespace locklab {

class ScriptTexts {
public:
    /// A script's text that went to a server. Known texts stay as they were.
    void see(const std::string& text);
    /// The script; its text is empty until it was seen. `digest`: forty digits in lower case.
    const Script& named(const std::string& digest) { return known(digest).script; }
    /// Stands for a command, or a script with its arguments, that was not kept whole: it never has
    /// a text. `signature`: as in GatedCommand.
    const Script& cut_off(const std::string& signature);

private:
    struct Known {
        std::string text;
        std::string name;  ///< "script 1a2b3c4d"
        Script script;
    };
    Known& known(const std::string& digest);

    std::map<std::string, std::unique_ptr<Known>> known_;
};

}  // namespace locklab
