#include "harness/bench/live_case.h"

#include "harness/core/duration_text.h"
#include "harness/live/require_servers.h"

namespace locklab {

namespace {

constexpr Duration kPingWindow = std::chrono::milliseconds(10);

}  // namespace

LiveConfig LiveCase::config(Duration window) const {
    LiveConfig config;
    config.algorithm = lock;
    config.options = options;
    config.topology = lock->topology();
    config.workload = workload;
    config.clients = clients;
    config.grants = ~std::uint64_t{0};
    config.duration = window;
    config.patience = window + std::chrono::seconds(10);
    return config;
}

void add_live(const std::string& suite, const std::string& parts, const LiveCase& its_case,
              const std::function<void(benchmark::State&, const LiveCase&)>& measure) {
    const std::string name = "live/" + suite + "/lock:" + std::string(its_case.lock->name) + "/" +
                             parts + "over:" + std::string(name_of(its_case.transport)) +
                             "/cpus:" + std::string(name_of(its_case.placement));
    its_case.bench->add(name, [its_case, measure](benchmark::State& state) {
        require_servers(*its_case.lock, its_case.lock->topology(), 1, "a benchmark has one",
                        "run a campaign of it");
        const Placed placed(its_case.placement, its_case.bench->server());
        const Duration window = its_case.bench->window(kPingWindow);
        const Pace ping = BareClient(its_case.endpoint(), ping_rounds()).run_for(window);
        state.counters["ping_us"] = ping.us_per_round();
        measure(state, its_case);
    });
}

std::string to_string(const WaitPolicy& policy) {
    const auto kind = [&] {
        switch (policy.kind) {
            case WaitPolicy::Kind::fixed: return "fixed";
            case WaitPolicy::Kind::jitter: return "jitter";
            case WaitPolicy::Kind::exponential: break;
        }
        return "exponential";
    };
    return std::string(kind()) + "/retry:" + to_string(policy.delay);
}

LockOptions options_of(const Algorithm& lock, const LiveParameters& parameters) {
    LockOptions options = with_ttl(lock.defaults, parameters.ttl);
    options.clock_unit = std::chrono::milliseconds(1);
    options.retry = parameters.retry;
    return options;
}

}  // namespace locklab
