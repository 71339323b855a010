// Article: none of the five. Martin Kleppmann, "How to do distributed locking" (2016).
// Idea:    one script takes the key and draws a fencing token, a counter that only grows. The job
//          shows it with each read and write, and a resource that has seen a newer one refuses.
// Claims:  as set_nx_lua; and a holder that comes back after its TTL can do no harm to such a
//          resource, though two clients are inside at once.
// Breaks:  mutual exclusion under the same faults as set_nx_lua; the resource if Redis also forgets
//          the counter, and draws tokens again that were used before.
#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"
#include "algorithms/ttl.h"

namespace locklab {

namespace {

constexpr Script kAcquireAndCount{
    "acquire_and_count",
    "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) "
    "then return redis.call('incr', KEYS[1] .. ':fence') else return 0 end"};

class Fenced final : public Lock {
public:
    Fenced(Client& client, Key key, const LockOptions& options)
        : client_(client), key_(std::move(key)), ttl_(options) {}

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply drawn =
            co_await client_.eval(kAcquireAndCount, key_, token_, ttl_.milliseconds());
        if (drawn.failed()) co_return Failed{drawn};
        if (drawn.as_integer() == 0) co_return Refused{};
        co_return Grant{token_, ttl_.duration(), static_cast<std::uint64_t>(drawn.as_integer())};
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.eval(kCompareAndDelete, key_, token_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    Client& client_;
    const Key key_;
    const Ttl ttl_;
    Token token_;
};

}  // namespace

std::unique_ptr<Lock> make_fenced(Client& client, const Key& key, const LockOptions& options) {
    return std::make_unique<Fenced>(client, key, options);
}

}  // namespace locklab
