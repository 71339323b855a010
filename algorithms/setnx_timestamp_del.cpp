// Article: 000 and 002, the version that both warn of: the value is a deadline, and a client
//          that finds it past deletes the key and tries SETNX again.
// Idea:    a crashed holder's lock can be taken over, without any expiry in Redis.
// Claims:  a crash does not lock the others out for ever.
// Breaks:  two clients that both saw the deadline past: the second one's DEL deletes the key
//          that the first has just set. And clocks that differ, and a late holder.
#include "algorithms/algorithms.h"
#include "algorithms/deadline.h"

namespace locklab {

namespace {

class SetnxTimestampDel final : public Lock {
public:
    SetnxTimestampDel(Client& client, Key key, const LockOptions& options)
        : client_(client),
          key_(std::move(key)),
          clock_(client, options.clock_unit),
          timeout_(clock_.units(options.ttl)) {}

    Task<Acquired> try_acquire() override {
        reckon_deadline();
        const Reply created = co_await client_.command("SETNX", key_, deadline_);
        if (created.failed()) co_return Failed{created};
        if (created.is_integer(1)) co_return granted();

        const Reply held = co_await client_.command("GET", key_);
        if (held.failed()) co_return Failed{held};
        if (!held.is_bulk() || clock_.now() <= deadline_in(held)) co_return Refused{};

        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        reckon_deadline();
        const Reply taken = co_await client_.command("SETNX", key_, deadline_);
        if (taken.failed()) co_return Failed{taken};
        if (!taken.is_integer(1)) co_return Refused{};
        co_return granted();
    }

    Task<Release> release() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        if (deleted.failed()) co_return Failed{deleted};
        co_return deleted.is_integer(1) ? Release::yes : Release::not_ours;
    }

private:
    void reckon_deadline() {
        deadline_ = clock_.now() + timeout_ + 1;
        lease_ = clock_.until_past(deadline_);
    }
    Grant granted() const { return {Token{std::to_string(deadline_)}, lease_}; }

    Client& client_;
    const Key key_;
    const UnitClock clock_;
    const std::int64_t timeout_;
    std::int64_t deadline_ = 0;
    Duration lease_{0};  ///< until the deadline, from when that was computed
};

}  // namespace

std::unique_ptr<Lock> make_setnx_timestamp_del(Client& client, const Key& key,
                                               const LockOptions& options) {
    return std::make_unique<SetnxTimestampDel>(client, key, options);
}

}  // namespace locklab
