#include "harness/foreign/virtual_search.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "harness/check/judge.h"
#include "harness/foreign/find_record.h"
#include "harness/foreign/lasting_world.h"
#include "harness/foreign/play_drives.h"
#include "harness/foreign/search_threads.h"
#include "harness/live/processors.h"

namespace locklab {

namespace {

/// Most plays for shrinking.
constexpr std::uint64_t kMostShrinking = 300;
/// Most plays that wait to be made, each a list of picks.
constexpr std::size_t kMostWaiting = 1'000'000;
/// So many plays have one seed of their processes' chance, and the next ones the next seed: what a
/// library draws, as how long it waits between two tries, is not the same in all plays.
constexpr std::uint64_t kPlaysOfASeed = 100;

/// Shared by a search and its threads.
class VirtualSearch {
public:
    VirtualSearch(const Subject& subject, const PlaySpec& spec, const VirtualSearchLimits& limits,
                  const Watcher& watcher)
        : subject_(subject), spec_(spec), limits_(limits), watcher_(watcher) {}

    VirtualSearchResult run() {
        const KeptOn one(processor_of(limits_.first_processor));
        VirtualWorld world(subject_, spec_.clients, spec_.nodes, *watcher_.stop);
        try {
            search(world);
        } catch (const PlayStopped&) {
        }
        result_.interrupted = watcher_.stopped();
        if (found_) {
            result_.plays = found_->first + 1;
            keep_find_in_whole_world(world);
        }
        count_oracles();
        return std::move(result_);
    }

private:
    void search(VirtualWorld& world) {
        const PlayResult calm = make(world, {}, 0, detail());
        length_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(calm.choices.size()));
        take(0, spec_.seed, calm);
        if (limits_.order != PlayOrder::delay) return run_threads(world);
        const bool all = play_near(world, calm.choices, limits_.changes, limits_.plays);
        result_.all_played = all && !watcher_.stopped() && result_.not_whole == 0;
    }

    /// A play that ended early may have left its world unusable.
    void keep_find_in_whole_world(VirtualWorld& world) {
        if (trouble_ == nullptr && result_.lost.count == 0) return keep_find(world);
        VirtualWorld fresh(subject_, spec_.clients, spec_.nodes, *watcher_.stop);
        keep_find(fresh);
    }

    PlayResult make(VirtualWorld& world, const PlayDeviations& deviations, std::uint64_t run,
                    PlayDetail detail = PlayDetail::answers) {
        GivenDrive drive(picks_of(deviations));
        return play_virtually(world, subject_, with_seed(spec_, found_seed_), drive, run, detail);
    }

    PlayDetail detail() const {
        return limits_.asks_oracles ? PlayDetail::commands : PlayDetail::answers;
    }

    /// A play that was ended could have gone on to whatever it had not come to.
    void judge_play(std::uint64_t play, const PlayResult& made) {
        if (!limits_.asks_oracles || !made.is_whole) return;
        Judgement judgement = judge(made.history);
        const std::scoped_lock lock(mutex_);
        judged_.emplace(play, std::move(judgement));
    }

    /// By the number of the play: other threads may have been ahead of the find.
    void count_oracles() {
        for (const auto& [play, judgement] : judged_) {
            if (found_ && play > found_->first) break;
            result_.oracles.add(play, judgement, Duration::zero());
        }
    }

    bool is_over(std::uint64_t play) {
        const std::scoped_lock lock(mutex_);
        const bool is_found = found_ && found_->first < play;
        return is_found || trouble_ != nullptr || watcher_.stopped() || play >= limits_.plays;
    }

    void take(std::uint64_t play, std::uint64_t seed, const PlayResult& made) {
        judge_play(play, made);
        const std::scoped_lock lock(mutex_);
        result_.count(made);
        watcher_.show(subject_.name() + ": " + std::to_string(result_.plays) + " of " +
                      std::to_string(limits_.plays) + " plays");
        if (made.proved.empty() || (found_ && found_->first < play)) return;
        found_ = std::pair(play, made);
        found_seed_ = seed;
    }

    std::unique_ptr<PlayDrive> drive_of(std::uint64_t play) const {
        if (limits_.order == PlayOrder::random) {
            return std::make_unique<RandomDrive>(spec_.seed, play);
        }
        std::uint32_t faults = 0;
        for (const HazardRow& row : kHazards) faults += spec_.faults[row.hazard];
        const PctDrive::Limits limits{limits_.changes, faults, length_};
        return std::make_unique<PctDrive>(spec_.seed, play, limits);
    }

    LastingWorld lasting(VirtualWorld& world) {
        return {subject_, world, *watcher_.stop, [this](const DriverGone& gone) { lose(gone); }};
    }

    void play_all(VirtualWorld& world) {
        LastingWorld its = lasting(world);
        for (std::uint64_t play = next_++; !is_over(play); play = next_++) {
            const std::uint64_t seed = spec_.seed + (play - 1) / kPlaysOfASeed;
            const auto made = its.play(with_seed(spec_, seed), *drive_of(play), play, detail());
            if (made) take(play, seed, *made);
        }
    }

    /// If a driver ends, only its play is lost. Rethrows if too many plays were lost.
    void lose(const DriverGone& gone) {
        const std::scoped_lock lock(mutex_);
        result_.lost.add(gone);
        if (result_.lost.are_too_many(result_.plays)) throw DriverGone(gone);
    }

