#include "harness/sim/event_queue.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "harness/core/random_choices.h"
#include "harness/explore/recorded_choices.h"

namespace locklab::event_queue_test {
namespace {

SimEvent event(std::int64_t at, std::uint32_t name) {
    SimEvent result;
    result.at = Instant(Duration(at));
    result.move.ticket = name;
    return result;
}

std::vector<std::uint32_t> drain(EventQueue& queue, Choices& choices) {
    std::vector<std::uint32_t> names;
    while (!queue.empty()) names.push_back(queue.pop(choices).move.ticket);
    return names;
}

TEST(EventQueueTest, earlier_comes_first_and_calm_ties_keep_their_order) {
    EventQueue queue;
    for (const auto& [at, name] : {std::pair{5, 1U}, {3, 2U}, {5, 3U}, {3, 4U}, {9, 5U}}) {
        queue.push(event(at, name));
    }
    CalmChoices calm;
    EXPECT_EQ(drain(queue, calm), (std::vector<std::uint32_t>{2, 4, 1, 3, 5}));
}

TEST(EventQueueTest, what_is_pushed_now_joins_the_ties_of_now) {
    EventQueue queue;
    queue.push(event(3, 1));
    queue.push(event(3, 2));
    CalmChoices calm;
    EXPECT_EQ(queue.pop(calm).move.ticket, 1U);
    queue.push(event(3, 3));
    queue.push(event(4, 4));
    EXPECT_EQ(drain(queue, calm), (std::vector<std::uint32_t>{2, 3, 4}));
}

TEST(EventQueueTest, the_pick_chooses_among_the_ties_and_leaves_the_others_in_order) {
    EventQueue queue;
    for (std::uint32_t name = 0; name < 5; ++name) queue.push(event(1, name));
    ReplayChoices third(Picks{2});
    EXPECT_EQ(drain(queue, third), (std::vector<std::uint32_t>{2, 0, 1, 3, 4}));
}

/// Every pick of a search: counts leaves of the tree of picks.
class EveryPick final : public Choices {
public:
    std::uint32_t pick(ChoiceKind, std::uint32_t count) override {
        if (next_ == path_.size()) path_.push_back({0, count});
        return path_[next_++].first;
    }
    bool next_path() {
        next_ = 0;
        while (!path_.empty() && ++path_.back().first == path_.back().second) path_.pop_back();
        return !path_.empty();
    }

private:
    std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;
    std::size_t next_ = 0;
};

TEST(EventQueueTest, picks_reach_every_order_of_ties_once) {
    EveryPick every;
    std::set<std::vector<std::uint32_t>> orders;
    int runs = 0;
    do {
        EventQueue queue;
        for (std::uint32_t name = 0; name < 4; ++name) queue.push(event(1, name));
        orders.insert(drain(queue, every));
        ++runs;
    } while (every.next_path());
    EXPECT_EQ(runs, 24);
    EXPECT_EQ(orders.size(), 24U);
}

TEST(EventQueueTest, many_ties_are_each_served_once) {
    EventQueue queue;
    for (std::uint32_t name = 0; name < 1000; ++name) queue.push(event(1, name));
    RandomChoices random(7);
    const auto names = drain(queue, random);
    EXPECT_EQ(std::set<std::uint32_t>(names.begin(), names.end()).size(), 1000U);
}

}  // namespace
}  // namespace locklab::event_queue_test
