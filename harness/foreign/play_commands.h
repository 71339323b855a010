// The commands of a play of driver processes, for its history: what happens to frames at the gate.
//
// 1. What a command did is seen by looks at the key, around it, while no time passes.
// 2. That a command ran is known by its answer at the gate, or by what it did.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/core/history.h"
#include "harness/foreign/command_teller.h"
#include "harness/foreign/key_look.h"
#include "harness/foreign/play_client.h"
#include "harness/foreign/play_world.h"
#include "harness/foreign/run_story.h"
#include "harness/foreign/subject.h"

namespace locklab {

class PlayCommands {
public:
    /// World and story must outlive it.
    PlayCommands(PlayWorld& world, RunStory& story, const Subject& subject)
        : world_(world),
          story_(story),
          keys_(subject.keys_of(world.key())),
          teller_({.asked = world.key(),
                   .keys = keys_,
                   .renews = subject.row().renews,
                   .sees_effects = true}) {}

    /// Takes what has come to the gate since; before what clients said is taken.
    void see(std::span<const PlayClient> clients);
    /// This is about to go on, or to be struck.
    void before(const HeldFrame& frame, bool is_struck);
    /// It has.
    void after(const HeldFrame& frame, bool is_struck);
    /// It is on its way from here on, and goes on later.
    void delayed(const HeldFrame& frame);
    /// What this client was asked is over, by a grant or not.
    void answered(std::uint32_t client, bool grants) { teller_.is_over(ClientId{client}, grants); }
    /// Of the command, or that which is answered; 0: it does not name the key.
    std::uint64_t call_of(const HeldFrame& frame) const { return teller_.call_of(name_of(frame)); }
    /// Once, at the end.
    void end();

private:
    using Name = CommandTeller::Name;

    static Name name_of(const HeldFrame& frame) { return {frame.connection, frame.number}; }
    bool comes_again(const HeldFrame& frame) const;
    std::vector<KeyLook> look(NodeId node);

    PlayWorld& world_;
    RunStory& story_;
    const std::vector<std::string> keys_;  ///< of the lock
    CommandTeller teller_;
    std::set<Name> seen_;           ///< commands
    std::set<std::uint32_t> deaf_;  ///< connections whose answers are lost from here on
    std::set<std::uint32_t> dead_;  ///< clients
    std::vector<KeyLook> before_;
};

/// What differs from play to play is named as it comes: `name`, which the lock was told, as `as`,
/// tokens that were granted, and whatever else was drawn by chance or read from a clock.
void name_words(History& history, const std::string& name, const std::string& as,
                const std::set<std::string>& tokens);

}  // namespace locklab
