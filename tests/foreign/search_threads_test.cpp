#include "harness/foreign/search_threads.h"

#include <gtest/gtest.h>

#include "harness/live/processors.h"

namespace locklab::search_threads_test {
namespace {

TEST(SearchThreads, few_plays_do_not_pay_for_the_processes_of_many_threads) {
    EXPECT_EQ(usual_threads(10), 1U);
    EXPECT_EQ(usual_threads(1'000'000), std::min<std::size_t>(processors().size(), 32));
}

}  // namespace
}  // namespace locklab::search_threads_test
