#include "harness/bench/measured_drivers.h"

#include <algorithm>
#include <stdexcept>

#include "algorithms/registry.h"
#include "harness/core/assert.h"
#include "harness/live/require_servers.h"
#include "harness/live/run_keys.h"

namespace locklab {

namespace {

const Algorithm& required(const std::string& name) {
    const Algorithm* algorithm = algorithm_named(name);
    LOCKLAB_ASSERT(algorithm != nullptr);
    return *algorithm;
}

void open_team(Team& team, const Subject& subject, Team::Opening opening) {
    if (const OwnServers* own = team.start_own_servers()) {
        std::ranges::fill(opening.servers, own->nodes());
    }
    const std::string trouble = team.open(opening);
    if (trouble.empty()) return;
    throw DriverTrouble("The driver of " + subject.name() + " " + trouble + ".");
}

Team::Opening opening_of(Workbench& bench, const LiveParameters& parameters, std::size_t clients) {
    const std::vector<std::vector<Endpoint>> servers(clients, {bench.endpoint(Transport::tcp)});
    return {RunKeys().fresh_key().name, parameters.ttl, parameters.ttl, servers};
}

}  // namespace

MeasuredDrivers::MeasuredDrivers(const Subject& subject, const std::string& program)
    : subject_(subject),
      like_(required(subject.like())),
      like_subject_(like_, program),
      team_(subject_),
      like_team_(like_subject_) {}

Team& MeasuredDrivers::open(Workbench& bench, const LiveParameters& parameters,
                            std::size_t clients) {
    require_servers(subject_.row(), subject_.row().topology(), 1, "a benchmark has one",
                    "run a campaign of it");
    open_team(team_, subject_, opening_of(bench, parameters, clients));
    return team_;
}

Team& MeasuredDrivers::open_like(Workbench& bench, const LiveParameters& parameters) {
    open_team(like_team_, like_subject_, opening_of(bench, parameters, 1));
    return like_team_;
}

void MeasuredDrivers::measure(const std::function<void()>& what) {
    try {
        what();
    } catch (...) {
        end();
        throw;
    }
}

void MeasuredDrivers::end() {
    team_.end();
    like_team_.end();
}

}  // namespace locklab
