// The commands of a run of driver processes, for its history, by the log of its proxy: of each that
// names the lock's key, when it came, when its answer was there, and what befell it on its way.
//
// 1. A command ran some time between its coming to the proxy and its answer, which may never reach
//    its client.
// 2. A script is its text, where that was ever seen. A digest that the server does not know asks
//    nothing. Of what is longer than is kept nobody knows what it does, or what was answered.
// 3. Commands of a transaction run, one after the other, as EXEC is answered.
// 4. Whether a command is a watchdog's is told by what all of the run sent (see Renewals).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/history.h"
#include "harness/foreign/gated_command.h"
#include "harness/foreign/link_table.h"
#include "harness/foreign/run_story.h"
#include "harness/foreign/script_texts.h"
#include "harness/proxy/event_log.h"
#include "harness/proxy/link_fault.h"

namespace locklab {

class LinkCommands {
public:
    struct Terms {
        std::string key;
        bool renews = false;  ///< whether the lock has a watchdog
        RunStory::Clock::time_point since;
    };
    /// `scripts` must outlive the history that is told.
    LinkCommands(const LinkTable& table, Terms terms, ScriptTexts& scripts);

    /// Every event of the log, in order. What was asked before `since` brings its script alone.
    void see(const LinkEvent& event);
    /// Once, when all was seen: faults of links, and commands, unless no command has for a key what
    /// the lock was told to call it.
    void tell(RunStory& story);

private:
    using Time = RunStory::Clock::time_point;
    using Name = std::pair<std::uint32_t, std::uint64_t>;  ///< connection, and number there
    struct Known {
        ClientId client;
        NodeId node;
        GatedCommand gated;
        Command command;
        Phase phase = Phase::idle;
        Time came;
        bool asks_nothing = false;  ///< its digest was not known to the server
    };
    /// What an answer shows: that the command ran, that its client was told, or both.
    struct Shows {
        bool ran = true;
        bool told = true;
    };
    struct Answered {
        std::size_t known = 0;
        Time at;
        Reply reply;
        Shows shows;
    };
    struct Struck {
        Time at;
        ClientId client;
        NodeId node;
        LinkFault fault;
        std::optional<std::size_t> known;
    };
    /// Of a connection between MULTI and what ends that; nothing: it does not name the key.
    using Queue = std::vector<std::optional<std::size_t>>;

    static Name name_of(const LinkEvent& event) {
        return {event.head.connection, event.head.number};
    }
    void see_request(const LinkEvent& event, Time at);
    void see_strike(const LinkEvent& event, Time at);
    void see_answer(const LinkEvent& event, Time at, Shows shows);
    std::optional<std::size_t> known_as(const Name& name) const;
    Command command_of(const GatedCommand& gated, bool is_whole) const;
    bool names_key() const;
    void find_phases(const RunStory& story);
    void tell_answer(RunStory& story, const Answered& answered) const;
    static std::uint64_t call_of(std::size_t known) { return known + 1; }

    const LinkTable table_;
    const Terms terms_;
    ScriptTexts& scripts_;
    std::vector<Known> known_;
    std::map<Name, std::size_t> names_;
    std::set<Name> delayed_;  ///< whose answer came before its client was told
    std::map<std::uint32_t, Queue> queues_;
    std::map<Name, Queue> executing_;
    std::vector<Answered> answered_;
    std::vector<Struck> struck_;
};

}  // namespace locklab
