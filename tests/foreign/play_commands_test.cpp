// What is drawn anew in each play gets a name, so that plays can be compared.

#include "harness/foreign/play_commands.h"

#include <gtest/gtest.h>

#include "tests/check/story.h"

namespace locklab::play_commands_test {
namespace {

TEST(NameWords, names_tokens_in_commands_and_in_all_that_a_reply_holds) {
    Story story("driver", "lock");
    story.wants(0).ran(0, Phase::acquire, Command::of("ZADD", "real-key", "1", "drawn"),
                       Reply::array({Reply::bulk("drawn"), Reply::array({Reply::bulk("drawn")}),
                                     Reply::bulk("other"), Reply::integer(1)}));
    History history = story.end();
    name_words(history, "real-key", "lock", {"drawn"});
    const auto& ran = std::get<event::Executed>(history.events.back().detail);
    EXPECT_EQ(ran.command[1], "lock");
    EXPECT_EQ(ran.command[3], "token 1");
    EXPECT_EQ(
        to_string(ran.reply),
        to_string(Reply::array({Reply::bulk("token 1"), Reply::array({Reply::bulk("token 1")}),
                                Reply::bulk("other"), Reply::integer(1)})));
}

}  // namespace
}  // namespace locklab::play_commands_test
