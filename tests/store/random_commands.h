// Random Redis commands for the differential test: mostly right ones on a few keys, some with
// weird numbers, wrong types or missing words, and scripts that are made of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/random_choices.h"
#include "harness/core/server_kind.h"
#include "harness/core/time.h"

namespace locklab::test {

using Words = std::vector<std::string>;

class RandomCommands {
public:
    RandomCommands(RandomChoices& choices, ServerKind server)
        : choices_(choices), server_(server) {}

    /// The next command, for a server whose clock shows `now`. `open`: over a connection that is in
    /// a transaction.
    Words next(WallTime now, bool open = false);

    /// The names of all keys that commands are about.
    static std::span<const std::string_view> keys();
    /// The names of all commands, in lower case and in no order; some come twice.
    static std::vector<std::string_view> names(ServerKind server);
    /// The scripts that are not made up (random_scripts.cpp).
    static std::span<const std::string_view> scripts();

private:
    std::uint32_t pick(std::uint32_t count) { return choices_.pick(ChoiceKind::workload, count); }
    bool one_in(std::uint32_t count) { return pick(count) == 0; }
    std::string one_of(std::span<const std::string_view> words) {
        return std::string(words[pick(static_cast<std::uint32_t>(words.size()))]);
    }

    /// A command on keys, no script.
    Words plain();
    /// A command about transactions.
    Words transaction(bool open);
    void add(Words& words, char kind);
    std::string number(char kind);
    void add_set_options(Words& words);
    void add_getex_options(Words& words);
    std::string any_case(std::string word);
    void spoil(Words& words);

    // random_scripts.cpp
    std::string fixed_script();
    Words script_command();
    Words eval(const std::string& text);
    std::string script();
    std::string call(const char* function);

    RandomChoices& choices_;
    const ServerKind server_;
    std::int64_t now_ms_ = 0;
    std::vector<std::string> recent_;  ///< scripts that EVALSHA may find in the cache
    Words arguments_;                  ///< what the script that is being made expects as ARGV
};

}  // namespace locklab::test
