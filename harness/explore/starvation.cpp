#include "harness/explore/starvation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/explore/components.h"
#include "harness/explore/laps.h"
#include "harness/explore/outside.h"

namespace locklab {

namespace {

/// More rounds and tries than any walk makes.
constexpr std::uint32_t kNoEnd = 1000;
/// How often walks make each edge, besides the run that built the graph.
constexpr std::uint32_t kTimes = 1;
/// How many tries of a round are told apart; the next value is used if the lock does not repeat
/// itself.
constexpr std::array<std::uint32_t, 2> kTries{1, 3};

/// States made before the first look for a lasso.
constexpr std::uint64_t kFirstLook = 256;
/// Laps of a lasso that are checked before it is reported.
constexpr std::uint32_t kRounds = 30;

/// What a cycle must contain, a bit each.
enum Need : std::uint32_t { kRefused = 1, kOtherGranted = 2, kPasses = 4 };

std::uint32_t marks_of(const Happened& happened, std::uint32_t victim) {
    const std::uint32_t its = 1U << victim;
    return ((happened.refused & its) != 0 ? kRefused : 0U) |
           ((happened.granted & ~its) != 0 ? kOtherGranted : 0U) | (happened.passes ? kPasses : 0U);
}

/// Lassos of one client: in the graph without the edges that grant it the lock.
class Search {
public:
    Search(const Laps& laps, std::uint32_t victim) : laps_(laps), victim_(victim) {
        component_ = components(static_cast<std::uint32_t>(laps.size()),
                                [&](std::uint32_t state, auto visit) {
                                    for (const Laps::Edge& edge : laps_.edges(state)) {
                                        if (is_there(edge)) visit(edge.to);
                                    }
                                });
        marks_.assign(laps.size(), 0);
        for (std::uint32_t state = 0; state < laps.size(); ++state) {
            for (const Laps::Edge& edge : laps_.edges(state)) {
                if (stays(state, edge)) {
                    marks_[component_[state]] |= marks_of(edge.happened, victim_);
                }
            }
        }
    }

    /// The lasso with the shortest stem, and a shortest cycle of those, in which time passes if
    /// possible.
    std::optional<Lasso> find() const {
        constexpr std::uint32_t kNeeded = kRefused | kOtherGranted;
        for (std::uint32_t state = 0; state < laps_.size(); ++state) {
            const std::uint32_t has = marks_[component_[state]];
            if ((has & kNeeded) != kNeeded) continue;
            Lasso lasso;
            lasso.victim = victim_;
            lasso.stem = laps_.before();
            lasso.before = lasso.stem.size();
            const std::vector<Step> path = laps_.path_to(state);
            lasso.stem.insert(lasso.stem.end(), path.begin(), path.end());
            lasso.takes_time = (has & kPasses) != 0;
            lasso.cycle = cycle_from(state, has);
            return lasso;
        }
        return std::nullopt;
    }

private:
    bool is_there(const Laps::Edge& edge) const {
        return (edge.happened.granted & 1U << victim_) == 0;
    }
    bool stays(std::uint32_t state, const Laps::Edge& edge) const {
        return is_there(edge) && component_[state] == component_[edge.to];
    }

