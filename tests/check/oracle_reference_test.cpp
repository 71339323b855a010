// The checkers against a second opinion: every oracle again, straight from its definition, by
// looking at all events for each question, on random histories that no world would write.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "harness/check/fence.h"
#include "harness/check/judge.h"
#include "harness/check/lost_update.h"
#include "harness/check/overlap.h"
#include "harness/core/random_choices.h"

namespace locklab::oracle_reference_test {
namespace {

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kHistories = 2'000;
#else
constexpr std::uint64_t kHistories = 30'000;
#endif

class Generator {
public:
    explicit Generator(std::uint64_t run) : random_(20, run) {}

    History history() {
        History history;
        history.world = "random";
        history.clients = 1 + pick(4);
        history.patience = Duration(pick(3) * 4);
        releasing_ = pick(16);
        const std::uint32_t events = pick(40);
        Instant at{};
        for (std::uint32_t i = 0; i < events; ++i) {
            at += Duration(std::max(0, static_cast<int>(pick(5)) - 2));
            const ClientId client{pick(history.clients)};
            history.events.push_back({at, client, static_cast<Phase>(pick(5)), detail(client)});
        }
        history.end = at + Duration(pick(12)) - Duration(pick(3));
        return history;
    }

private:
    std::uint32_t pick(std::uint32_t count) { return random_.pick(ChoiceKind::fault, count); }

    EventDetail detail(ClientId client) {
        switch (pick(14)) {
            case 0:
            case 1: return event::Wants{};
            case 2:
            case 3:
            case 4: return event::Granted{++grants_, Token{}, Duration(0)};
            case 5: return event::Lost{};
            case 6:
            case 7: return event::Leaving{};
            case 8:
                if ((releasing_ >> client.value & 1U) != 0) return event::Released{};
                return event::Leaving{};
            case 9: return event::Fault{Hazard::crash, Duration(0), 0};
            case 10: return event::Fault{Hazard::pause, Duration(1), 0};
            case 11: return event::Finished{};
            default: return event::Wrote{pick(3), pick(3), ++versions_, pick(6)};
        }
    }

    RandomChoices random_;
    std::uint32_t releasing_ = 0;  ///< a bit for each client of which it tells releases
    std::uint64_t grants_ = 0;
    std::uint64_t versions_ = 0;
};

template <class Detail>
bool is(const Event& event) {
    return std::holds_alternative<Detail>(event.detail);
}

bool crashes(const Event& event) {
    return is<event::Fault>(event) && std::get<event::Fault>(event.detail).hazard == Hazard::crash;
}

using Test = std::function<bool(const Event&)>;

/// Answers every question by a walk over the whole history.
class Reference {
public:
    explicit Reference(const History& history) : events_(history.events), history_(history) {
        for (const Event& event : events_) {
            if (is<event::Released>(event)) releasing_.insert(event.client);
        }
    }

    Instant end() const {
        return events_.empty() ? history_.end : std::max(history_.end, events_.back().at);
    }

    /// Whether `place` lies in the stay that began with the grant at `begin`.
    bool inside(std::size_t begin, std::size_t place) const {
        return place >= begin && place < end_of_stay(begin);
    }
    std::size_t end_of_stay(std::size_t begin) const {
        std::size_t place = begin + 1;
        while (place < events_.size() &&
               !(events_[place].client == events_[begin].client && ends(events_[place]))) {
            ++place;
        }
        return place;
    }
    Instant until(std::size_t begin) const {
        const std::size_t place = end_of_stay(begin);
        return place == events_.size() ? end() : events_[place].at;
    }
    std::vector<std::size_t> grants() const { return places(is<event::Granted>); }
    std::vector<std::size_t> writes() const { return places(is<event::Wrote>); }
    const event::Wrote& write(std::size_t place) const {
        return std::get<event::Wrote>(events_[place].detail);
    }

    std::size_t jumps() const {
        std::size_t count = 0;
        const event::Wrote* last = nullptr;
        for (const std::size_t place : writes()) {
            const event::Wrote& now = write(place);
            const bool found_another = last != nullptr && last->version != now.previous;
            count += found_another || now.version != now.previous + 1 ? 1 : 0;
            last = &now;
        }
        return count;
    }

