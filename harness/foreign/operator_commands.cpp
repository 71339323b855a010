#include "harness/foreign/operator_commands.h"

#include <algorithm>
#include <array>

#include "harness/core/upper.h"
#include "harness/foreign/gated_command.h"
#include "harness/foreign/link_plan.h"

namespace locklab {

namespace {

struct Operators {
    std::string_view command;
    std::string_view word;  ///< the next word that makes it one; empty: any does
};

constexpr auto kOperators = std::to_array<Operators>({
    {"SHUTDOWN", ""},
    {"CONFIG", "SET"},
    {"CONFIG", "REWRITE"},
    {"DEBUG", ""},
    {"REPLICAOF", ""},
    {"SLAVEOF", ""},
    {"FAILOVER", ""},
    {"SWAPDB", ""},
    {"ACL", "SETUSER"},
    {"ACL", "DELUSER"},
    {"MODULE", "LOAD"},
    {"MODULE", "UNLOAD"},
});

/// What a client sets for itself to be told of keys harms nobody.
constexpr std::string_view kNotices = "notify-keyspace-events";

}  // namespace

std::string operator_trouble(std::string_view frame, ClientId client, const std::string& library) {
    const GatedCommand gated = gated_command(frame);
    const Command& words = gated.command;
    const std::string second = words.size() > 1 ? upper(words[1]) : "";
    const bool is_one = std::ranges::any_of(kOperators, [&](const Operators& row) {
        return gated.signature == row.command && (row.word.empty() || second == row.word);
    });
    const bool asks_for_notices = words.size() > 2 && words[2] == kNotices;
    if (!is_one || asks_for_notices) return {};
    return "The driver of " + library + " changes its server: " + link_name(client) + " sent " +
           gated.signature + (second.empty() ? "" : " " + second) +
           ", which is for those who operate it; what comes of the lock after that shows nothing.";
}

}  // namespace locklab
