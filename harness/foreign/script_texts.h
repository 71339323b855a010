// Scripts by their digests: a client that names a digest does not say what it runs.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "harness/core/command.h"

namespace locklab {

class ScriptTexts {
public:
    /// A text that went to a server. What was seen before is known as it was.
    void see(const std::string& text);
    /// Its text is empty as long as nobody has seen it. `digest`: forty digits in lower case.
    const Script& named(const std::string& digest) { return known(digest).script; }
    /// In place of a command, or of a script with its arguments, of which not all was kept: it has
    /// no text, ever. `signature`: as GatedCommand has it.
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
