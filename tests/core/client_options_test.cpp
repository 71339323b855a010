#include "harness/core/client_options.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/core/lock.h"
#include "harness/core/run_spec.h"

namespace locklab::client_options_test {
namespace {

using namespace std::chrono_literals;

std::string error_of(const std::string& text) {
    UnequalClients clients;
    try {
        read_client_times(text, &ClientOptions::ttl, clients);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(ClientOptions, are_read_client_by_client) {
    UnequalClients clients;
    read_client_times("C=2s,A=500ms", &ClientOptions::ttl, clients);
    read_client_times("C=300ms", &ClientOptions::job, clients);
    ASSERT_EQ(clients.size(), 2U);
    EXPECT_EQ(clients[0], (ClientOptions{ClientId{0}, 500ms, {}, {}, {}}));
    EXPECT_EQ(clients[1], (ClientOptions{ClientId{2}, 2s, {}, 300ms, {}}));
    EXPECT_EQ(to_string(clients[1]), "has a TTL of 2s, has jobs of 300ms");
    EXPECT_EQ(options_of(clients, ClientId{1}), nullptr);
}

TEST(ClientOptions, say_what_cannot_be_read) {
    for (const char* text :
         {"", "B", "B=", "B=soon", "b=1s", "BB=1s", "B=-1s", "B=1s,", "1=1s", "B=2000min"}) {
        EXPECT_NE(error_of(text).find("is no client's time up to a day; right would be B=500ms"),
                  std::string::npos)
            << text;
    }
    EXPECT_EQ(error_of("B=1s,B=2s"), "client B is named twice in 'B=1s,B=2s'; right would be once");
}

TEST(ClientOptions, may_have_a_ttl_of_0_and_no_other_time) {
    UnequalClients clients;
    read_client_times("B=0s", &ClientOptions::ttl, clients);
    ASSERT_EQ(clients.size(), 1U);
    EXPECT_EQ(clients[0].ttl, Duration::zero());
    const LockOptions usual{.ttl = 10s, .renewal = 3s};
    EXPECT_EQ(its_options(ClientId{1}, usual, clients).renewal, 3s) << "not at one instant";
    EXPECT_THROW(read_client_times("B=0s", &ClientOptions::job, clients), std::invalid_argument);
}

TEST(ClientOptions, say_how_a_client_wants_the_lock) {
    UnequalClients clients;
    read_client_modes("B=shared,A=alone", clients);
    ASSERT_EQ(clients.size(), 2U);
    EXPECT_EQ(clients[0].mode, Mode::alone);
    EXPECT_EQ(to_string(clients[0]), "wants it alone");
    EXPECT_EQ(to_string(clients[1]), "shares it");
    for (const char* text : {"", "B", "B=", "B=both", "b=alone", "B=alone,"}) {
        try {
            UnequalClients others;
            read_client_modes(text, others);
            ADD_FAILURE() << text;
        } catch (const std::invalid_argument& error) {
            EXPECT_NE(std::string(error.what()).find("right would be B=alone or B=shared"),
                      std::string::npos)
                << error.what();
        }
    }
}

TEST(ClientOptions, a_mode_is_kept_only_where_the_lock_has_both) {
    Algorithm lock;
    const UnequalClients asked{{ClientId{0}, {}, {}, {}, Mode::alone}};
    EXPECT_TRUE(kept_by(lock, asked).empty());
    EXPECT_EQ(its_mode(ClientId{1}, lock, asked), Mode::alone) << "nobody shares a mutex";
    lock.permits = 2;
    EXPECT_TRUE(kept_by(lock, asked).empty());
    EXPECT_EQ(its_mode(ClientId{0}, lock, asked), Mode::shared);
    lock.both_modes = true;
    EXPECT_EQ(kept_by(lock, asked), asked);
    EXPECT_EQ(its_mode(ClientId{0}, lock, asked), Mode::alone);
    EXPECT_EQ(its_mode(ClientId{0}, lock, {}), Mode::shared);
    EXPECT_EQ(its_mode(ClientId{1}, lock, {}), Mode::alone);
}

TEST(ClientOptions, a_lock_renews_as_often_in_its_own_time_to_live) {
    const LockOptions usual{.ttl = 10s, .renewal = 3s};
    const UnequalClients clients{{ClientId{1}, 5s, {}, {}}, {ClientId{2}, 20s, 1s, {}}};
    EXPECT_EQ(its_options(ClientId{0}, usual, clients).ttl, 10s);
    EXPECT_EQ(its_options(ClientId{1}, usual, clients).ttl, 5s);
    EXPECT_EQ(its_options(ClientId{1}, usual, clients).renewal, 1500ms);
    EXPECT_EQ(its_options(ClientId{2}, usual, clients).renewal, 1s);
    EXPECT_EQ(longest_ttl(usual, clients), 20s);
    const LockOptions never{};
    EXPECT_EQ(its_options(ClientId{1}, never, clients).ttl, 0s);
    EXPECT_EQ(its_options(ClientId{2}, never, clients).renewal, 0s);
}

TEST(ClientOptions, nobody_is_told_late_who_renews_seldom) {
    Algorithm lock;
    const LockOptions usual{.ttl = 10s, .renewal = 3s};
    EXPECT_EQ(told_within(lock, usual, {}, 1s), 0s);
    lock.renews = true;
    EXPECT_EQ(told_within(lock, usual, {}, 1s), 4s);
    EXPECT_EQ(told_within(lock, usual, {{ClientId{1}, {}, 6s, {}}}, 1s), 7s);
}

TEST(ClientOptions, a_run_is_as_patient_as_its_longest_time_to_live_needs) {
    RunSpec spec;
    spec.options.ttl = spec.scale = 10s;
    set_timeout(spec, 1s);
    const Duration usual = spec.patience;
    spec.unequal = {{ClientId{1}, 40s, {}, {}}};
    set_timeout(spec, 1s);
    EXPECT_EQ(spec.patience, 4 * usual);
    spec.unequal = {{ClientId{1}, {}, {}, 30s}};
    set_timeout(spec, 1s);
    EXPECT_EQ(spec.patience, usual + 3 * 30s);
}

}  // namespace
}  // namespace locklab::client_options_test
