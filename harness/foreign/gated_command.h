// A command as a library sends it, and an answer as it comes, made into what histories have.
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
    /// Its words, as many as a command has room for. A script is EVAL and its digest, whether it
    /// came as that or as its text.
    Command command;
    /// What tells two kinds of commands apart: "SET", or a script's digest.
    std::string signature;
    bool is_whole = true;  ///< there was room for all its words
};

/// `frame` is whole.
GatedCommand gated_command(std::string_view frame);
/// Whether it may wait at the server, as BLPOP does, for what another client does: that it is
/// answered late says nothing of the server.
bool may_wait_at_server(const GatedCommand& gated);
/// Whether it is about a channel, which is no key though it may have the key's name.
bool is_about_channel(const GatedCommand& gated);

/// Of a script as it came: where its keys begin, after EVAL, the digest and how many they are.
inline constexpr std::size_t kFirstOfScript = 3;
bool is_script_as_it_came(const Command& words);
/// How many words are its keys; nothing: they are not all there.
std::optional<std::size_t> keys_of_script(const Command& words);

/// Tells a client's own commands from its watchdog's.
class Renewals {
public:
    /// `renews`: whether there is a watchdog at all.
    explicit Renewals(bool renews = true) : renews_(renews) {}

    /// Of one that came: whether it is a watchdog's, which all are that come while the client is
    /// asked for nothing that sends commands, and all of the kinds that came so.
    /// EXEC is whose the commands are that it runs: those that came before it.
    bool take(const std::string& signature, bool is_asked) {
        if (signature == kExec) return last_;
        if (!is_asked) add(signature);
        last_ = renews_ && signatures_.contains(signature);
        return last_;
    }
    /// This kind is a watchdog's.
    void add(const std::string& signature) {
        if (signature != kExec) signatures_.insert(signature);
    }

    static constexpr std::string_view kExec = "EXEC";

private:
    bool renews_;
    bool last_ = false;
    std::set<std::string> signatures_;
};

/// The text of the script that a command brings (EVAL, SCRIPT LOAD); empty: it brings none.
std::string script_text(std::string_view frame);

/// A type of RESP3 is what it is in RESP2; a map holds its keys and values in turn. Unknown, where
/// the frame is cut off, or of a type that answers nobody's command.
Reply gated_reply(std::string_view frame);

}  // namespace locklab
