// Scripts by their digests: a client that names a digest does not say what it runs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "harness/core/command.h"

namespace locklab {

class ScriptTexts {
public:
    /// A text that went to a server. What was seen before is known as it was.
    void see(std::string text);
    /// Null where nobody saw its text. `digest`: forty digits in lower case.
    const Script* find(std::string_view digest) const;

private:
    struct Known {
        std::string text;
        std::string name;  ///< "script 1a2b3c4d"
        Script script;
    };
    std::map<std::string, std::unique_ptr<Known>, std::less<>> known_;
};

}  // namespace locklab
