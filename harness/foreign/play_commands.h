// Commands of a play of driver processes for its history, from the frames at the gate.
//
// 1. The effect of a command is seen by looks at the key before and after it, while no time passes.
// 2. That a command ran is known by its answer at the gate, or by its effect.
#pragma once

#include <cstdint>
#include <functional>
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
                   .renews = subject.renews_by_itself(),
                   .sees_effects = true}) {}

    /// Takes new frames at the gate; call it before the clients' words are taken. A frame that
    /// `came_before` waited behind another, and nobody knows what its client was asked then.
    void see(std::span<const PlayClient> clients,
             const std::function<bool(const HeldFrame&)>& came_before);
    /// Call before the frame goes on, or is struck.
    void before(const HeldFrame& frame, bool is_struck);
    /// Call after the frame went on, or was struck.
    void after(const HeldFrame& frame, bool is_struck);
    /// Call in place of after(), if a fault tells its client something at once: an error, or that
    /// its connection is reset.
    void told_by_fault(const HeldFrame& frame, std::optional<ErrorKind> error);
    /// The frame counts as on its way from now on, and goes on later.
    void delayed(const HeldFrame& frame);
    /// The client's operation is over; `grants`: it was granted the lock.
    void answered(std::uint32_t client, bool grants) { teller_.is_over(ClientId{client}, grants); }
    /// Number of the frame's command, or of the command that it answers; 0: that does not name the
    /// key.
    std::uint64_t call_of(const HeldFrame& frame) const { return teller_.call_of(name_of(frame)); }
    /// Call once, at the end.
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
    std::set<std::uint32_t> deaf_;  ///< connections whose further answers are lost
    std::set<std::uint32_t> dead_;  ///< clients
    std::vector<KeyLook> before_;
};

/// Replaces the words that differ from play to play by stable names: `name` (as the lock was told
/// it) becomes `as`; tokens and other random or clock values are numbered in order.
void name_words(History& history, const std::string& name, const std::string& as,
                const std::set<std::string>& tokens);

}  // namespace locklab
