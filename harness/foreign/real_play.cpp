#include "harness/foreign/real_play.h"

#include "harness/foreign/play_course.h"
#include "harness/foreign/real_world.h"

namespace locklab {

namespace {

/// Of a TTL, added in each play after the first: a longer job overlaps with a late client.
constexpr int kLonger = 20;

/// Makes no choice: a play that follows a script has none.
class NoDrive final : public PlayDrive {
public:
    std::size_t choose(std::span<const PlayOption>) override { return 0; }
};

}  // namespace

RealReplay replay_really(const Subject& subject, const PlaySpec& spec, const PlayScript& script,
                         const std::function<bool()>& stopped, std::uint32_t most_plays) {
    RealReplay replay;
    try {
        ManagedServers servers(Topology{spec.nodes, 0}, ManagedServers::clock_for(spec.faults));
        Team team(subject);
        const bool client_clocks =
            spec.faults.has([](const HazardRow& row) { return is_of_clients_clock(row.hazard); });
        while (!replay.proved && replay.plays < most_plays && !stopped()) {
            PlaySpec slower = spec;
            slower.job_percent += kLonger * static_cast<int>(replay.plays);
            ++replay.plays;
            RealWorld world(subject, servers, team,
                            {spec.clients, spec.ttl, spec.timeout, client_clocks});
            NoDrive drive;
            PlayCourse course(world, subject, slower, drive, 0, PlayDetail::answers);
            replay.missing = course.follow(script, stopped);
            replay.proved = !course.end().proved.empty();
            course.close();
        }
    } catch (const std::runtime_error& trouble) {
        replay.trouble = trouble.what();
    }
    return replay;
}

}  // namespace locklab
