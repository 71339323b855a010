#include "harness/core/task.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "harness/core/client.h"

namespace locklab::task_test {
namespace {

Task<int> immediate(int value) { co_return value; }

Task<> add_many(int times, int& sum) {
    for (int i = 0; i < times; ++i) sum += co_await immediate(1);
}

Task<int> depth(int levels) {
    if (levels == 0) co_return 0;
    const int below = co_await depth(levels - 1);
    co_return below + 1;
}

Task<> store(Task<int> inner, int& result) { result = co_await std::move(inner); }

TEST(TaskTest, is_lazy) {
    int sum = 0;
    Task<> task = add_many(3, sum);
    EXPECT_EQ(sum, 0);
    EXPECT_FALSE(task.done());
}

TEST(TaskTest, a_million_completions_in_a_row_need_no_stack) {
    int sum = 0;
    Task<> task = add_many(1'000'000, sum);
    Runner runner;
    task.start_on(runner);
    runner.run();
    EXPECT_TRUE(task.done());
    EXPECT_EQ(sum, 1'000'000);
}

TEST(TaskTest, deep_nesting_needs_no_stack) {
    int result = 0;
    Task<> task = store(depth(50'000), result);
    Runner runner;
    task.start_on(runner);
    runner.run();
    EXPECT_EQ(result, 50'000);
}

Task<> hold(std::shared_ptr<int> value) {
    co_await std::suspend_always();
    *value = 0;
}

Task<int> throws(int value) {
    if (value == 0) throw std::runtime_error("no value");
    co_return value;
}

Task<> catches(int& result) {
    try {
        result = co_await throws(0);
    } catch (const std::runtime_error&) {
        result = -1;
    }
}

Task<> passes_on(int& result) { result = co_await throws(0); }

TEST(TaskTest, who_awaits_is_thrown_what_was_thrown) {
    int result = 0;
    Task<> task = catches(result);
    Runner runner;
    task.start_on(runner);
    runner.run();
    EXPECT_EQ(result, -1);
    EXPECT_EQ(task.thrown(), nullptr);
}

TEST(TaskTest, the_owner_of_the_first_asks_what_was_thrown) {
    int result = 0;
    Task<> task = passes_on(result);
    Runner runner;
    task.start_on(runner);
    runner.run();
    EXPECT_TRUE(task.done());
    EXPECT_EQ(result, 0);
    EXPECT_THROW(std::rethrow_exception(task.thrown()), std::runtime_error);
}

struct Aggregate {
    std::string text;
};

/// What g++ 12 would destroy twice is no word of a command.
TEST(TaskTest, a_temporary_aggregate_is_no_word) {
    EXPECT_FALSE(OutlivesCoAwait<Aggregate>);
    EXPECT_TRUE(OutlivesCoAwait<Aggregate&>);
    EXPECT_TRUE(OutlivesCoAwait<Key>);
    EXPECT_TRUE(OutlivesCoAwait<Token>);
    EXPECT_TRUE(OutlivesCoAwait<NodeId>);
    EXPECT_TRUE(OutlivesCoAwait<std::string>);
}

TEST(TaskTest, destroying_a_suspended_task_destroys_what_it_holds) {
    auto value = std::make_shared<int>(7);
    {
        Task<> task = hold(value);
        Runner runner;
        task.start_on(runner);
        runner.run();
        EXPECT_EQ(value.use_count(), 2);
    }
    EXPECT_EQ(value.use_count(), 1);
    EXPECT_EQ(*value, 7);
}

}  // namespace
}  // namespace locklab::task_test
