#include "harness/view/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "harness/view/timeline_mermaid.h"
#include "harness/view/timeline_words.h"
#include "tests/view/timeline_scenes.h"

namespace locklab::timeline_test {
namespace {

using Kind = TimelineRow::Kind;

std::size_t count_of(const Timeline& timeline, Kind kind) {
    return static_cast<std::size_t>(
        std::ranges::count(timeline.rows, kind, [](const TimelineRow& row) { return row.kind; }));
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST(Timeline, is_empty_for_an_empty_scene) {
    const Timeline timeline = make_timeline(Scene{});
    EXPECT_TRUE(timeline.rows.empty());
    EXPECT_EQ(timeline.verdict, "unknown");
    EXPECT_EQ(to_mermaid(timeline), "sequenceDiagram\n    participant redis as Redis\n");
}

TEST(Timeline, shows_a_command_that_nothing_interrupts_in_one_row) {
    const Timeline timeline = make_timeline(slow_holder());
    EXPECT_EQ(count_of(timeline, Kind::command), 5U);
    EXPECT_EQ(count_of(timeline, Kind::violation), 5U);
    EXPECT_EQ(count_of(timeline, Kind::expired), 1U);
    EXPECT_EQ(timeline.longest_ttl, std::chrono::seconds(10));
}

TEST(Timeline, never_goes_back_in_time) {
    for (const Scene& scene : {slow_holder(), crashed_holder(), late_delete(), paused_between(),
                               bad_network(), crowd()}) {
        const Timeline timeline = make_timeline(scene);
        EXPECT_TRUE(std::ranges::is_sorted(timeline.rows, {}, &TimelineRow::at));
        for (const TimelineRow& row : timeline.rows) {
            EXPECT_EQ(row.lifelines.size(), timeline.names.size());
        }
    }
}

TEST(Timeline, names_clients_that_have_no_name) {
    Scene scene = slow_holder();
    scene.names.clear();
    EXPECT_EQ(make_timeline(scene).names, (std::vector<std::string>{"A", "B", "C"}));
}

TEST(Timeline, does_without_sights_of_the_key) {
    Scene scene = slow_holder();
    scene.key.clear();
    const Timeline timeline = make_timeline(scene);
    EXPECT_FALSE(timeline.has_key);
    EXPECT_EQ(count_of(timeline, Kind::violation), 5U);
}

/// A director may look at the key when all is said: after the grant, and not after the command.
TEST(Timeline, gives_a_sight_to_the_command_that_it_is_of) {
    SceneStory scene;
    scene.named("A").call(0, Phase::acquire, set_command("t1"), Reply::ok()).granted(0, "t1");
    scene.key("t1", 10'000).at(5'000).leaving(0);
    scene.call(0, Phase::release, del_command(), Reply::integer(1)).released(0).no_key();
    const Timeline timeline = make_timeline(scene.end(5'000));
    ASSERT_EQ(timeline.rows.size(), 3U);
    EXPECT_EQ(timeline.rows[0].keys[0]->owner, 0U);
    EXPECT_TRUE(timeline.rows[0].key_changed);
    EXPECT_FALSE(timeline.rows[2].keys[0].has_value());
    EXPECT_TRUE(timeline.rows[2].key_changed);
}

TEST(Timeline, shows_a_try_in_full_again_once_its_result_is_another) {
    SceneStory scene;
    scene.named("A");
    for (int i = 0; i < 6; ++i) {
        const Reply reply = Reply::bulk(i < 3 ? "old" : "new");
        scene.at(10 * i).call(0, Phase::acquire, Command::of("GET", "lock"), reply).refused(0);
    }
    const Timeline timeline = make_timeline(scene.end(60));
    ASSERT_EQ(timeline.rows.size(), 4U);
    EXPECT_EQ(sentence(timeline, timeline.rows[1]),
              "A: 2 more tries, refused each time, "
              "since 0.010 s");
    EXPECT_EQ(sentence(timeline, timeline.rows[2]), "A: GET lock → \"new\", refused");
}

TEST(Timeline, folds_tries_that_send_nothing) {
    const auto folded = [](bool fail) {
        SceneStory scene;
        scene.named("A");
        for (int i = 0; i < 6; ++i) fail ? scene.at(10 * i).failed(0) : scene.at(10 * i).refused(0);
        const Timeline timeline = make_timeline(scene.end(60));
        return sentence(timeline, timeline.rows.at(1));
    };
    EXPECT_EQ(folded(false), "A: 5 more tries, refused each time, since 0.010 s");
    EXPECT_EQ(folded(true), "A: 5 more tries, failed each time, since 0.010 s");
}

TEST(Timeline, says_when_a_reply_comes_where_that_matters) {
    SceneStory scene;
    scene.named("A").send(0, Phase::acquire, set_command("t1"));
    scene.run(0, Phase::acquire, set_command("t1"), Reply::ok()).at(1);
    scene.answer(0, Reply::ok()).granted(0, "t1");
    Scene whole = scene.end(5'000);
    EXPECT_EQ(make_timeline(whole).rows.size(), 1U);
    whole.tells_latency = true;
    const Timeline timeline = make_timeline(whole);
    ASSERT_EQ(timeline.rows.size(), 2U);
    EXPECT_EQ(timeline.rows[1].at - timeline.rows[0].at, std::chrono::milliseconds(1));
}

TEST(TimelineMermaid, escapes_what_would_end_a_statement) {
    std::istringstream text(to_mermaid(make_timeline(crowd())));
    for (std::string line; std::getline(text, line);) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line[i] == '<' || line[i] == '"' || line[i] == '%') ADD_FAILURE() << line;
            if (line[i] != '#') continue;
            const std::size_t end = line.find_first_not_of("0123456789", i + 1);
            ASSERT_TRUE(end != std::string::npos && line[end] == ';' && end > i + 1) << line;
            line.erase(end, 1);
        }
        EXPECT_EQ(line.find(';'), std::string::npos) << line;
    }
}

TEST(TimelineMermaid, balances_what_it_opens) {
    for (const Scene& scene : {slow_holder(), crashed_holder(), late_delete(), paused_between(),
                               bad_network(), crowd()}) {
        const std::string text = to_mermaid(make_timeline(scene));
        EXPECT_EQ(count_of(text, "\n    activate "), count_of(text, "\n    deactivate ")) << text;
        EXPECT_EQ(count_of(text, "\n    rect "), count_of(text, "\n    end\n")) << text;
    }
}

TEST(TimelineMermaid, tells_of_the_slow_holder) {
    const std::string text = to_mermaid(make_timeline(slow_holder()));
    for (const char* line :
         {"    participant c0 as A\n",
          "    c0->>redis: 0.000 s SET lock t1 NX EX 10\n"
          "    redis-->>c0: OK, now inside, reads version 0\n"
          "    activate c0\n",
          "    Note over c0,c1: ✗ A and B are inside at once for 1 s (",
          "    Note over c0,c1: ✗ A deletes the key of B (", "    Note over redis: key: none\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

TEST(TimelineMermaid, shows_how_a_message_fares) {
    const std::string late = to_mermaid(make_timeline(late_delete()));
    EXPECT_NE(late.find("c0-)redis: 1.000 s DEL lock ⇢ held up in the network\n"),
              std::string::npos);
    EXPECT_NE(late.find("c0->>redis: 11.000 s sent at 1.000 s: DEL lock\n"
                        "    redis--)c0: 1, too late to be seen\n"),
              std::string::npos);
    const std::string bad = to_mermaid(make_timeline(bad_network()));
    EXPECT_NE(bad.find("c1-xredis: 16.000 s SET lock t2 NX EX 10"), std::string::npos);
    EXPECT_NE(bad.find("redis--xc0: 1, but the reply is lost\n"), std::string::npos);
    EXPECT_NE(bad.find("c0->>redis: 18.500 s sent again: DEL lock\n"), std::string::npos);
}

TEST(Timeline, a_server_of_any_number_needs_no_room_for_all_below_it) {
    Scene scene;
    scene.history.clients = 1;
    scene.history.events.push_back(
        {Instant(), ClientId{0}, Phase::acquire,
         event::Executed(1, NodeId{60'000}, Instant(), Command::of("DEL", "k"), Reply::integer(1),
                         KeyEffect{KeyEffect::Kind::deleted})});
    const Timeline timeline = make_timeline(scene);
    ASSERT_FALSE(timeline.rows.empty());
    EXPECT_LE(timeline.rows[0].keys.size(), 5U);
}

}  // namespace
}  // namespace locklab::timeline_test
