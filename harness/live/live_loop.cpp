#include "harness/live/live_loop.h"

#include <sys/resource.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace locklab {

namespace {

/// How long a restart keeps the server down: as long as a supervisor needs to notice.
constexpr Duration kDowntime = std::chrono::milliseconds(20);
constexpr Duration kLookAgain = std::chrono::milliseconds(1);
/// What alarms are for.
constexpr std::uint32_t kLaunch = 0;
constexpr std::uint32_t kLook = 1;
/// A client's connections: worker and background tasks, and each before and after a timeout.
constexpr std::size_t kFilesPerClient = 4;
constexpr std::size_t kOtherFiles = 64;

void check_files(std::size_t clients) {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const std::size_t needed = kOtherFiles + kFilesPerClient * clients;
    if (needed <= limit.rlim_cur) return;
    throw std::invalid_argument(std::to_string(clients) + " clients at a time need " +
                                std::to_string(needed) + " open files, and the limit is " +
                                std::to_string(limit.rlim_cur) + ": raise it (ulimit -n).");
}

}  // namespace

LiveLoop::LiveLoop(RedisProcess& server) : LiveLoop(server.endpoint()) { process_ = &server; }

LiveLoop::LiveLoop(Endpoint endpoint) : upstream_{reactor_, resolved(endpoint), {}, {}} {}

LiveLoop::Summary LiveLoop::run(std::vector<LiveConfig> episodes, std::size_t parallel,
                                const Finished& finished) {
    LOCKLAB_ASSERT(parallel > 0);
    std::size_t most_clients = 0;
    for (const LiveConfig& config : episodes) {
        check(config);
        most_clients = std::max<std::size_t>(most_clients, config.clients);
    }
    check_files(most_clients * std::min(parallel, episodes.size()));
    if (process_ == nullptr) keys_.announce(upstream_.endpoint);
    try {
        run_all(std::move(episodes), parallel, finished);
    } catch (...) {
        clean_up();
        throw;
    }
    Summary summary;
    summary.interrupted = interrupted();
    summary.keys_left = clean_up();
    return summary;
}

void LiveLoop::check(const LiveConfig& config) const {
    LOCKLAB_ASSERT(config.algorithm != nullptr && config.clients > 0);
    LOCKLAB_ASSERT(config.command_timeout > Duration::zero());
    LOCKLAB_ASSERT(config.patience > Duration::zero());
    for (const PlannedFault& fault : config.plan) {
        const std::string name(name_of(fault.hazard));
        if (!row_of(fault.hazard).live) {
            throw std::invalid_argument("The fault " + name +
                                        " cannot be made on a real server: use --world sim.");
        }
        if (fault.hazard == Hazard::restart && process_ == nullptr) {
            throw std::invalid_argument(
                "The fault restart needs a redis-server of locklab's own, and " +
                to_string(upstream_.endpoint) + " is not: leave out --redis and LOCKLAB_REDIS.");
        }
    }
}

void LiveLoop::run_all(std::vector<LiveConfig> episodes, std::size_t parallel,
                       const Finished& finished) {
    std::size_t next = 0;
    while (!interrupted() && (next < episodes.size() || !under_way_.empty())) {
        for (; next < episodes.size() && under_way_.size() < parallel; ++next) {
            under_way_.push_back(
                {next,
                 std::make_unique<LiveEpisode>(std::move(episodes[next]), keys_.fresh_key(),
                                               upstream_, *this),
                 Duration::zero()});
            under_way_.back().episode->start();
        }
        reactor_.turn();
        const Duration lag = reactor_.take_worst_lag();
        for (UnderWay& each : under_way_) each.worst_lag = std::max(each.worst_lag, lag);
        hand_out_finished(finished);
    }
}

void LiveLoop::hand_out_finished(const Finished& finished) {
    for (std::size_t i = under_way_.size(); i-- > 0;) {
        if (!under_way_[i].episode->over()) continue;
        std::swap(under_way_[i], under_way_.back());
        const UnderWay done = std::move(under_way_.back());
        under_way_.pop_back();
        LiveResult result = done.episode->take_result();
        result.worst_lag = done.worst_lag;
        finished(done.index, std::move(result));
    }
}

std::string LiveLoop::clean_up() {
    under_way_.clear();
    if (std::exchange(server_down_, false)) process_->launch();
    reactor_.forget(*this);
    if (std::exchange(was_restarted_, false)) process_->await_ready();
    const std::string keys_left = keys_.clear(upstream_.endpoint);
    // What is left on a private server goes with it.
    return process_ == nullptr ? keys_left : std::string();
}

void LiveLoop::restart_server(const LiveRun& asking) {
    for (const UnderWay& each : under_way_) {
        if (!each.episode->is(asking)) each.episode->note_restart();
    }
    if (server_down_) return;
    process_->kill();
    server_down_ = was_restarted_ = true;
    back_at_ = Reactor::Clock::now() + kDowntime;
    reactor_.wake_at(back_at_, *this, {kLaunch});
}

/// A server that is down for longer than planned is a disturbance like a late alarm: whoever was
/// inside as it fell may have left before anybody could come in.
void LiveLoop::wake(const Reactor::Alarm& alarm) {
    if (alarm.kind == kLaunch) {
        server_down_ = false;
        process_->launch();
    } else if (process_->listens()) {
        const auto late = std::chrono::duration_cast<Duration>(Reactor::Clock::now() - back_at_);
        for (UnderWay& each : under_way_) each.worst_lag = std::max(each.worst_lag, late);
        return;
    }
    reactor_.wake_after(kLookAgain, *this, {kLook});
}

}  // namespace locklab
