#include "harness/foreign/subject.h"

#include <algorithm>
#include <chrono>

#include "harness/foreign/link_plan.h"
#include "harness/foreign/promised_traits.h"

namespace locklab {

namespace {

/// Longer than the delays of a busy machine.
constexpr Duration kUsualTtl = std::chrono::milliseconds(200);
/// Between tries of a library that does not wait itself.
constexpr Duration kRetry = std::chrono::milliseconds(5);

/// Whether the fault needs nothing of Redis: neither its protocol nor its commands.
bool strikes_any_servers(Hazard hazard) {
    const HazardRow& row = row_of(hazard);
    switch (row.target) {
        case FaultTarget::nobody:
        case FaultTarget::client:
        case FaultTarget::call: return true;
        case FaultTarget::link: return LinkPlan::strikes_bytes(hazard);
        case FaultTarget::node: return hangs(hazard) || takes_over(hazard);
    }
    return false;
}

}  // namespace

std::string Subject::why_not_struck_by(Hazard hazard) const {
    if (std::string why(why_not_in(FaultWorld::drivers, hazard)); !why.empty()) return why;
    if (is_of_clients_clock(hazard) && !no_clock_.empty()) return no_clock_;
    if (servers_start_ && !strikes_any_servers(hazard)) return "its servers are not Redis";
    return "";
}

bool Subject::can_be_struck_by(Hazard hazard) const {
    return why_not_struck_by(hazard).empty() && applies(row_, hazard);
}

Subject::Subject(const Library& library)
    : name_(library.name),
      operand_(library.row()),
      like_(library.like),
      row_name_(library.row()),
      label_(library.library),
      start_(library.start()),
      virtual_start_(library.virtual_start()),
      promised_(promised_traits(library)),
      no_clock_(library.no_clock),
      why_not_virtual_(library.why_not_virtual()),
      waits_(library.waits),
      grants_job_(library.grants_job),
      extended_by_hand_(library.extended_by_hand),
      tells_within_percent_(library.tells_within_percent),
      is_library_(true),
      takes_many_nodes_(library.many_nodes),
      has_own_timeouts_(true),
      scales_timeouts_(library.scales_timeouts),
      usual_ttl_(std::max(kUsualTtl, library.least_ttl)),
      least_ttl_(library.least_ttl),
      row_{} {
    if (!library.servers.empty()) servers_start_ = library.servers_start();
    if (!library.keys.empty()) keys_ = library.keys;
    if (!library.options.empty()) options_ = nlohmann::ordered_json::parse(library.options);
    for (const std::string& each : library.stubs) {
        stubs_ += (stubs_.empty() ? "not wholly unmodified: " : "; ") + each;
    }
    row_.name = row_name_;
    row_.label = label_;
    row_.defaults.ttl = usual_ttl_;
    row_.defaults.retry = kRetry;
    row_.renews = library.renews || library.extended_by_hand;
    row_.fences = library.fences;
    row_.cancels = library.cancels;
    row_.redis_servers = library.usual_servers;
}

Subject::Subject(const Algorithm& algorithm, const std::string& program)
    : name_(algorithm.name),
      operand_("driver:" + name_),
      like_(name_),
      start_{{program, "driver", std::string(algorithm.name)}},
      virtual_start_(start_),
      usual_ttl_(kUsualTtl),
      row_(algorithm) {
    row_.defaults = with_ttl(row_.defaults, kUsualTtl);
    row_.defaults.retry = kRetry;
    // A client takes the lock once: the driver protocol cannot ask for reentry.
    row_.reentrant = false;
}

std::vector<std::string> Subject::keys_of(const std::string& name) const {
    std::vector<std::string> keys = keys_;
    for (std::string& key : keys) {
        key.replace(key.find(kAskedKey), kAskedKey.size(), name);
    }
    return keys;
}

Duration Subject::tells_within(Duration ttl, Duration timeout) const {
    if (is_library_) return ttl * tells_within_percent_ / 100;
    return told_within(row_, with_ttl(row_.defaults, ttl), {}, timeout);
}

std::string Subject::why_not_on(const Topology& topology) const {
    if (servers_start_) return "its servers are not Redis, and the script is of commands to Redis";
    if (topology.masters > 1 && !takes_many_nodes_) return "it takes one server";
    return {};
}

std::uint32_t Subject::nodes_asked(std::uint32_t given) const {
    if (servers_start_) return 0;
    return is_library_ ? given : row_.redis_servers;
}

std::string Subject::trouble_with(const DriverTraits& said) const {
    if (!promised_) return {};
    const std::string broken = broken_promise(said, *promised_);
    if (broken.empty()) return {};
    return "The driver of " + name_ + " is not what its manifest says: " + broken + ".";
}

}  // namespace locklab
