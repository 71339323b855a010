#include "harness/foreign/virtual_play.h"

#include <string>
#include <utility>

#include "harness/foreign/play_course.h"

namespace locklab {

PlayResult play_virtually(VirtualWorld& world, const Subject& subject, const PlaySpec& spec,
                          PlayDrive& drive, std::uint64_t run, PlayDetail detail) {
    world.open({spec.ttl, spec.timeout, spec.seed});
    HistoryHead head;
    head.world = "driver";
    head.algorithm = std::string(subject.row().name);
    head.clients = spec.clients;
    head.seed = spec.seed;
    head.run = run;
    head.key = kVirtualKey;
    PlayCourse course(world, subject, spec, drive, std::move(head), detail);
    course.play();
    return course.end();
}

}  // namespace locklab
