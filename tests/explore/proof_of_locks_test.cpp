// What `explore` says of locks that are unlike ours: in their tokens, their scripts, their tasks.

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "tests/explore/proof_run.h"
#include "tests/explore/written_lock.h"

namespace locklab::proof_of_locks_test {
namespace {

/// A lock that SET NX makes, with a value and a release as each of the locks below has them.
class Varied : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        value_ = fresh_value();
        const char* condition = forgets_nx() ? "PX" : "NX";
        Reply set;
        if (forgets_nx()) {
            set = co_await client_.command("SET", key_, value_, condition, ms());
        } else {
            set = co_await client_.command("SET", key_, value_, condition, "PX", ms());
        }
        if (set.is_unknown()) co_return Unknown{};
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{Token{value_}, ttl_};
    }
    Task<Release> release() override {
        static constexpr Script kRelease{
            "release_own",
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else "
            "return 0 end"};
        const Reply deleted = co_await client_.eval(kRelease, key_, value_);
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

protected:
    virtual std::string fresh_value() = 0;
    virtual bool forgets_nx() const { return false; }

    std::string value_;
};

class SecondClientForgetsNx final : public Varied {
public:
    using Varied::Varied;
    std::string fresh_value() override { return client_.fresh_token().text; }
    bool forgets_nx() const override { return client_.id().value == 1; }
};

class NumberAndCounter final : public Varied {
public:
    using Varied::Varied;
    std::string fresh_value() override {
        return std::to_string(client_.id().value) + "-" + std::to_string(++count_);
    }
    int count_ = 0;
};

class FixedForEachClient final : public Varied {
public:
    using Varied::Varied;
    std::string fresh_value() override { return "client " + std::to_string(client_.id().value); }
};

class FirstDigit final : public Varied {
public:
    using Varied::Varied;
    std::string fresh_value() override { return client_.fresh_token().text.substr(0, 1); }
};

class LastTwelveDigits final : public Varied {
public:
    using Varied::Varied;
    std::string fresh_value() override { return client_.fresh_token().text.substr(20); }
};

FaultBudget one(Hazard hazard) {
    FaultBudget faults;
    faults[hazard] = 1;
    return faults;
}

TEST(Proof, tells_one_client_from_another) {
    const Algorithm lock = written<SecondClientForgetsNx>("set_nx_lua", "second_client_forgets_nx");
    const Proof proof = prove(lock, FaultBudget());
    ASSERT_EQ(proof.verdict, Verdict::violated) << proof.why_unknown;
    EXPECT_GT(judged_on_stage(proof).overlaps, 0U);
}

TEST(Proof, of_a_token_of_number_and_counter_is_exact) {
    const Algorithm lock = written<NumberAndCounter>("set_nx_lua", "number_and_counter");
    for (const Hazard hazard : {Hazard::retry, Hazard::delay_request, Hazard::lose_reply}) {
        const Proof proof = prove(lock, one(hazard));
        EXPECT_EQ(name_of(proof.verdict), "holds") << proof.why_unknown;
    }
}

TEST(Proof, finds_a_token_that_is_used_again) {
    const Algorithm lock = written<FixedForEachClient>("set_nx_lua", "fixed_for_each_client");
    EXPECT_EQ(prove(lock, FaultBudget()).verdict, Verdict::holds);
    const Proof proof = prove(lock, one(Hazard::delay_request));
    ASSERT_EQ(proof.verdict, Verdict::violated) << proof.why_unknown;
    EXPECT_GT(judged_on_stage(proof).overlaps, 0U);
}

TEST(Proof, of_a_token_that_is_cut_is_a_violation_or_none) {
    const Algorithm first_digit = written<FirstDigit>("set_nx_lua", "first_digit");
    const Proof collides = prove(first_digit, one(Hazard::delay_request));
    ASSERT_EQ(collides.verdict, Verdict::violated) << collides.why_unknown;
    EXPECT_GT(judged_on_stage(collides).overlaps, 0U);
    const Proof cut =
        prove(written<LastTwelveDigits>("set_nx_lua", "last_twelve"), one(Hazard::delay_request));
    EXPECT_EQ(cut.verdict, Verdict::unknown);
    EXPECT_NE(cut.why_unknown.find("tokens"), std::string::npos) << cut.why_unknown;
}

/// Its script, and not the lock, looks at a part of the token.
class ScriptComparesTheEnd final : public Varied {
public:
    using Varied::Varied;
    std::string fresh_value() override { return client_.fresh_token().text; }
    Task<Release> release() override {
        static constexpr Script kRelease{
            "release_alike",
            "local held = redis.call('get', KEYS[1]) "
            "if held and string.sub(held, -2) == string.sub(ARGV[1], -2) then "
            "return redis.call('del', KEYS[1]) else return 0 end"};
        const Reply deleted = co_await client_.eval(kRelease, key_, value_);
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }
};

TEST(Proof, sees_what_a_script_does_with_a_part_of_a_token) {
    const Algorithm lock = written<ScriptComparesTheEnd>("set_nx_lua", "script_compares_the_end");
    const Proof proof = prove(lock, one(Hazard::delay_request));
    ASSERT_EQ(proof.verdict, Verdict::violated) << proof.why_unknown;
    EXPECT_GT(judged_on_stage(proof).overlaps, 0U);
}

/// Its renewal puts the key back where it finds it gone.
class PutsItBack final : public Varied {
public:
    PutsItBack(Client& client, Key key, const LockOptions& options)
        : Varied(client, std::move(key), options), renewal_(options.renewal) {}
    std::string fresh_value() override { return client_.fresh_token().text; }

