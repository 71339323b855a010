#include "harness/live/live_server.h"

#include <stdexcept>

#include "harness/core/counted.h"
#include "harness/core/printable.h"
#include "harness/core/usage_error.h"
#include "harness/live/probe.h"
#include "harness/live/process_mark.h"
#include "harness/live/redis_process.h"
#include "harness/live/run_registry.h"

namespace locklab {

void clean_up_after_killed_runs(const std::string& redis, const Watcher& watcher) {
    // Processes first: those that still run may write into the folders.
    const std::size_t killed = ProcessMark::kill_what_the_dead_left();
    if (killed > 0) {
        watcher.tell("ended " + counted(killed, "process", "processes") +
                     ", which a run that was killed had left");
    }
    for (const char* name : {kRedisFolder, kTimeFolder, kServersFolder}) {
        for (const auto& folder : TempFolder::remove_dead(name)) {
            watcher.tell("removed " + printable(folder.string()) +
                         ", which a run that was killed had left");
        }
    }
    if (redis.empty()) return;
    const std::string cleaned = clean_up_after_the_dead(parse_endpoint(redis));
    if (!cleaned.empty()) watcher.tell(cleaned);
}

LiveServer::LiveServer(const std::string& redis, const Watcher& watcher) {
    if (redis.empty()) {
        servers_ = std::make_unique<ManagedServers>();
        loop_ = std::make_unique<LiveLoop>(*servers_);
        version_ = probe(endpoint());
    } else {
        endpoint_ = parse_endpoint(redis);
        try {
            version_ = probe(endpoint_);
        } catch (const std::runtime_error& error) {
            throw UsageError(error.what());
        }
        loop_ = std::make_unique<LiveLoop>(endpoint_);
    }
    clean_up_after_killed_runs(redis, watcher);
    loop_->interrupt_on(*watcher.stop);
}

void LiveServer::start(const Topology& topology, const FaultBudget& faults) {
    if (is_private()) servers_->provide(topology, ManagedServers::clock_for(faults));
}

std::vector<Endpoint> LiveServer::endpoints() const {
    if (!is_private()) return {endpoint_};
    std::vector<Endpoint> all;
    for (std::uint32_t i = 0; i < servers_->topology().masters; ++i) {
        all.push_back(servers_->endpoint(NodeId{i}));
    }
    return all;
}

}  // namespace locklab
