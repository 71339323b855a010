#include "harness/foreign/foreign_server.h"

#include <stdexcept>

namespace locklab {

ForeignServer::ItsClock ForeignServer::clock_for(const FaultBudget& faults) {
    const bool jumps = faults.has([](const HazardRow& row) {
        return row.target == FaultTarget::node && row.size == FaultSize::clock;
    });
    return jumps ? ItsClock::can_be_wrong : ItsClock::right;
}

ForeignServer::ForeignServer(ItsClock clock)
    : clock_(clock == ItsClock::right ? nullptr : std::make_unique<WrongClock>()),
      process_(RedisProcess::Listen::on_port_too,
               clock_ == nullptr ? std::map<std::string, std::string>() : clock_->environment()) {
    if (clock_ == nullptr || clock_->is_taken()) return;
    throw std::runtime_error(
        "redis-server does not take the preloaded clock: it cannot be set wrong.");
}

void ForeignServer::launch() {
    process_.kill();
    if (clock_ != nullptr) clock_->expect_process();
    process_.launch();
}

void ForeignServer::set_clock_right() {
    if (clock_ != nullptr) clock_->set_ahead(Duration(0));
}

}  // namespace locklab
