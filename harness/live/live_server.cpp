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
    for (const char* name : {kRedisFolder, kTimeFolder}) {
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
        processes_.push_back(std::make_unique<RedisProcess>());
        endpoint_ = processes_.front()->endpoint();
        loop_ = std::make_unique<LiveLoop>(*processes_.front());
        version_ = probe(endpoint_);
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

void LiveServer::start(const Topology& topology) {
    if (!is_private()) return;
    while (processes_.size() < topology.masters) {
        processes_.push_back(std::make_unique<RedisProcess>());
        loop_->add(*processes_.back());
    }
    if (topology.replicas == 0 || replica_ != nullptr) return;
    replica_ = std::make_unique<RedisProcess>();
    loop_->add_replica(*replica_);
}

std::vector<Endpoint> LiveServer::endpoints() const {
    std::vector<Endpoint> all{endpoint_};
    for (std::size_t i = 1; i < processes_.size(); ++i) all.push_back(processes_[i]->endpoint());
    return all;
}

}  // namespace locklab
