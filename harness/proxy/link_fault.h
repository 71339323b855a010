// The faults of a command between a client and a server, and the rules that trigger them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error_kind.h"
#include "harness/core/time.h"
#include "harness/proxy/frame_words.h"

namespace locklab {

/// No fault takes a single answer out of a connection that goes on: the next answer would then
/// belong to the wrong command, which no network causes.
enum class LinkFault : std::uint8_t {
    delay_request,
    late_request,
    delay_reply,
    lose_request,
    lose_reply,
    reset_request,
    reset_reply,
    repeat_request,
    error,
    partition,
    partition_after,
};

struct LinkFaultRow {
    LinkFault fault;
    std::string_view name;
    std::string_view meaning;
    bool needs_amount;        ///< it takes a duration
    bool needs_resp = false;  ///< it cannot be made where the protocol is not RESP
};
inline constexpr std::array<LinkFaultRow, 11> kLinkFaults{{
    {LinkFault::delay_request, "delay_request",
     "it reaches the server so much later, and all after it on its connection", true},
    {LinkFault::late_request, "late_request",
     "its connection is reset at once, and it reaches the server so much later", true},
    {LinkFault::delay_reply, "delay_reply",
     "its answer reaches the client so much later, and all after it on its connection", true},
    {LinkFault::lose_request, "lose_request",
     "neither it nor what the client says after it on its connection reaches the server", false},
    {LinkFault::lose_reply, "lose_reply",
     "it runs; neither its answer nor what comes after it on its connection reaches the client",
     false},
    {LinkFault::reset_request, "reset_request",
     "its connection is reset before it reaches the server", false},
    {LinkFault::reset_reply, "reset_reply",
     "it runs; its connection is reset before its answer reaches the client", false},
    {LinkFault::repeat_request, "repeat_request",
     "it reaches the server twice, and the client is told the second answer, as by a library "
     "that sends again what was not answered",
     false, true},
    {LinkFault::error, "error", "it does not reach the server; the proxy answers with an error",
     false, true},
    {LinkFault::partition, "partition",
     "for so long nothing gets through on any connection of its link, from it on; what is sent "
     "meanwhile comes then, as TCP sends it again",
     true},
    {LinkFault::partition_after, "partition_after",
     "it reaches the server, and then for so long nothing gets through on any connection of its "
     "link, not even its answer",
     true},
}};
constexpr std::string_view name_of(LinkFault fault) {
    return kLinkFaults[static_cast<std::size_t>(fault)].name;
}
/// Whether it can be made where the protocol is not RESP.
constexpr bool strikes_bytes(LinkFault fault) {
    return !kLinkFaults[static_cast<std::size_t>(fault)].needs_resp;
}

/// Whether it strikes all connections of a link.
constexpr bool cuts_link(LinkFault fault) {
    return fault == LinkFault::partition || fault == LinkFault::partition_after;
}

/// What happens to the answer of a command.
enum class Treatment : std::uint8_t {
    pass,
    delay,
    lose,
    reset,
    swallow,  ///< the client did not send this command: drops the answer
    replace,  ///< the client gets the rule's error instead
    invent,   ///< the server did not get the command: the client gets the rule's error in its place
};

/// Client and server of a link.
struct LinkName {
    std::string client;
    std::string node;
};

struct FaultRule {
    std::string command{};  ///< in capitals; empty: any
    std::string digest{};   ///< of a script in EVAL or EVALSHA; empty: any, or none
    std::string client{};   ///< empty: any
    std::string node{};     ///< empty: any
    std::string naming{};   ///< contained in one of the command's first words; empty: any
    std::uint64_t nth = 0;  ///< which of all commands that fit; 0: each of them
    LinkFault fault = LinkFault::delay_request;
    Duration amount{0};   ///< for repeat_request: time until the repetition; zero: at once
    std::string error{};  ///< "LOADING Redis is loading the dataset in memory"
    /// In place of `error`: of this kind, fitted to the command by kind_for().
    std::optional<ErrorKind> kind{};
    /// While false, no command fits: set by code that knows the client's phase. Null: always open.
    std::shared_ptr<const std::atomic<bool>> gate{};
};

/// Redis 7's text of an error, by its first word; null: an error that the proxy cannot give.
const char* words_of_error(std::string_view code);
std::vector<std::string_view> known_errors();

/// What the rule answers the command with.
std::string error_for(const FaultRule& rule, const FrameWords& words);

/// Rules in order, and how often each has fitted.
class RuleBook {
public:
    explicit RuleBook(std::vector<FaultRule> rules);
    RuleBook(const RuleBook&) = delete;
    RuleBook& operator=(const RuleBook&) = delete;

    /// The first rule that strikes this command; null: none does. All rules that fit count it.
    const FaultRule* strikes(const LinkName& link, const FrameWords& words);
    /// Number of commands so far that fitted each rule.
    const std::vector<std::uint64_t>& fitted() const { return fitted_; }

private:
    const std::vector<FaultRule> rules_;
    std::vector<std::uint64_t> fitted_;
    bool names_scripts_ = false;
};

}  // namespace locklab
