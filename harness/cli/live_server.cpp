#include "harness/cli/live_server.h"

#include "harness/cli/command_line.h"
#include "harness/cli/interrupt.h"
#include "harness/live/probe.h"

namespace locklab {

LiveServer::LiveServer(const std::string& redis) {
    const StopFlag& stop = interrupt_flag();
    if (redis.empty()) {
        process_ = std::make_unique<RedisProcess>();
        endpoint_ = process_->endpoint();
        loop_ = std::make_unique<LiveLoop>(*process_);
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
    loop_->interrupt_on(stop);
}

}  // namespace locklab
