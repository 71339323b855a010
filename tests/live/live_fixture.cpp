#include "tests/live/live_fixture.h"

namespace locklab {

namespace {

class Hooked final : public Lock {
public:
    Hooked(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_ms_(options.ttl / 1ms) {}

    Task<Acquired> try_acquire() override {
        if (HookedLock::before_try) HookedLock::before_try(client_);
        token_ = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token_, "NX", "PX", ttl_ms_);
        if (HookedLock::after_try) HookedLock::after_try(client_, reply);
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        asking_ = client_.spawn(keep_asking());
        co_return Grant{token_};
    }

    Task<Release> release() override {
        client_.cancel(asking_);
        const Reply reply = co_await client_.command("DEL", key_);
        if (reply.failed()) co_return Failed{reply};
        co_return reply.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Task<> keep_asking() {
        for (;;) {
            co_await client_.sleep(1ms);
            co_await client_.command("GET", key_);
        }
    }

    Client& client_;
    const Key key_;
    const std::int64_t ttl_ms_;
    Token token_;
    Background asking_;
};

std::unique_ptr<Lock> make_hooked(Client& client, const Key& key, const LockOptions& options) {
    return std::make_unique<Hooked>(client, key, options);
}

}  // namespace

const Algorithm& HookedLock::algorithm() {
    static const Algorithm row{.name = "hooked",
                               .label = "Hooked",
                               .idea = {},
                               .source = "this test",
                               .colour = "#000000",
                               .defaults = {.ttl = 10s},
                               .renews = true,
                               .safe_under = {},
                               .broken_by = {},
                               .make = make_hooked};
    return row;
}

}  // namespace locklab
