#include "harness/foreign/virtual_play.h"

#include "harness/foreign/play_course.h"
#include "harness/foreign/team.h"

namespace locklab {

PlayResult play_virtually(VirtualWorld& world, const Subject& subject, const PlaySpec& spec,
                          PlayDrive& drive, std::uint64_t run, PlayDetail detail) {
    world.open({spec.ttl, spec.timeout, spec.seed});
    PlayCourse course(world, subject, spec, drive, run, detail);
    course.play();
    PlayResult result = course.end();
    try {
        course.close();
    } catch (const DriverGone&) {
        // What was proved before it went stands.
        if (result.proved.empty()) throw;
        world.end_drivers();
    }
    return result;
}

}  // namespace locklab
