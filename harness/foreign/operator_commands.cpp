#include "harness/foreign/operator_commands.h"

#include <algorithm>
#include <array>
#include <sstream>

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
    {"ACL", "LOAD"},
    {"CLIENT", "PAUSE"},
    {"CLIENT", "KILL"},
    {"MODULE", "LOAD"},
    {"MODULE", "LOADEX"},
    {"MODULE", "UNLOAD"},
});

/// What a client sets for itself to be told of keys harms nobody.
constexpr std::string_view kNotices = "notify-keyspace-events";

/// A lock may end the connection of a holder that does not answer any more, as portalocker does.
bool kills_one_connection(const Command& words) {
    if (words.size() == 3) return true;  // CLIENT KILL ADDRESS:PORT
    const std::string by = words.size() == 4 ? upper(words[2]) : "";
    return by == "ID" || by == "ADDR";
}

std::string second_word(const Command& words) { return words.size() > 1 ? upper(words[1]) : ""; }

bool changes_server(const GatedCommand& gated) {
    const Command& words = gated.command;
    const std::string second = second_word(words);
    const bool is_one = std::ranges::any_of(kOperators, [&](const Operators& row) {
        return gated.signature == row.command && (row.word.empty() || second == row.word);
    });
    const bool asks_for_notices = words.size() == 4 && words[2] == kNotices;
    const bool of_one_alone = second == "KILL" && kills_one_connection(words);
    return is_one && !asks_for_notices && !of_one_alone;
}

}  // namespace

bool changes_server(std::string_view frame) { return changes_server(gated_command(frame)); }

std::string operator_trouble(std::string_view frame, ClientId client, const std::string& library) {
    const GatedCommand gated = gated_command(frame);
    if (!changes_server(gated)) return {};
    const std::string second = second_word(gated.command);
    return "The driver of " + library + " changes its server: " + link_name(client) + " sent " +
           gated.signature + (second.empty() ? "" : " " + second) +
           ", which is for those who operate it; what comes of the lock after that shows nothing.";
}

std::string operator_trouble_in(const std::string& log, const LinkTable& links,
                                const std::string& library) {
    // It was taken by the end of its run, which looked for such commands itself.
    if (log.empty()) return {};
    std::istringstream in(log);
    EventReader reader(in);
    while (const std::optional<LinkEvent> event = reader.next()) {
        if (event->head.moment != LinkMoment::request) continue;
        std::string trouble =
            operator_trouble(event->bytes, links.client_of(event->head.link), library);
        if (!trouble.empty()) return trouble;
    }
    return {};
}

}  // namespace locklab
