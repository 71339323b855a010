// Commands of a run of driver processes for its history, from the proxy's log. The log is read
// after the run, when each client's phases are known.
//
// 1. A command ran between its arrival at the proxy and its answer, which may never reach its
// client.
// 2. A script is its text, if that was ever seen. If a command is longer than the log keeps, its
// effect or answer is unknown.
// 3. Whether a command is a watchdog's is decided from all commands of the run (see Renewals).
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
        std::string asked;  ///< the lock's name, as drivers were told it
        /// Names of the lock's keys: first its own.
        std::vector<std::string> keys;
        bool renews = false;  ///< whether the lock has a watchdog
        RunStory::Clock::time_point since;
    };
    /// `scripts` must outlive the resulting history.
    LinkCommands(const LinkTable& table, Terms terms, RunStory& story, ScriptTexts& scripts);

    /// Call for every event of the log, in order. Of commands before `since` only scripts are used.
    void see(const LinkEvent& event);
    /// Call once, at the end: adds faults of links and commands to the story.
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
    std::set<Name> refused_;  ///< commands that a fault answers with an error
    std::set<Name> delayed_;  ///< commands whose answer came before their client was told
};

}  // namespace locklab
