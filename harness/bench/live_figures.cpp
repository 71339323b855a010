#include "harness/bench/live_figures.h"

#include <algorithm>
#include <stdexcept>

#include "harness/bench/statistics.h"
#include "harness/check/error_answers.h"
#include "harness/check/judge.h"
#include "harness/live/live_loop.h"

namespace locklab {

namespace {

/// The longest window that is tried.
constexpr Duration kLongestWindow = std::chrono::seconds(8);

double us_between(Instant from, Instant to) { return static_cast<double>(us(to - from)); }

/// State of one client, in the order of the events.
struct Progress {
    std::uint64_t wanted = 0;
    bool wants = false;
    bool holds = false;
    Instant since;  ///< when it was to want the lock
};

class Times {
public:
    Times(const History& history, const Workload& workload, LiveFigures& figures)
        : workload_(workload),
          figures_(figures),
          clients_(history.clients),
          grants_(history.clients) {
        for (const Event& event : history.events) take(event);
        for (Progress& client : clients_) cut_off(client, history.end);
        for (const double grants : grants_) {
            figures_.clients_without_a_grant += grants == 0 ? 1 : 0;
        }
        figures_.jain = jain_index(grants_);
    }

private:
    void take(const Event& event) {
        Progress& client = clients_[event.client.value];
        if (std::holds_alternative<event::Wants>(event.detail)) {
            client.wants = true;
            client.since = arrival(client, event.at);
            ++client.wanted;
        } else if (std::holds_alternative<event::Granted>(event.detail)) {
            grant(event, client);
        } else if (std::holds_alternative<event::Leaving>(event.detail)) {
            client.holds = false;
            left_ = somebody_wants() ? std::optional(event.at) : std::nullopt;
        } else if (std::holds_alternative<event::Finished>(event.detail)) {
            cut_off(client, event.at);
        } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
            if (fault->hazard != Hazard::crash) return;
            if (client.holds) {
                crashed_ = event.at;
                ++figures_.crashes;
            }
            client = Progress();
        }
    }

    void grant(const Event& event, Progress& client) {
        figures_.waits.push_back(us_between(client.since, event.at));
        client.wants = false;
        client.holds = true;
        grants_[event.client.value] += 1;
        if (left_) figures_.hand_overs.push_back(us_between(*left_, event.at));
        if (crashed_) figures_.recoveries.push_back(us_between(*crashed_, event.at));
        left_.reset();
        crashed_.reset();
    }

    void cut_off(Progress& client, Instant end) {
        if (client.wants) figures_.waits.push_back(us_between(client.since, end));
        client.wants = false;
    }

    Instant arrival(const Progress& client, Instant wants) const {
        if (workload_.arrives_every == Duration::zero()) return wants;
        const auto n = static_cast<std::int64_t>(client.wanted);
        const auto i = static_cast<std::int64_t>(&client - clients_.data());
        const Duration due = i * workload_.arrival_offset + n * workload_.arrives_every;
        return std::min(Instant(due), wants);
    }
    bool somebody_wants() const {
        return std::any_of(clients_.begin(), clients_.end(),
                           [](const Progress& client) { return client.wants; });
    }

    const Workload& workload_;
    LiveFigures& figures_;
    std::vector<Progress> clients_;
    std::vector<double> grants_;
    std::optional<Instant> left_;
    std::optional<Instant> crashed_;
};

void add(const LiveResult& result, const LiveConfig& config, LiveFigures& figures) {
    figures.grants += result.grants;
    figures.commands += result.commands;
    const double seconds = us_between(result.first_grant, result.last_grant) / 1e6;
    if (seconds > 0) {
        figures.grants_per_s += static_cast<double>(result.grants - 1) / seconds;
    } else {
        ++figures.without_pace;
    }
    if (config.recording == Recording::nothing) return;
    const Judgement judgement = judge(result.history);
    figures.overlaps += judgement.overlaps;
    add_times(result.history, config.workload, figures);
}

[[noreturn]] void fail(const std::string& why) {
    throw std::runtime_error("It could not be measured: " + why + ".");
}

void count(benchmark::State& state, const char* name, double value) {
    state.counters[name] = benchmark::Counter(value);
}

struct Run {
    LiveFigures figures;
    std::string why_none;  ///< why there was no grant, as half a sentence; else empty
};

/// Throws std::runtime_error if the server is gone, or refuses.
Run run_once(Workbench& bench, const Endpoint& endpoint, std::vector<LiveConfig> configs) {
    Run run;
    LiveFigures& figures = run.figures;
    const std::vector<LiveConfig> given = configs;
    const std::size_t parallel = configs.size();
    LiveLoop loop(endpoint);
    if (bench.stop != nullptr) loop.interrupt_on(*bench.stop);
    const ProcessorTime used(bench.server());
    std::vector<LiveResult> results(parallel);
    loop.run(std::move(configs), parallel,
             [&](std::size_t index, LiveResult result) { results[index] = std::move(result); });
    figures.client_cpu_s = used.client();
    figures.server_cpu_s = used.server();
    for (std::size_t i = 0; i < parallel; ++i) {
        if (results[i].server_lost) throw std::runtime_error("The server is gone.");
        if (!results[i].refused.empty()) fail(why_no_grant(results[i]));
        add(results[i], given[i], figures);
    }
    if (figures.grants == 0) run.why_none = why_no_grant(results.front());
    for (std::vector<double>* times : {&figures.waits, &figures.hand_overs, &figures.recoveries}) {
        std::sort(times->begin(), times->end());
    }
    return run;
}

}  // namespace

