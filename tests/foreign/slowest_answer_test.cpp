#include "harness/foreign/slowest_answer.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace locklab::slowest_answer_test {
namespace {

constexpr std::int64_t kMs = 1'000'000;

struct Row {
    std::int64_t at_ms;
    std::uint64_t number;
    LinkMoment moment;
    std::string bytes{};
};

Duration slowest_of(std::initializer_list<Row> rows) {
    SlowestAnswer slowest;
    for (const Row& row : rows) {
        LinkEvent event;
        event.head.at_ns = row.at_ms * kMs;
        event.head.number = row.number;
        event.head.moment = row.moment;
        event.bytes = row.bytes;
        slowest.see(event);
    }
    return slowest.took();
}

using enum LinkMoment;

TEST(SlowestAnswer, is_the_longest_from_a_command_to_its_answer) {
    EXPECT_EQ(slowest_of({{1, 1, request, "GET k\r\n"},
                          {3, 1, answer},
                          {4, 2, request, "GET k\r\n"},
                          {9, 2, answer},
                          {10, 3, request, "GET k\r\n"}}),
              std::chrono::milliseconds(5));
}

TEST(SlowestAnswer, is_not_that_of_one_that_was_asked_to_wait_or_was_sent_behind_it) {
    EXPECT_EQ(slowest_of({{1, 1, request, "BLPOP k 1\r\n"},
                          {2, 2, request, "GET k\r\n"},
                          {500, 1, answer},
                          {501, 2, answer},
                          {502, 3, request, "GET k\r\n"},
                          {509, 3, answer}}),
              std::chrono::milliseconds(7));
}

}  // namespace
}  // namespace locklab::slowest_answer_test
