#include "harness/campaign/live_campaign.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/campaign/live_batches.h"
#include "harness/explore/in_threads.h"
#include "harness/explore/outside.h"

namespace locklab {

namespace {

/// Runs under way at once: enough to wait together, few enough for two cores to serve.
constexpr std::size_t kUsual = 100;
/// The same for several loops and servers.
constexpr std::size_t kUsualSideBySide = 200;
/// Fewer only take longer: if this many are late, a single one is too.
constexpr std::size_t kLeast = 8;
/// Beyond this, runs only wait for their processor.
constexpr std::size_t kMost = 800;
/// For runs that were disturbed before.
constexpr std::size_t kRepeated = 16;
/// Batches side by side, each with a server. For most of its time a batch has few runs left.
constexpr std::size_t kLanes = 8;

/// Whether locks keep state outside of their objects: checked before any run, while nothing is kept
/// yet, and again after the runs of a campaign.
class KeptOutside {
public:
    explicit KeptOutside(std::vector<std::vector<LiveCell>>& campaigns) : campaigns_(campaigns) {
        for (std::vector<LiveCell>& cells : campaigns_) {
            for (LiveCell& cell : cells) {
                const Algorithm& lock = *cell.spec.algorithm;
                cell.count.show_nothing(watches_.try_emplace(lock.name, lock).first->second.why());
            }
        }
    }
    void ask_again(std::size_t campaign) {
        for (LiveCell& cell : campaigns_[campaign]) {
            cell.count.show_nothing(watches_.at(cell.spec.algorithm->name).why_now());
        }
    }

private:
    std::vector<std::vector<LiveCell>>& campaigns_;
    std::map<std::string_view, OutsideWatch> watches_;
};

/// As many runs as this process has files for, in any of the campaigns.
std::size_t most_at_once(const std::vector<std::vector<LiveCell>>& campaigns) {
    std::size_t most = kMost;
    for (const std::vector<LiveCell>& cells : campaigns) {
        for (const LiveCell& cell : cells) {
            most = std::min(most,
                            most_runs_for_files(cell.spec.workers(), cell.spec.topology.nodes()));
        }
    }
    return most;
}

/// All batches of some campaigns, for the threads that run them.
class BatchQueue {
public:
    BatchQueue(std::vector<std::vector<LiveCell>>& campaigns, std::uint64_t seed,
               const LiveNews& news)
        : news_(news), kept_(campaigns) {
        for (std::vector<LiveCell>& cells : campaigns) {
            campaigns_.emplace_back(cells, seed);
            all_ += campaigns_.back().runs();
        }
    }

    /// Runs batches that no thread has begun until none are left, or one is interrupted.
    void work(LiveServer& server, RunsAtOnce& at_once) {
        while (const std::optional<Place> place = next()) {
            try {
                run(*place, server, at_once);
            } catch (...) {
                const std::lock_guard guard(mutex_);
                stopped_ = true;
                throw;
            }
        }
    }

    /// Repeats the runs that this machine disturbed, with nothing beside them.
    void repeat_disturbed(LiveServer& server, std::size_t most) {
        for (LiveBatches& campaign : campaigns_) {
            if (stopped_ || campaign.is_cut_short() || !campaign.has_disturbed()) continue;
            const std::size_t before = campaign.runs();
            campaign.repeat_disturbed();
            all_ += campaign.runs() - before;
            RunsAtOnce at_once({1, std::min(kRepeated, most), most});
            at_ = {};
            work(server, at_once);
        }
        for (LiveBatches& campaign : campaigns_) {
            campaign.leave_out_disturbed();
            if (campaign.is_whole()) {
                tell_finished(static_cast<std::size_t>(&campaign - campaigns_.data()));
            }
        }
    }

    const std::string& keys_left() const { return keys_left_; }

private:
    struct Place {
        std::size_t campaign = 0;
        std::size_t batch = 0;
    };

    void run(const Place& place, LiveServer& server, RunsAtOnce& at_once) {
        LiveBatches& campaign = campaigns_[place.campaign];
        LiveBatches::Result result =
            campaign.run(place.batch, server, at_once, [this] { tell_run(); });
        const std::lock_guard guard(mutex_);
        if (!result.keys_left.empty()) keys_left_ = result.keys_left;
        stopped_ = stopped_ || result.interrupted;
        campaign.take(place.batch, std::move(result));
        if (campaign.is_whole() && !campaign.has_disturbed()) tell_finished(place.campaign);
    }

    std::optional<Place> next() {
        const std::lock_guard guard(mutex_);
        for (; !stopped_ && at_.campaign < campaigns_.size(); at_ = {at_.campaign + 1, 0}) {
            const LiveBatches& campaign = campaigns_[at_.campaign];
            at_.batch = std::max(at_.batch, begun_[at_.campaign]);
            if (campaign.is_cut_short() || at_.batch >= campaign.batches()) continue;
            begun_[at_.campaign] = at_.batch + 1;
            return at_;
        }
        return std::nullopt;
    }

    void tell_run() {
        const std::lock_guard guard(mutex_);
        ++done_;
        if (news_.progress) news_.progress(done_, all_);
    }

    /// Call it with the mutex, or while no thread works.
    void tell_finished(std::size_t campaign) {
        if (!told_.insert(campaign).second) return;
        kept_.ask_again(campaign);
        if (news_.finished) news_.finished(campaign);
    }

    const LiveNews& news_;
    KeptOutside kept_;
    std::vector<LiveBatches> campaigns_;
    std::mutex mutex_;
    Place at_;
    std::map<std::size_t, std::size_t> begun_;  ///< batches, by campaign
    std::set<std::size_t> told_;
    std::size_t done_ = 0;
    std::size_t all_ = 0;
    std::string keys_left_;
    bool stopped_ = false;
};

/// A server for another lane; null if none can be started: then there are fewer lanes.
std::unique_ptr<LiveServer> another_server(const std::atomic<bool>& stop) {
    Watcher quiet;
    quiet.stop = &stop;
    try {
        return std::make_unique<LiveServer>("", quiet);
    } catch (const std::runtime_error&) {
        return nullptr;
    }
}

}  // namespace

std::string run_live_campaign(std::vector<LiveCell>& cells, std::uint64_t seed, LiveServer& server,
                              const LiveProgress& progress) {
    std::vector<std::vector<LiveCell>> campaigns;
    campaigns.push_back(std::move(cells));
    const LiveNews news{progress, {}};
    BatchQueue queue(campaigns, seed, news);
    RunsAtOnce at_once({kLeast, kUsual, kUsual});
    queue.work(server, at_once);
    queue.repeat_disturbed(server, kUsual);
    cells = std::move(campaigns.front());
    return queue.keys_left();
}

LiveSummary run_live_campaigns(std::vector<std::vector<LiveCell>>& campaigns, std::uint64_t seed,
                               LiveServer& server, const std::atomic<bool>& stop,
                               const LiveNews& news) {
    BatchQueue queue(campaigns, seed, news);
    const std::size_t most = most_at_once(campaigns);
    RunsAtOnce at_once({std::min(kLeast, most), std::min(kUsualSideBySide, most), most});
    // The server was started by this thread; a server that a thread restarts dies with that thread.
    in_threads(server.is_private() ? kLanes : 1, [&](std::size_t lane) {
        if (lane == 0) return queue.work(server, at_once);
        const std::unique_ptr<LiveServer> own = another_server(stop);
        if (own) queue.work(*own, at_once);
    });
    queue.repeat_disturbed(server, std::min(kUsual, most));
    return {queue.keys_left(), at_once.lowest(), at_once.highest()};
}

}  // namespace locklab
