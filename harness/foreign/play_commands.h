// The commands of a play of driver processes, for its history: of each that is about the lock's
// key, when it came to the gate, when it ran and what it did to the key, and when its client was
// told.
//
// 1. A command is about the key that names it, or that changed it, as the last of a transaction
//    does.
// 2. What a command did is seen by looks at the key, around it, while no time passes.
// 3. That a command ran is known by its answer at the gate, or by what it did.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/history.h"
#include "harness/foreign/gated_command.h"
#include "harness/foreign/key_look.h"
#include "harness/foreign/play_client.h"
#include "harness/foreign/play_world.h"
#include "harness/foreign/run_story.h"

namespace locklab {

class PlayCommands {
public:
    /// Both must outlive it. `renews`: whether the lock has a watchdog.
    PlayCommands(PlayWorld& world, RunStory& story, bool renews)
        : world_(world),
          story_(story),
          renews_(renews),
          renewals_(world.clients(), Renewals(renews)) {}

    /// Takes what has come to the gate since; before what clients said is taken.
    void see(std::span<const PlayClient> clients);
    /// This is about to go on, or to be struck.
    void before(const HeldFrame& frame, bool is_struck);
    /// It has.
    void after(const HeldFrame& frame, bool is_struck);
    /// It is on its way from here on, and goes on later.
    void delayed(const HeldFrame& frame);
    /// What this client was asked is over, by a grant or not: it has given up on what is not
    /// answered, but a grant does not rest on what has not gone on, which is its watchdog's if it
    /// has one.
    void answered(std::uint32_t client, bool grants);
    /// Of the command, or that which is answered; 0: it does not name the key.
    std::uint64_t call_of(const HeldFrame& frame) const;
    /// Once, at the end: what is known of the rest.
    void end();

private:
    struct Known {
        std::uint32_t client = 0;
        NodeId node{};
        Phase phase = Phase::background;
        GatedCommand gated{};
        Instant came;
        std::uint64_t call = 0;
        bool is_about_key = false;
        bool is_noted = false;  ///< that it was sent
        /// Its repetition is answered in its place, or its client has given up on it.
        bool tells_nobody = false;
        KeyLook before{};
        std::optional<Instant> went{};  ///< to the server
        KeyEffect effect{};
        std::optional<std::string> answer{};
        bool is_over = false;  ///< that it ran is noted
    };
    using Name = std::pair<std::uint32_t, std::uint64_t>;  ///< connection, and number there

    static Name name_of(const HeldFrame& frame) { return {frame.connection, frame.number}; }
    bool comes_again(const HeldFrame& frame) const;
    void note_sent(Known& known);
    void note_ran(Known& known);

    PlayWorld& world_;
    RunStory& story_;
    const bool renews_;
    std::vector<Renewals> renewals_;
    std::map<Name, Known> known_;
    std::set<std::uint32_t> deaf_;  ///< connections whose answers are lost from here on
    std::set<std::uint32_t> dead_;  ///< clients
    std::uint64_t calls_ = 0;
};

/// What differs from play to play is named as it comes: the key as the history calls it, tokens
/// that were granted, and whatever else was drawn by chance or read from a clock.
void name_words(History& history, const std::string& key, const std::set<std::string>& tokens);

}  // namespace locklab