    /// As of just after `place`.
    bool wants(ClientId client, std::size_t place) const {
        const Event* last = last_of(client, place, [](const Event& e) {
            return is<event::Wants>(e) || is<event::Granted>(e) || is<event::Finished>(e) ||
                   crashes(e);
        });
        return last != nullptr && is<event::Wants>(*last);
    }
    bool holds(ClientId client, std::size_t place) const {
        const Event* last = last_of(client, place, [&](const Event& e) {
            const bool over = releasing_.contains(e.client)
                                  ? is<event::Released>(e)
                                  : is<event::Leaving>(e) || is<event::Lost>(e);
            return over || is<event::Granted>(e) || is<event::Wants>(e) || is<event::Finished>(e) ||
                   crashes(e);
        });
        return last != nullptr && is<event::Granted>(*last);
    }
    bool orphaned(std::size_t place) const {
        bool wanted = false;
        for (std::uint32_t i = 0; i < history_.clients; ++i) {
            if (holds(ClientId{i}, place)) return false;
            wanted = wanted || wants(ClientId{i}, place);
        }
        return wanted;
    }
    bool stuck() const {
        if (events_.empty() || history_.patience == Duration::zero()) return false;
        Instant last{};
        for (const std::size_t grant : grants()) last = events_[grant].at;
        return orphaned(events_.size() - 1) && end() - last >= history_.patience;
    }
    Duration longest_orphan_wait() const {
        Duration longest{0};
        for (const std::size_t grant : grants()) {
            std::size_t first = grant;
            while (first > 0 && orphaned(first - 1)) --first;
            longest = std::max(longest, events_[grant].at - events_[first].at);
        }
        return longest;
    }
    std::vector<Duration> recoveries() const {
        std::vector<Duration> found;
        for (const std::size_t crash : places(crashes)) {
            if (crash == 0 || !holds(events_[crash].client, crash - 1)) continue;
            for (const std::size_t grant : grants()) {
                if (grant < crash) continue;
                found.push_back(events_[grant].at - events_[crash].at);
                break;
            }
        }
        return found;
    }

private:
    static bool ends(const Event& e) {
        return is<event::Granted>(e) || is<event::Leaving>(e) || is<event::Lost>(e) ||
               is<event::Released>(e) || crashes(e);
    }
    std::vector<std::size_t> places(const Test& test) const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            if (test(events_[i])) found.push_back(i);
        }
        return found;
    }
    const Event* last_of(ClientId client, std::size_t place, const Test& test) const {
        for (std::size_t i = place + 1; i-- > 0;) {
            if (events_[i].client == client && test(events_[i])) return &events_[i];
        }
        return nullptr;
    }

    const std::vector<Event>& events_;
    const History& history_;
    std::set<ClientId> releasing_;
};

class OracleReferenceTest : public testing::Test {
protected:
    template <class Compare>
    void on_every_history(Compare compare) {
        for (std::uint64_t run = 0; run < kHistories && !HasFailure(); ++run) {
            SCOPED_TRACE("history " + std::to_string(run));
            const History history = Generator(run).history();
            compare(history, Reference(history));
        }
    }
};

TEST_F(OracleReferenceTest, pairs_are_those_who_were_inside_when_another_was_granted) {
    std::size_t seen = 0;
    on_every_history([&](const History& history, const Reference& reference) {
        const std::vector<Overlap> found = overlaps(stays_inside(history));
        std::size_t next = 0;
        std::set<std::size_t> affected;
        for (const std::size_t later : reference.grants()) {
            for (const std::size_t earlier : reference.grants()) {
                if (earlier >= later || !reference.inside(earlier, later)) continue;
                ASSERT_LT(next, found.size());
                EXPECT_EQ(found[next].earlier.begin, earlier);
                EXPECT_EQ(found[next].later.begin, later);
                const Instant until = std::min(reference.until(earlier), reference.until(later));
                EXPECT_EQ(found[next].duration(), until - history.events[later].at);
                affected.insert({earlier, later});
                ++next;
            }
        }
        EXPECT_EQ(found.size(), next);
        const Overlaps some = find_overlaps(stays_inside(history), true, 1);
        EXPECT_EQ(some.count, found.size());
        EXPECT_EQ(some.grants, affected.size());
        seen += next;
    });
    EXPECT_GT(seen, kHistories);
}

