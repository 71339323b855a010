#include "harness/foreign/foreign_setup.h"

#include <algorithm>
#include <utility>

#include "harness/foreign/foreign_head.h"
#include "harness/foreign/key_look.h"
#include "harness/foreign/operator_commands.h"
#include "harness/live/random_hex.h"

namespace locklab {

namespace {

std::vector<PlannedFault> plan_of(const RunSpec& spec, RandomChoices& choices) {
    std::vector<PlannedFault> plan = draw_plan(spec.budget, fault_scale(spec), choices);
    for (PlannedFault& fault : plan) {
        // A fault that ends before the lease does shows nothing, and a run of processes takes long.
        const FaultSize size = row_of(fault.hazard).size;
        const bool outlasts = size == FaultSize::pause || size == FaultSize::reply_delay ||
                              size == FaultSize::hang || size == FaultSize::cut;
        if (outlasts) fault.amount = std::max(fault.amount, spec.scale * 6 / 5);
    }
    return plan;
}

/// A busy machine may be too slow for a first try, and hardly for this many.
constexpr int kBeginnings = 5;
/// Snapshots of each server per TTL, if a restart may need an old one.
constexpr int kKeptInATtl = 50;

/// The age of the oldest snapshot that the plan needs. Zero: none.
Duration oldest_of(const std::vector<PlannedFault>& plan) {
    Duration oldest{0};
    for (const PlannedFault& fault : plan) {
        if (row_of(fault.hazard).size == FaultSize::age) oldest = std::max(oldest, fault.amount);
    }
    return oldest;
}

}  // namespace

ForeignSetup::ForeignSetup(const ForeignConfig& config, ManagedServers& servers,
                           const OwnServers* own)
    : table(config.spec.clients, own != nullptr ? own->count() : servers.topology().masters),
      choices(config.seed, config.run),
      plan(plan_of(config.spec, choices)),
      schedule(plan),
      key("locklab:" + RandomHex().draw(8)),
      links(plan, {own != nullptr ? "" : key, retry_after(config.spec), table.nodes()}, choices) {
    servers.begin_run();
    ProxyPlan proxies = table.plan(
        [&](NodeId node) {
            return own != nullptr ? own->nodes()[node.value] : servers.endpoint(node);
        },
        own != nullptr);
    proxies.rules = links.rules();
    proxy = std::make_unique<ProxyThread>(std::move(proxies));
}

void ForeignSetup::open_drivers(const ForeignConfig& config, Team& team, ManagedServers& servers) {
    const bool wrong_clocks = config.spec.budget.has(
        [](const HazardRow& row) { return is_of_clients_clock(row.hazard); });
    Team::Opening opening{key, config.spec.scale, config.spec.command_timeout, {}};
    for (std::uint32_t i = 0; i < config.spec.clients; ++i) {
        opening.servers.push_back(table.servers_of(ClientId{i}, *proxy));
        if (wrong_clocks) {
            opening.clocks_ahead.push_back(schedule.clock_offset(ClientId{i}));
        }
    }
    trouble = team.open(opening);
    for (std::uint32_t i = 0; i < servers.topology().masters; ++i) {
        notes.keys[NodeId{i}] = keys_at(servers.endpoint(NodeId{i}));
    }
    if (const Duration oldest = oldest_of(plan); oldest > Duration(0)) {
        servers.keep_snapshots(config.spec.scale / kKeptInATtl, oldest);
    }
    began = std::chrono::steady_clock::now();
    HistoryHead head =
        foreign_head(config.spec, config.seed, config.run, config.subject.keys_of(key).front());
    head.tells_within = config.subject.tells_within(config.spec.scale, config.spec.command_timeout);
    // It is given so long a wait, and notices that this is over when a command is answered.
    if (config.subject.waits()) {
        head.answers_within = config.spec.scale + config.spec.command_timeout;
    }
    story = std::make_unique<RunStory>(std::move(head), began);
}

void ForeignSetup::open(const ForeignConfig& config, Team& team, ManagedServers& servers) {
    try {
        open_drivers(config, team, servers);
    } catch (const std::runtime_error&) {
        blame_operator(config.subject.name());
        // A client whose connection the proxy ended waits in vain.
        check_drivers(config.subject.name());
        throw;
    }
    if (trouble.empty()) return;
    blame_operator(config.subject.name());
    check_drivers(config.subject.name());
}

void ForeignSetup::blame_operator(const std::string& library) const {
    proxy->stop();
    const std::string who = operator_trouble.empty()
                                ? operator_trouble_in(proxy->events(), table, library)
                                : operator_trouble;
    if (!who.empty()) throw DriverTrouble(who);
}

void ForeignSetup::check_drivers(const std::string& library) const {
    if (!operator_trouble.empty()) throw DriverTrouble(operator_trouble);
    const std::vector<std::string>& complaints = proxy->complaints();
    if (complaints.empty()) return;
    throw DriverTrouble("The driver of " + library + " cannot be judged: " + complaints.front());
}

std::unique_ptr<ForeignSetup> set_up(const ForeignConfig& config, Team& team,
                                     ManagedServers& servers) {
    std::unique_ptr<ForeignSetup> setup;
    const OwnServers* own = team.start_own_servers();
    for (int beginning = 0; beginning <= kBeginnings; ++beginning) {
        setup = std::make_unique<ForeignSetup>(config, servers, own);
        setup->open(config, team, servers);
        if (setup->trouble.empty()) return setup;
    }
    throw DriverTrouble("The driver of " + config.subject.name() + " " + setup->trouble + ".");
}

}  // namespace locklab