    /// A shortest path back to the state, with exactly these marks on the way.
    std::vector<Step> cycle_from(std::uint32_t start, std::uint32_t needed) const {
        struct Reached {
            std::uint32_t state;
            std::uint32_t marks;
            std::size_t parent;
            Step step;
        };
        constexpr std::size_t kMarks = 8;
        std::vector<bool> seen(laps_.size() * kMarks, false);
        std::vector<Reached> reached{{start, 0, 0, {}}};
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const Reached at = reached[i];
            for (const Laps::Edge& edge : laps_.edges(at.state)) {
                if (!stays(at.state, edge)) continue;
                const std::uint32_t marks = at.marks | marks_of(edge.happened, victim_);
                if (seen[edge.to * kMarks + marks]) continue;
                seen[edge.to * kMarks + marks] = true;
                reached.push_back({edge.to, marks, i, edge.step});
                if (edge.to == start && marks == needed) return steps_to(reached);
            }
        }
        LOCKLAB_ASSERT(false && "a component leads from each of its edges to each");
        return {};
    }
    template <class Reached>
    static std::vector<Step> steps_to(const std::vector<Reached>& reached) {
        std::vector<Step> steps;
        for (std::size_t at = reached.size() - 1; at != 0; at = reached[at].parent) {
            steps.push_back(reached[at].step);
        }
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    const Laps& laps_;
    const std::uint32_t victim_;
    std::vector<std::uint32_t> component_;
    std::vector<std::uint32_t> marks_;  ///< by component
};

/// Why a graph without a lasso is no proof; empty: it is one.
std::string missing_in(const Laps& laps, std::uint32_t clients) {
    Happened all;
    for (std::uint32_t state = 0; state < laps.size(); ++state) {
        for (const Laps::Edge& edge : laps.edges(state)) {
            all.granted |= edge.happened.granted;
            all.refused |= edge.happened.refused;
        }
    }
    const std::uint32_t everybody = (1U << clients) - 1;
    if (all.refused != everybody) return "not every client was refused, so nobody need have waited";
    if (all.granted != everybody) return "not every client was granted the lock";
    return "";
}

void count(const Laps& laps, Starvation& found) {
    found.states = laps.size();
    found.checked = laps.walked();
    found.steps = found.granted = found.refused = 0;
    for (std::uint32_t state = 0; state < laps.size(); ++state) {
        for (const Laps::Edge& edge : laps.edges(state)) {
            ++found.steps;
            found.granted += edge.happened.granted != 0 ? 1 : 0;
            found.refused += edge.happened.refused != 0 ? 1 : 0;
        }
    }
}

/// The shortest lasso of any client in the graph so far.
std::optional<Lasso> lasso_in(const Laps& laps, std::uint32_t clients) {
    std::optional<Lasso> shortest;
    const auto length = [](const Lasso& one) { return one.stem.size() + one.cycle.size(); };
    for (std::uint32_t victim = 0; victim < clients; ++victim) {
        std::optional<Lasso> lasso = Search(laps, victim).find();
        const bool better = lasso && (!shortest || length(*lasso) < length(*shortest));
        if (better) shortest = std::move(lasso);
    }
    return shortest;
}

/// Looks for a lasso from time to time as the graph grows: most are short.
void search_in(Laps& laps, const StarvationLimits& limits, const std::atomic<bool>& stop,
               const Laps::Tell& tell, Starvation& found) {
    for (std::uint64_t most = kFirstLook; !stop; most *= 4) {
        laps.grow(std::min(most, limits.states), stop, tell);
        std::optional<Lasso> lasso = lasso_in(laps, found.bounds.clients);
        if (lasso) {
            const std::vector<Step> stem(
                lasso->stem.begin() + static_cast<std::ptrdiff_t>(lasso->before),
                lasso->stem.end());
            if (!laps.goes_round(stem, lasso->cycle, kRounds)) {
                throw DoesNotRepeat("a cycle was found that does not go round for ever");
            }
            found.lasso = std::move(lasso);
            found.verdict = Verdict::violated;
            return;
        }
        if (laps.is_whole() || most >= limits.states) break;
    }
    if (!laps.is_whole() && !stop) {
        found.why_unknown = "more than " + std::to_string(limits.states) +
                            " states: it comes to none of them again, or there are too many";
    }
    if (!laps.is_whole() || !laps.check(kTimes, stop)) return;
    found.exhausted = true;
    found.why_unknown = missing_in(laps, found.bounds.clients);
    if (found.why_unknown.empty()) found.verdict = Verdict::holds;
}

/// False if more tries should be told apart.
bool search_once(const StarvationLimits& limits, const std::atomic<bool>& stop,
                 const Laps::Tell& tell, Starvation& found) {
    Laps laps(*found.algorithm, found.bounds, found.tries);
    bool repeats = true;
    found.why_unknown.clear();
    try {
        search_in(laps, limits, stop, tell, found);
    } catch (const DoesNotRepeat& differs) {
        repeats = false;
        found.why_unknown = differs.what();
    } catch (const LockThrew& words) {
        found.verdict = Verdict::unknown;
        found.why_unknown = words.what();
    }
    if (stop && found.verdict == Verdict::unknown) found.why_unknown = "interrupted";
    count(laps, found);
    return repeats || stop;
}

}  // namespace

Bounds starvation_bounds(const Algorithm& algorithm) {
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = std::min(least_clients(algorithm), Bounds::kMostClients);
    if (algorithm.renews) {
        // Times that are multiples of each other give few states.
        bounds.job = 2 * bounds.options.renewal;
        bounds.wait = bounds.options.renewal;
    }
    bounds.rounds = kNoEnd;
    bounds.attempts = kNoEnd;
    return bounds;
}

bool may_starve(Hazard hazard) {
    const HazardRow& row = row_of(hazard);
    switch (row.size) {
        case FaultSize::none: return row.target != FaultTarget::nobody;
        case FaultSize::pause:
        case FaultSize::delay:
        case FaultSize::reply_delay:
        case FaultSize::outage:
        case FaultSize::cut:
        case FaultSize::hang: return true;
        case FaultSize::job:
        case FaultSize::clock:
        case FaultSize::age:
        case FaultSize::takeover: break;
    }
    return false;
}

Starvation find_starvation(const Algorithm& algorithm, const Bounds& bounds,
                           const StarvationLimits& limits, const std::atomic<bool>& stop,
                           const std::function<void(std::uint64_t states)>& tell) {
    Starvation found;
    found.algorithm = &algorithm;
    found.bounds = bounds;
    if (algorithm.reads_wall_clock || algorithm.reads_monotonic_clock) {
        found.why_unknown =
            "the lock reads its client's clock, which never shows the same time again";
        return found;
    }
    found.why_unknown = bounds.why_unknown.empty() ? keeps_outside(algorithm) : bounds.why_unknown;
    if (!found.why_unknown.empty()) return found;
    for (const std::uint32_t tries : kTries) {
        found.tries = tries;
        if (search_once(limits, stop, tell, found)) break;
    }
    return found;
}

}  // namespace locklab
