// One play of driver processes in virtual time: each client wants the lock, tries, works step by
// step, releases, and starts again. A drive chooses among the possible moves; everything else
// follows from its choices and is equal in every play, to the byte.
//
// Its history is that of RunStory: overlaps that the order of answers proves.
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
