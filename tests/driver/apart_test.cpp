// Work in a child process: what it found comes back whole, and however it ends, this process goes
// on.
#include "harness/driver/apart.h"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <new>
#include <string>

namespace locklab::apart_test {

namespace {

/// What is said of work that does not end by itself.
std::string end_of(const std::function<std::string(Apart&)>& work, std::uint64_t place = 0) {
    try {
        done_apart(work);
    } catch (const ApartError& error) {
        EXPECT_EQ(error.place, place);
        return error.what();
    }
    return "it ended by itself";
}

TEST(Apart, gives_what_the_child_found_however_long) {
    EXPECT_EQ(done_apart([](Apart&) { return std::string("found"); }), "found");
    const std::string large(3'000'001, 'x');
    EXPECT_EQ(done_apart([&](Apart&) { return large; }), large);
}

TEST(Apart, gives_what_the_child_threw) {
    try {
        done_apart([](Apart&) -> std::string { throw std::invalid_argument("a reason"); });
        ADD_FAILURE() << "nothing was thrown";
    } catch (const ApartError&) {
        ADD_FAILURE() << "the child ended by itself";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "a reason");
    }
}

TEST(Apart, a_crash_is_told_with_its_place) {
    const std::string said = end_of(
        [](Apart& apart) -> std::string {
            apart.at(12);
            std::signal(SIGTERM, SIG_DFL);
            std::raise(SIGTERM);
            return {};
        },
        12);
    EXPECT_EQ(said, "was ended by a signal (Terminated)");
}

TEST(Apart, memory_that_runs_out_is_told) {
    const std::string said = end_of([](Apart&) -> std::string { throw std::bad_alloc(); });
    EXPECT_EQ(said, "took more than 4 GB of memory");
}

TEST(Apart, the_parent_goes_on_with_what_it_had) {
    int here = 1;
    done_apart([&](Apart&) {
        here = 2;
        return std::string();
    });
    EXPECT_EQ(here, 1);
}

}  // namespace

}  // namespace locklab::apart_test