TEST_F(OracleReferenceTest, writes_are_lost_or_stale_against_all_that_landed_before) {
    on_every_history([&](const History& history, const Reference& reference) {
        std::vector<std::size_t> lost;
        std::vector<std::size_t> inverted;
        for (const std::size_t place : reference.writes()) {
            const event::Wrote& wrote = reference.write(place);
            if (wrote.base != wrote.previous) lost.push_back(place);
            const auto writes = reference.writes();
            if (std::any_of(writes.begin(), writes.end(), [&](std::size_t other) {
                    return other < place && reference.write(other).grant > wrote.grant;
                })) {
                inverted.push_back(place);
            }
        }
        std::vector<std::size_t> found;
        for (const LostUpdate& update : lost_updates(history)) found.push_back(update.event);
        EXPECT_EQ(found, lost);
        found.clear();
        for (const FenceInversion& one : fence_inversions(history)) found.push_back(one.event);
        EXPECT_EQ(found, inverted);
    });
}

TEST_F(OracleReferenceTest, stuck_is_a_wait_for_what_nobody_alive_holds) {
    std::size_t stuck = 0;
    on_every_history([&](const History& history, const Reference& reference) {
        const Liveness found = check_liveness(history);
        EXPECT_EQ(found.stuck, reference.stuck());
        EXPECT_EQ(found.longest_orphan_wait, reference.longest_orphan_wait());
        EXPECT_EQ(found.recoveries, reference.recoveries());
        std::vector<ClientId> waiting;
        for (std::uint32_t i = 0; found.stuck && i < history.clients; ++i) {
            if (reference.wants(ClientId{i}, history.events.size() - 1)) {
                waiting.push_back(ClientId{i});
            }
        }
        EXPECT_EQ(found.waiting, waiting);
        stuck += found.stuck ? 1 : 0;
    });
    EXPECT_GT(stuck, kHistories / 50);
}

TEST_F(OracleReferenceTest, the_verdict_follows_from_the_oracles) {
    on_every_history([&](const History& history, const Reference& reference) {
        const Judgement judgement = judge(history);
        const std::size_t violations = overlaps(stays_inside(history), false).size() +
                                       lost_updates(history).size() +
                                       fence_inversions(history).size();
        EXPECT_EQ(judgement.violations.size(), violations);
        EXPECT_EQ(judgement.grants, reference.grants().size());
        const bool nothing = reference.grants().empty() || reference.jumps() > 0;
        const Verdict expected = violations > 0      ? Verdict::violated
                                 : reference.stuck() ? Verdict::stuck
                                 : nothing           ? Verdict::unknown
                                                     : Verdict::holds;
        EXPECT_EQ(judgement.verdict, expected);
        EXPECT_EQ(judgement.register_jumps, reference.jumps());
    });
}

/// Without an order of the events of one instant, two overlap where some time lies in both stays,
/// or a stay of no length within the other.
TEST_F(OracleReferenceTest, pairs_of_no_known_order_have_a_time_in_common) {
    std::size_t fewer = 0;
    on_every_history([&](const History& history, const Reference& reference) {
        std::size_t expected = 0;
        const auto all = overlaps(stays_inside(history));
        for (const Overlap& pair : all) {
            const Instant from = history.events[pair.earlier.begin].at;
            const Instant until = reference.until(pair.earlier.begin);
            const bool some_time = pair.duration() > Duration::zero();
            const bool within = pair.later.from == pair.later.until && from < pair.later.from &&
                                pair.later.from < until;
            expected += some_time || within ? 1 : 0;
        }
        EXPECT_EQ(overlaps(stays_inside(history), false).size(), expected);
        fewer += all.size() - expected;
    });
    EXPECT_GT(fewer, kHistories / 100);
}

}  // namespace
}  // namespace locklab::oracle_reference_test
