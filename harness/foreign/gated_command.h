// Turns a command as a library sends it, and an answer as it comes, into the form that histories
// use.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/core/command.h"
#include "harness/core/reply.h"

namespace locklab {

struct GatedCommand {
    /// Its words, as many as a command has room for. A script is EVAL and its digest, whether its
    /// digest or its text came.
    Command command;
    /// The kind of the command: "SET", or a script's digest.
    std::string signature;
    bool is_whole = true;  ///< there was room for all its words
};

/// Requires a whole `frame`.
GatedCommand gated_command(std::string_view frame);
/// Whether it may block at the server, as BLPOP does, until another client acts: a late answer to
/// it does not show a slow server.
bool may_wait_at_server(const GatedCommand& gated);
/// Whether it is about a channel: that is no key, though it may have the key's name.
bool is_about_channel(const GatedCommand& gated);

/// In a script as it came: the place of the first key, after EVAL, the digest and the number of
/// keys.
inline constexpr std::size_t kFirstOfScript = 3;
bool is_script_as_it_came(const Command& words);
/// How many words are keys; nothing: some of them are missing.
std::optional<std::size_t> keys_of_script(const Command& words);

/// Tells a client's own commands from those of its watchdog.
class Renewals {
public:
    /// `renews`: whether the lock has a watchdog.
    explicit Renewals(bool renews = true) : renews_(renews) {}

    /// Whether a command that comes now is a watchdog's. That is so for every command that comes
    /// while the client is asked for nothing that sends commands, and for every later command of
    /// the same kind. EXEC belongs to the owner of the commands before it, which it runs.
    bool take(const std::string& signature, bool is_asked) {
        if (signature == kExec) return last_;
        if (!is_asked) add(signature);
        last_ = renews_ && signatures_.contains(signature);
        return last_;
    }
    /// Commands of this kind are a watchdog's.
    void add(const std::string& signature) {
        if (signature != kExec) signatures_.insert(signature);
    }

    static constexpr std::string_view kExec = "EXEC";

private:
    bool renews_;
    bool last_ = false;
    std::set<std::string> signatures_;
};

/// It takes every key, or every cached script, and names none.
bool takes_every_key(const GatedCommand& gated);
/// Whether a script's text has the name of a command that takes every key.
bool script_takes_every_key(std::string_view text);
/// The text of the script in a command (EVAL, SCRIPT LOAD); empty: it has none.
std::string script_text(std::string_view frame);

/// Reads an answer. RESP3 types become those of RESP2; a map becomes its keys and values in turn.
/// Unknown if the frame is cut off, or of a type that answers no command.
Reply gated_reply(std::string_view frame);

}  // namespace locklab
