#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "harness/core/limits.h"
#include "harness/play/driver_plays.h"

namespace locklab {

namespace {

/// Of one subject. Each keeps its drivers, of which a virtual machine takes 70 MB.
constexpr std::size_t kLanes = 12;

/// Of so many plays, one may end with its drivers, or not end; with more, these drivers show
/// nothing.
constexpr std::size_t kMostLost = 10;

/// What ended a play and its drivers; empty: nothing.
std::string trouble_in(DriverPlay& play, Duration ttl, StageProcesses& processes) {
    try {
        play_on_drivers(play, ttl, processes);
    } catch (const BoundHit& bound) {
        return bound.what();
    } catch (const DriverTrouble& trouble) {
        return trouble.what();
    }
    return {};
}

/// Ends what began, however it ends.
struct Ends {
    void operator()(RunsAtOnce* at_once) const { at_once->ended(); }
};

}  // namespace

void play_all_on_drivers(std::vector<DriverPlay>& plays, const DriverPlayOptions& options) {
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> finished{0};
    std::atomic<std::size_t> lost{0};
    std::atomic<std::size_t> running{std::min({options.at_once.most(), kLanes, plays.size()})};
    std::mutex mutex;
    std::exception_ptr error;
    const auto rest = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    const auto work = [&] {
        try {
            std::optional<StageProcesses> processes(std::in_place, *plays.front().subject);
            while (next < plays.size() && !options.watcher.stopped()) {
                if (!options.at_once.begin()) {
                    rest();
                    continue;
                }
                const std::unique_ptr<RunsAtOnce, Ends> begun(&options.at_once);
                const std::size_t i = next++;
                if (i >= plays.size()) break;
                std::string why = trouble_in(plays[i], options.ttl, *processes);
                if (!why.empty()) {
                    if (++lost > plays.size() / kMostLost) throw DriverTrouble(why);
                    plays[i].end = DriverPlay::End::not_played;
                    plays[i].why = std::move(why);
                    processes.emplace(*plays.front().subject);
                }
                if (plays[i].was_late) options.at_once.was_late();
                ++finished;
            }
        } catch (...) {
            const std::lock_guard guard(mutex);
            error = std::current_exception();
            next = plays.size();
        }
        --running;
    };
    if (plays.empty()) return;
    std::vector<std::thread> threads;
    for (std::size_t i = running; i > 0; --i) threads.emplace_back(work);
    while (running > 0) {
        options.watcher.show(std::to_string(finished) + " of " + std::to_string(plays.size()) +
                             " plays");
        rest();
    }
    for (std::thread& thread : threads) thread.join();
    if (error) std::rethrow_exception(error);
}

}  // namespace locklab
