// Article: none of the five; Valkey 9 (https://valkey.io/commands/delifeq/).
// Idea:    set_nx_lua, whose release is a command of the server and not a script.
// Claims:  as set_nx_lua, also where scripts are forbidden.
// Breaks:  what breaks set_nx_lua. Redis does not know the command.
#include "algorithms/algorithms.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

class SetNxDelifeq final : public Lock {
public:
    SetNxDelifeq(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply reply = co_await client_.command("SET", key_, token_, "NX", ttl_);
        if (reply.failed()) co_return Failed{reply};
        if (!reply.is_ok()) co_return Refused{};
        co_return Grant{token_, ttl_.duration()};
    }

    Task<Release> release() override {
        const Reply reply = co_await client_.command("DELIFEQ", key_, token_);
        if (reply.failed()) co_return Failed{reply};
        co_return reply.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Ttl ttl_;
    Token token_;
};

}  // namespace

std::unique_ptr<Lock> make_set_nx_delifeq(Client& client, const Key& key,
                                          const LockOptions& options) {
    return std::make_unique<SetNxDelifeq>(client, key, options);
}

}  // namespace locklab
