// Article: none of the five; Valkey 8.1 and 9 (https://valkey.io/commands/set/).
// Idea:    watchdog_owned without scripts: SET key token IFEQ token PX renews, DELIFEQ releases.
// Claims:  as watchdog_owned, also where scripts are forbidden.
// Breaks:  what breaks watchdog_owned. Redis does not know the commands.
#include "algorithms/algorithms.h"

namespace locklab {

namespace {

class WatchdogIfeq final : public Lock {
public:
    WatchdogIfeq(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options.ttl), renewal_(options.renewal) {}

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", milliseconds());
        if (set.failed()) co_return Failed{set};
        if (!set.is_ok()) co_return Refused{};
        token_ = token;
        watchdog_ = client_.spawn(renew());
        co_return Grant{token_, ttl_};
    }

    Task<Release> release() override {
        client_.cancel(watchdog_);
        const Reply deleted = co_await client_.command("DELIFEQ", key_, token_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(renewal_);
            Reply renewed = Reply::unknown();
            while (renewed.is_unknown()) {
                renewed = co_await client_.command("SET", key_, token_, "IFEQ", token_, "PX",
                                                   milliseconds());
            }
            if (!renewed.is_ok()) co_return client_.lost();
        }
    }
    std::int64_t milliseconds() const { return ttl_ / std::chrono::milliseconds(1); }

    Client& client_;
    const Key key_;
    const Duration ttl_;
    const Duration renewal_;
    Token token_;
    Background watchdog_;
};

}  // namespace

std::unique_ptr<Lock> make_watchdog_ifeq(Client& client, const Key& key,
                                         const LockOptions& options) {
    return std::make_unique<WatchdogIfeq>(client, key, options);
}

}  // namespace locklab
