// One play of driver processes in virtual time: each client wants the lock, tries, works step by
// step, releases, and again. What happens next, of all that can, is chosen by a drive; what follows
// from that is the same in every play, to the byte.
//
// What is shown of it is what RunStory shows: overlaps that the order of answers proves.
#pragma once

#include <cstdint>

#include "harness/foreign/play_spec.h"
#include "harness/foreign/virtual_world.h"

namespace locklab {

/// Opens and closes the world. Throws DriverTrouble.
PlayResult play_virtually(VirtualWorld& world, const Subject& subject, const PlaySpec& spec,
                          PlayDrive& drive, std::uint64_t run = 0,
                          PlayDetail detail = PlayDetail::answers);

}  // namespace locklab
