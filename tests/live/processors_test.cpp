#include "harness/live/processors.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <thread>

namespace locklab::processors_test {
namespace {

int how_many_may_be_used() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    return CPU_COUNT(&allowed);
}

TEST(Processors, a_thread_and_what_it_starts_keep_to_one_until_it_is_let_go) {
    const int all = how_many_may_be_used();
    EXPECT_EQ(static_cast<int>(processors().size()), all);
    {
        const KeptOn last(processors().back());
        EXPECT_EQ(how_many_may_be_used(), 1);
        EXPECT_EQ(sched_getcpu(), processors().back());
        std::thread([] { EXPECT_EQ(how_many_may_be_used(), 1); }).join();
        {
            const KeptOn first(processors().front());
            EXPECT_EQ(sched_getcpu(), processors().front());
        }
        EXPECT_EQ(how_many_may_be_used(), 1) << "as before";
        EXPECT_EQ(current_processor(), processors().back());
    }
    EXPECT_EQ(how_many_may_be_used(), all);
}

TEST(Processors, a_thread_and_what_it_starts_give_way_and_no_other) {
    const int before = getpriority(PRIO_PROCESS, 0);
    std::thread([&] {
        give_way(19);
        std::thread([] { EXPECT_EQ(getpriority(PRIO_PROCESS, 0), 19); }).join();
    }).join();
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
}

TEST(Processors, a_thread_and_what_it_starts_go_before_others_where_the_kernel_lets_it) {
    const sched_param lowest{.sched_priority = sched_get_priority_min(SCHED_RR)};
    std::thread([&] {
        const bool may = sched_setscheduler(0, SCHED_RR, &lowest) == 0;
        sched_param none{};
        sched_setscheduler(0, SCHED_OTHER, &none);
        {
            const BeforeOthers prompt;
            const int expected = may ? SCHED_RR : SCHED_OTHER;
            EXPECT_EQ(sched_getscheduler(0), expected);
            std::thread([&] { EXPECT_EQ(sched_getscheduler(0), expected); }).join();
        }
        EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
    }).join();
}

}  // namespace
}  // namespace locklab::processors_test
