#include "harness/foreign/lasting_world.h"

namespace locklab {

std::optional<PlayResult> LastingWorld::play(const PlaySpec& spec, PlayDrive& drive,
                                             std::uint64_t run, PlayDetail detail) {
    VirtualWorld& world = fresh_ ? *fresh_ : first_;
    try {
        return play_virtually(world, subject_, spec, drive, run, detail);
    } catch (const DriverGone& gone) {
        lose_(gone);
        fresh_.emplace(subject_, spec.clients, spec.nodes, stop_);
        return std::nullopt;
    }
}

}  // namespace locklab
