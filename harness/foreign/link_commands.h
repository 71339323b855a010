// The commands of a run of driver processes, for its history, by the log of its proxy, which is
// read when the run is over: what each client was about is known by then.
//
// 1. A command ran some time between its coming to the proxy and its answer, which may never reach
//    its client.
// 2. A script is its text, where that was ever seen. Of what is longer than is kept nobody knows
//    what it does, or what was answered.
// 3. Whether a command is a watchdog's is told by what all of the run sent (see Renewals).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/foreign/command_teller.h"
#include "harness/foreign/link_table.h"
#include "harness/proxy/event_log.h"

namespace locklab {

class LinkCommands {
public:
    struct Terms {
        std::string asked;  ///< what drivers were told to call the lock
        /// What the lock calls its keys: first its own.
        std::vector<std::string> keys;
        bool renews = false;  ///< whether the lock has a watchdog
        RunStory::Clock::time_point since;
    };
    /// `scripts` must outlive the history that is told.
    LinkCommands(const LinkTable& table, Terms terms, RunStory& story, ScriptTexts& scripts);

    /// Every event of the log, in order. What was asked before `since` brings its script alone.
    void see(const LinkEvent& event);
    /// Once, when all was seen: faults of links, and commands.
    void tell();

private:
    using Name = CommandTeller::Name;

    static Name name_of(const LinkEvent& event) {
        return {event.head.connection, event.head.number};
    }
    void see_request(const LinkEvent& event);
    void see_strike(const LinkEvent& event);
    bool is_before(const LinkEvent& event) const;
    Instant at(const LinkEvent& event) const;

    const LinkTable table_;
    const RunStory::Clock::time_point since_;
    RunStory& story_;
    ScriptTexts& scripts_;
    CommandTeller teller_;
    std::set<Name> delayed_;  ///< whose answer came before its client was told
};

}  // namespace locklab