    /// This thread uses the given world, and the others have worlds of their own.
    void run_threads(VirtualWorld& world) {
        const auto guarded = [this](const auto& work) {
            try {
                work();
            } catch (const PlayStopped&) {
            } catch (...) {
                const std::scoped_lock lock(mutex_);
                trouble_ = std::current_exception();
            }
        };
        std::vector<std::thread> others;
        for (std::uint32_t i = 1; i < limits_.threads; ++i) {
            others.emplace_back([&, i] {
                guarded([&] {
                    const KeptOn one(processor_of(limits_.first_processor + i));
                    VirtualWorld own(subject_, spec_.clients, spec_.nodes, *watcher_.stop);
                    play_all(own);
                });
            });
        }
        guarded([&] { play_all(world); });
        for (std::thread& thread : others) thread.join();
        // A proof stays valid, even if other threads failed.
        if (trouble_ != nullptr && !found_) std::rethrow_exception(trouble_);
    }

    /// Makes all plays with at most this many deviations from the default play, which made the
    /// choices `first`, fewest first. Each new play adds one deviation to an earlier one, after its
    /// last. False: a play proved an overlap, there are more than `most`, or it was stopped.
    bool play_near(VirtualWorld& world, const PlayChoices& first, std::uint32_t deviations,
                   std::uint64_t most) {
        std::deque<PlayDeviations> waiting;
        LastingWorld its = lasting(world);
        const auto add = [&](const PlayDeviations& made, const PlayChoices& choices) {
            if (made.size() == deviations) return;
            const std::size_t from = made.empty() ? 0 : made.back().first + 1;
            for (std::size_t i = from; i < choices.size(); ++i) {
                for (std::uint32_t pick = 1; pick < choices[i].of; ++pick) {
                    if (waiting.size() == kMostWaiting) return;
                    waiting.push_back(made);
                    waiting.back().emplace_back(static_cast<std::uint32_t>(i), pick);
                }
            }
        };
        add({}, first);
        for (std::uint64_t play = 1; !waiting.empty(); ++play) {
            if (play >= most || watcher_.stopped()) return false;
            const PlayDeviations next = std::move(waiting.front());
            waiting.pop_front();
            GivenDrive drive(picks_of(next));
            const auto made = its.play(spec_, drive, play, detail());
            if (!made) continue;
            take(play, spec_.seed, *made);
            if (!made->proved.empty()) return false;
            add(next, made->choices);
        }
        return true;
    }

    /// The proof stays valid even if its choices cannot be played again.
    void keep_find(VirtualWorld& world) {
        VirtualFind find;
        find.play = std::move(found_->second);
        find.deviations = deviations_of(find.play.choices);
        find.seed = found_seed_;
        find.found_with = find.deviations.size();
        try {
            shrink(world, find);
            record_find(world, subject_, with_seed(spec_, find.seed), find, found_->first);
        } catch (const PlayStopped&) {
            find.was_stopped = true;
        } catch (const DriverTrouble& trouble) {
            find.trouble = trouble.what();
        }
        result_.find = std::move(find);
    }

    /// Removes deviations until none can be removed; then looks for one deviation that is enough.
    void shrink(VirtualWorld& world, VirtualFind& find) {
        const std::uint64_t run = found_->first;
        PlayDeviations& deviations = find.deviations;
        const auto proves = [&](const PlayDeviations& less) {
            if (watcher_.stopped() || find.shrunk_in == kMostShrinking) return false;
            ++find.shrunk_in;
            PlayResult made = make(world, less, run);
            if (made.proved.empty()) return false;
            // The deviations really made, in case a pick was out of range.
            deviations = deviations_of(made.choices);
            find.play = std::move(made);
            return true;
        };
        for (bool shorter = true; shorter;) {
            shorter = false;
            for (std::size_t i = deviations.size(); i-- > 0;) {
                if (i >= deviations.size()) continue;
                PlayDeviations less = deviations;
                less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
                shorter |= proves(less);
            }
        }
        if (deviations.size() > 1) {
            const PlayChoices calm = make(world, {}, run).choices;
            for (std::uint32_t i = 0; i < calm.size() && deviations.size() > 1; ++i) {
                for (std::uint32_t pick = 1; pick < calm[i].of; ++pick) {
                    if (proves({{i, pick}})) break;
                }
            }
        }
    }

    const Subject& subject_;
    const PlaySpec& spec_;
    const VirtualSearchLimits& limits_;
    const Watcher& watcher_;
    std::uint32_t length_ = 1;
    std::atomic<std::uint64_t> next_{1};
    std::mutex mutex_;
    /// The first play that proves an overlap.
    std::optional<std::pair<std::uint64_t, PlayResult>> found_;
    std::uint64_t found_seed_ = spec_.seed;
    std::map<std::uint64_t, Judgement> judged_;  ///< by play
    std::exception_ptr trouble_;
    VirtualSearchResult result_;
};

}  // namespace

VirtualSearchResult replay_virtually(const Subject& subject, const PlaySpec& spec,
                                     const PlayDeviations& deviations) {
    const KeptOn one(processor_of(0));
    VirtualWorld world(subject, spec.clients, spec.nodes);
    VirtualSearchResult result;
    VirtualFind find;
    find.deviations = deviations;
    find.seed = spec.seed;
    find.found_with = deviations.size();
    try {
        record_find(world, subject, spec, find, 0);
    } catch (const DriverTrouble& trouble) {
        if (find.play.proved.empty()) throw;
        find.trouble = trouble.what();
    }
    require_choices(deviations, find.play.choices);
    result.count(find.play);
    if (!find.play.proved.empty()) result.find = std::move(find);
    return result;
}

VirtualSearchResult search_virtually(const Subject& subject, const PlaySpec& spec,
                                     const VirtualSearchLimits& limits, const Watcher& watcher) {
    return VirtualSearch(subject, spec, limits, watcher).run();
}

}  // namespace locklab
