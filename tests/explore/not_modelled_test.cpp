// A lock that wants of Redis what the model of it does not know: nothing that the simulator shows
// of it is true of Redis.

#include <gtest/gtest.h>

#include "harness/core/run_spec.h"
#include "harness/explore/sim_campaign.h"
#include "harness/explore/sim_run.h"

namespace locklab::not_modelled_test {
namespace {

constexpr Script kQueue{"queue", "return redis.call('lpush', KEYS[1], ARGV[1])"};
constexpr Script kSwallows{"swallows",
                           "redis.pcall('lpush', KEYS[1], ARGV[1]) "
                           "return redis.call('set', KEYS[1], ARGV[1], 'NX')"};
constexpr Script kLibrary{"library", "return cjson.encode({KEYS[1]})"};
constexpr Script kWrong{"wrong", "return redis.call('get')"};

/// Grants itself the lock whatever is answered, so that it would be violated.
template <const Script* script>
class Scripted final : public Lock {
public:
    Scripted(Client& client, Key key) : client_(client), key_(std::move(key)) {}
    Task<Acquired> try_acquire() override {
        if constexpr (script == nullptr) {
            co_await client_.command("LPUSH", key_, "1");
        } else {
            co_await client_.eval(*script, key_, "1");
        }
        co_return Grant{};
    }
    Task<Release> release() override { co_return Release::yes; }

private:
    Client& client_;
    const Key key_;
};

template <const Script* script>
CampaignCount campaign() {
    const Algorithm row{.name = "scripted",
                        .label = {},
                        .idea = {},
                        .source = "this test",
                        .colour = "#000000",
                        .defaults = {.ttl = std::chrono::seconds(1)},
                        .safe_under = {},
                        .broken_by = {},
                        .make = [](Client& client, const Key& key, const LockOptions&) {
                            return std::unique_ptr<Lock>(new Scripted<script>(client, key));
                        }};
    const RunSpec spec = make_run_spec(row, row.defaults, Duration::zero(), FaultBudget());
    const StopFlag stop{false};
    return run_sim_campaign(spec, {1, 300, 20}, stop, {});
}

TEST(NotModelledInSim, a_command_is_named) {
    const CampaignCount count = campaign<nullptr>();
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    EXPECT_EQ(count.why_unknown(), "the model of Redis does not know LPUSH");
    EXPECT_FALSE(count.witness());
}

TEST(NotModelledInSim, a_command_of_a_script_is_named_even_where_it_swallows_the_error) {
    EXPECT_EQ(campaign<&kQueue>().why_unknown(), "the model of Redis does not know LPUSH");
    EXPECT_EQ(campaign<&kSwallows>().why_unknown(), "the model of Redis does not know LPUSH");
}

TEST(NotModelledInSim, a_library_of_scripts_is_named) {
    EXPECT_EQ(campaign<&kLibrary>().why_unknown(),
              "the model of Redis does not know the Lua library cjson");
}

TEST(NotModelledInSim, a_command_that_is_wrong_is_the_locks) {
    const CampaignCount count = campaign<&kWrong>();
    EXPECT_EQ(count.verdict(), Verdict::violated);
    EXPECT_GT(count.tally().error_answers(), 0U);
    EXPECT_NE(count.tally().first_error(), "");
}

}  // namespace
}  // namespace locklab::not_modelled_test