std::string why_no_grant(const LiveResult& result) {
    if (!result.refused.empty()) return "the server refuses the lock's commands: " + result.refused;
    if (!result.disconnected.empty()) return "the connection broke: " + result.disconnected;
    const std::string error = error_answers(result.history).first;
    return "nobody got the lock" + (error.empty() ? "" : ", and the server answered: " + error);
}

LiveFigures& LiveFigures::operator+=(const LiveFigures& other) {
    grants += other.grants;
    grants_per_s += other.grants_per_s;
    commands += other.commands;
    client_cpu_s += other.client_cpu_s;
    server_cpu_s += other.server_cpu_s;
    overlaps += other.overlaps;
    return *this;
}

void add_times(const History& history, const Workload& workload, LiveFigures& figures) {
    Times(history, workload, figures);
}

LiveFigures run_live(Workbench& bench, const Endpoint& endpoint, std::vector<LiveConfig> configs) {
    const Run run = run_once(bench, endpoint, std::move(configs));
    if (!run.why_none.empty() && !bench.stopped()) fail(run.why_none);
    return run.figures;
}

LiveFigures run_for_pace(Workbench& bench, const Endpoint& endpoint,
                         std::vector<LiveConfig> configs) {
    for (;;) {
        const Run run = run_once(bench, endpoint, configs);
        if (run.figures.without_pace == 0 || bench.stopped()) return run.figures;
        for (LiveConfig& config : configs) {
            config.duration *= 2;
            config.patience += config.duration;
            if (config.duration <= kLongestWindow) continue;
            fail(run.why_none.empty() ? "a client got the lock less than twice" : run.why_none);
        }
    }
}

void report_waits(const std::vector<double>& waits, benchmark::State& state) {
    constexpr std::pair<const char*, double> kSpectrum[] = {
        {"wait_p10_us", 0.1},  {"wait_p25_us", 0.25},   {"wait_p50_us", 0.5},
        {"wait_p75_us", 0.75}, {"wait_p90_us", 0.9},    {"wait_p95_us", 0.95},
        {"wait_p99_us", 0.99}, {"wait_p999_us", 0.999}, {"wait_max_us", 1}};
    const auto all = static_cast<double>(waits.size());
    count(state, "waits", all);
    for (const auto& [name, p] : kSpectrum) {
        // Leaves out a percentile if fewer than one wait lies beyond it: it would be the longest
        // wait.
        if (p == 1 || all * (1 - p) >= 1) count(state, name, percentile(waits, p));
    }
}

void report(const LiveFigures& figures, benchmark::State& state) {
    const auto grants = static_cast<double>(std::max<std::uint64_t>(figures.grants, 1));
    count(state, "grants", static_cast<double>(figures.grants));
    count(state, "grants_per_s", figures.grants_per_s);
    count(state, "commands_per_grant", static_cast<double>(figures.commands) / grants);
    count(state, "client_cpu_us", 1e6 * figures.client_cpu_s / grants);
    if (figures.server_cpu_s > 0) {
        const double per_grant = figures.server_cpu_s / grants;
        count(state, "server_cpu_us", 1e6 * per_grant);
        count(state, "server_busy", per_grant * figures.grants_per_s);
    }
    if (figures.waits.empty()) return;
    count(state, "jain", figures.jain);
    count(state, "clients_without_a_grant", figures.clients_without_a_grant);
    count(state, "overlaps_per_1000", 1000.0 * static_cast<double>(figures.overlaps) / grants);
    report_waits(figures.waits, state);
    if (figures.hand_overs.empty()) return;
    count(state, "hand_over_p50_us", percentile(figures.hand_overs, 0.5));
    count(state, "hand_over_p99_us", percentile(figures.hand_overs, 0.99));
}

}  // namespace locklab