    Task<Acquired> try_acquire() override {
        Acquired acquired = co_await Varied::try_acquire();
        if (acquired.grant() != nullptr) watchdog_ = client_.spawn(renew());
        co_return acquired;
    }
    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted.is_unknown() ? Release::unknown : Release::yes;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            co_await client_.command("SET", key_, value_, "PX", ms());
        }
    }
    const Duration renewal_;
    Background watchdog_;
};

/// A renewal has left, its task is cancelled, and DEL overtakes it on the other connection: then it
/// puts back a key that nobody will delete, until its time to live is over. No fault is needed.
TEST(Proof, sees_a_request_that_outlives_its_task) {
    Algorithm lock = written<PutsItBack>("set_nx_lua", "puts_it_back");
    lock.defaults = algorithm_named("watchdog_owned")->defaults;
    lock.renews = true;
    const auto longest_orphan = [](const Proof& proof) {
        Duration longest{0};
        for (const Searched& searched : proof.searches) {
            longest = std::max(longest, searched.result.longest_orphan);
        }
        return longest;
    };
    EXPECT_GE(longest_orphan(prove(lock, FaultBudget())), std::chrono::milliseconds(1200));
    EXPECT_LT(longest_orphan(prove(*algorithm_named("watchdog_owned"), FaultBudget())),
              std::chrono::milliseconds(200));
}

/// Starts its watchdog before it asks for the lock.
class StartsItsWatchdogFirst final : public Varied {
public:
    using Varied::Varied;

    Task<Acquired> try_acquire() override {
        watchdog_ = client_.spawn(renew());
        Acquired acquired = co_await Varied::try_acquire();
        if (acquired.grant() == nullptr) client_.cancel(watchdog_);
        co_return acquired;
    }
    Task<Release> release() override {
        client_.cancel(watchdog_);
        return Varied::release();
    }

private:
    std::string fresh_value() override { return client_.fresh_token().text; }
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(ttl_ / 3);
            co_await client_.command("PEXPIRE", key_, ms());
        }
    }
    Background watchdog_;
};

/// Its time to live is not the one of its options, and too long for the states of a search.
class HundredSeconds final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SET", key_, "1", "NX", "EX", 100);
        if (!set.is_ok()) co_return Refused{};
        co_return Grant{Token{"1"}, std::chrono::seconds(100)};
    }
};

class SendsWhatNobodyKnows final : public Varied {
public:
    using Varied::Varied;
    std::string fresh_value() override { return client_.fresh_token().text; }
    Task<Release> release() override {
        co_await client_.command("XADD", key_, "*", "a", "b");
        co_return Release::yes;
    }
};

TEST(Proof, of_what_cannot_be_searched_is_a_sentence) {
    const Proof long_lease =
        prove(written<HundredSeconds>("set_nx_lua", "hundred_seconds"), FaultBudget());
    EXPECT_EQ(long_lease.verdict, Verdict::unknown);
    EXPECT_NE(long_lease.why_unknown.find("times to live"), std::string::npos);
    const Proof unknown =
        prove(written<SendsWhatNobodyKnows>("set_nx_lua", "sends_xadd"), FaultBudget());
    EXPECT_EQ(unknown.verdict, Verdict::unknown);
    EXPECT_NE(unknown.why_unknown.find("XADD"), std::string::npos) << unknown.why_unknown;
}

TEST(Proof, of_a_watchdog_that_starts_before_its_lock_is_held_is_a_sentence) {
    FaultBudget crash;
    crash[Hazard::crash] = 1;
    const Proof proof =
        prove(written<StartsItsWatchdogFirst>("set_nx_lua", "starts_its_watchdog_first"), crash);
    EXPECT_EQ(proof.verdict, Verdict::unknown);
    EXPECT_NE(proof.why_unknown.find("before they are held"), std::string::npos)
        << proof.why_unknown;
}

}  // namespace
}  // namespace locklab::proof_of_locks_test
