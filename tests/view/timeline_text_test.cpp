#include "harness/view/timeline_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "harness/view/timeline_words.h"
#include "tests/view/timeline_scenes.h"

namespace locklab::timeline_text_test {
namespace {

std::string text_of(const Scene& scene) { return to_text(make_timeline(scene)); }

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
    std::size_t from = 0;
    for (const std::string& part : parts) {
        const std::size_t found = text.find(part, from);
        ASSERT_NE(found, std::string::npos) << part << "\nis not where it belongs in\n" << text;
        from = found + part.size();
    }
}

// The whole page: this is what a reader of an article sees.
TEST(TimelineText, tells_of_the_slow_holder) {
    EXPECT_EQ("\n" + text_of(slow_holder()), R"(
violated

     time  A  B  C  what happens                                                 the lock's key
    0.000  ┣  │  │  A: SET lock t1 NX EX 10 → OK, now inside, reads version 0    t1 of A, 10 s left
           ┃  │  │  … 10 s pass …
   10.000  ┃  │  │  the key expires: its time to live has run out                none
           ┃  │  │  … 1 s passes …
   11.000  ┃  ┣  │  B: SET lock t2 NX EX 10 → OK, now inside, reads version 0    t2 of B, 10 s left
        ✗  ┃  ┃  │  A and B are inside at once for 1 s
           ┃  ┃  │    expired_while_held: the lease ran out while its holder
           ┃  ┃  │    was still inside
           ┃  ┃  │  … 1 s passes …
   12.000  ┣  ┃  │  A writes version 1, computed from version 0
   12.000  ├  ┃  │  A leaves: DEL lock → 1, released                             none
        ✗  │  ┃  │  A deletes the key of B
           │  ┃  │    foreign delete: B is not protected any more
   12.500  │  ┃  ┣  C: SET lock t3 NX EX 10 → OK, now inside, reads version 1    t3 of C, 10 s left
        ✗  │  ┃  ┃  B and C are inside at once for 1.5 s
           │  ┃  ┃    foreign_delete: a command of another grant deleted the
           │  ┃  ┃    key
           │  ┃  ┃  … 1.5 s pass …
   14.000  │  ┣  ┃  B writes version 2, computed from version 0
        ✗  │  ┃  ┃  B overwrites an update of A that it has not read
           │  ┃  ┃    what comes of being inside at once
   14.000  │  ├  ┃  B leaves: DEL lock → 1, released                             none
        ✗  │  │  ┃  B deletes the key of C
           │  │  ┃    foreign delete: C is not protected any more

│ outside  ┃ inside  ├ ┣ acts  ┊ ┇ paused  † crashed  ✗ goes wrong; times in s
)");
}

TEST(TimelineText, counts_what_a_stuck_client_does) {
    const std::string text = text_of(crashed_holder());
    expect_in_order(text, {"stuck", "A: SETNX lock 1 → 1, now inside", "1 of A, never expires", "†",
                           "A crashes while it is inside", "B: SETNX lock 1 → 0, refused", "99.950",
                           "B: 399 more tries, refused each time, since 0.450 s",
                           "B is stuck: it waits for a lock that no live client holds"});
    EXPECT_LT(lines_of(text).size(), 12U);
}

TEST(TimelineText, shows_a_request_that_arrives_late) {
    expect_in_order(text_of(late_delete()),
                    {"A leaves: DEL lock ⇢ held up in the network", "… 1 s passes …",
                     "A: no answer to DEL lock in time; it may have run, or not",
                     "10.000  │  │  the key expires", "B: SET lock t2 NX EX 10 → OK, now inside",
                     "11.000  │  ┃  A's DEL lock, sent at 1.000 s, reaches Redis → 1", "none",
                     "✗  │  ┃  A deletes the key of B", "(A's job is not done again)",
                     "✗  ┃  ┃  B and A are inside at once for 800 ms", "foreign_delete: "});
}

TEST(TimelineText, shows_what_happens_during_a_pause) {
    expect_in_order(text_of(paused_between()),
                    {"C: GET lock → \"10000\"", "C pauses for 2 s",
                     "B: GETSET lock 20200 → \"10000\", now inside", "┃  ┊", "C goes on",
                     "C: GETSET lock 22100 → \"20200\", refused", "22100 of C",
                     "✗     ┃  │  C overwrites the key of B", "B leaves: DEL lock ⇢ on its way",
                     "C wants the lock", "B's DEL lock reaches Redis → 1, released"});
}

TEST(TimelineText, shows_what_a_network_loses) {
    expect_in_order(
        text_of(bad_network()),
        {"A's watchdog: PEXPIRE lock 10000 → 1",
         "15.000  ┣  │  A: 4 more renewals like this, since 6.000 s",
         "B: SET lock t2 NX EX 10 ⇢ lost, it never arrives", "counts as refused",
         "A leaves: DEL lock → 1, but the reply is lost",
         "A's client library sends it again: DEL lock → 1, released", "A deletes the key of B",
         "B's clock jumps back by 5 s", "B's watchdog stalls for 3 s", "B's watchdog goes on"});
}

TEST(TimelineText, shortens_the_long_words_of_live_runs) {
    const std::string text = text_of(crowd());
    EXPECT_EQ(text.find("locklab:"), std::string::npos);
    EXPECT_EQ(text.find("f00dfeed"), std::string::npos);
    expect_in_order(
        text, {"A: SET lock t1", "B: SET lock t2", "Redis restarts", "none", "delete_own(lock,"});
}

TEST(TimelineText, fits_a_terminal) {
    for (const Scene& scene : {slow_holder(), crashed_holder(), late_delete(), paused_between(),
                               bad_network(), crowd(), Scene{}}) {
        for (const std::string& line : lines_of(text_of(scene))) {
            EXPECT_LE(columns_of(line), 110U) << line;
        }
    }
}

TEST(TimelineText, says_that_nothing_happened) {
    expect_in_order(text_of(Scene{}), {"unknown", "nothing happened"});
}

/// A, with a key of 10 s, and what B does to it after one.
Scene struck(const Command& command, const Reply& reply, const std::string& value,
             std::int64_t ttl) {
    SceneStory scene;
    scene.named("A").named("B");
    scene.call(0, Phase::acquire, set_command("t1"), Reply::ok()).key("t1", 10'000);
    scene.granted(0, "t1").at(1'000).call(1, Phase::acquire, command, reply);
    value.empty() ? scene.no_key() : scene.key(value, ttl);
    return scene.at(2'000).leaving(0).end(3'000);
}

TEST(TimelineText, tells_every_command_that_deletes_as_what_it_is) {
    for (const char* word : {"UNLINK", "unlink", "del", "GETDEL"}) {
        const bool gets = std::string(word) == "GETDEL";
        const std::string text = text_of(
            struck(Command::of(word, "lock"), gets ? Reply::bulk("t1") : Reply::integer(1), "", 0));
        expect_in_order(text, {std::string(word) + " lock", "B deletes the key of A"});
        EXPECT_EQ(text.find("expires"), std::string::npos) << text;
    }
}

TEST(TimelineText, tells_whose_key_it_is_whatever_command_wrote_it) {
    for (const char* word : {"SETEX", "psetex"}) {
        const std::string text =
            text_of(struck(Command::of(word, "lock", 20, "t2"), Reply::ok(), "t2", 20'000));
        expect_in_order(text, {std::string(word) + " lock 20 t2", "t2 of B, 20 s left",
                               "B overwrites the key of A"});
    }
}

TEST(TimelineText, a_key_that_is_gone_before_its_time_has_not_expired) {
    SceneStory scene;
    scene.named("A");
    scene.call(0, Phase::acquire, set_command("t1"), Reply::ok()).key("t1", 10'000);
    scene.granted(0, "t1").at(1'000).note(0, Phase::inside, event::Read{0}).no_key();
    const std::string text = text_of(scene.at(2'000).leaving(0).end(3'000));
    expect_in_order(text, {"the key is gone"});
    EXPECT_EQ(text.find("expires"), std::string::npos) << text;
}

}  // namespace
}  // namespace locklab::timeline_text_test
