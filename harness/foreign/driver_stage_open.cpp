// How a stage begins: servers, proxy and drivers, until each driver has had the lock once.

#include "harness/foreign/driver_stage.h"
#include "harness/live/random_hex.h"

namespace locklab {

namespace {

/// A busy machine may be too slow for a first try, and hardly for this many.
constexpr int kStageOpenings = 5;

}  // namespace

/// Drivers open the lock, and take and release it once.
void DriverStage::open() {
    std::string trouble;
    for (int again = 0; again < kStageOpenings; ++again) {
        key_ = "locklab:" + RandomHex().draw(8);
        proxy_.reset();
        inbox_ = std::make_unique<GateInbox>(key_);
        proxy_ = std::make_unique<ProxyThread>(
            links_.gated_plan([this](NodeId node) { return parts_.servers.endpoint(node); },
                              *inbox_),
            false);
        Team::Opening opening{key_, config_.options.ttl, parts_.driver_timeout, {}};
        opening.clock_unit = config_.options.clock_unit;
        for (std::uint32_t i = 0; i < config_.clients; ++i) {
            const ClientOptions* own = options_of(config_.unequal, ClientId{i});
            const bool has_own = own != nullptr && own->ttl;
            opening.servers.push_back(links_.servers_of(ClientId{i}, *proxy_));
            opening.own_ttls.push_back(has_own ? *own->ttl : config_.options.ttl);
            if (parts_.wrong_clocks) opening.clocks_ahead.push_back(config_.roles[i].clock_offset);
        }
        trouble = parts_.team.open(opening);
        if (trouble.empty()) break;
        blame_operator();
    }
    if (!trouble.empty()) {
        throw DriverTrouble("The driver of " + parts_.subject.name() + " " + trouble + ".");
    }
    lock_keys_ = parts_.subject.keys_of(key_);
    for (std::uint32_t i = 0; i < parts_.servers.size(); ++i) {
        const Endpoint& server = parts_.servers.process(NodeId{i}).endpoint();
        key_watches_.push_back(std::make_unique<KeyWatch>(server, lock_keys_.front()));
        // Removes a fencing counter too, which the warm-up has moved. Replicas follow their
        // masters.
        if (i < links_.nodes()) key_watches_.back()->remove_all();
    }
}

}  // namespace locklab
