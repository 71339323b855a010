// Article: none of the five; redis.io, "Distributed Locks with Redis", the Redlock algorithm.
// Idea:    a majority of three servers, asked at once, grants the lock while time is left.
// Claims:  safe while most servers keep their data and time, and the job ends within its lease.
// Breaks:  a pause or a slow job after the check; one server of the majority that forgets.
#include <algorithm>

#include "algorithms/algorithms.h"
#include "algorithms/compare_and_delete.h"
#include "algorithms/redlock_forms.h"

namespace locklab {

namespace {

constexpr Script kCompareAndExtend{
    "compare_and_extend",
    "if redis.call('get', KEYS[1]) == ARGV[1] "
    "then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end"};

bool did_it(const Reply& reply) { return reply.is_integer(1); }

template <class Predicate>
std::uint32_t count(const std::vector<Reply>& replies, Predicate predicate) {
    return static_cast<std::uint32_t>(std::ranges::count_if(replies, predicate));
}

}  // namespace

Task<Acquired> Redlock::try_acquire() {
    token_ = client_.fresh_token();
    const Duration began = clock();
    const Replies replies = co_await set_everywhere();
    const Duration left = left_since(began);
    if (is_majority(count(replies, &Reply::is_ok)) && left > Duration(0)) {
        if (form_.extends) watchdog_ = client_.spawn(extend());
        co_return Grant{token_, left};
    }
    if (form_.undoes) co_await client_.eval_all(kCompareAndDelete, key_, token_);
    if (count(replies, &Reply::failed) > 0) co_return Unknown{};
    co_return Refused{};
}

Task<Release> Redlock::release() {
    client_.cancel(watchdog_);
    const Replies replies = co_await client_.eval_all(kCompareAndDelete, key_, token_);
    const std::uint32_t deleted = count(replies, &did_it);
    if (is_majority(deleted)) co_return Release::yes;
    const std::uint32_t most = deleted + count(replies, &Reply::failed);
    co_return is_majority(most) ? Release::unknown : Release::not_ours;
}

Task<Redlock::Replies> Redlock::set_everywhere() {
    if (!form_.in_turn) {
        co_return co_await client_.ask_all("SET", key_, token_, "NX", "PX", milliseconds());
    }
    Replies replies;
    for (std::uint32_t i = 0; i < client_.servers(); ++i) {
        replies.push_back(
            co_await client_.command(NodeId{i}, "SET", key_, token_, "NX", "PX", milliseconds()));
    }
    co_return replies;
}

Task<> Redlock::extend() {
    for (;;) {
        co_await client_.sleep(renewal_);
        const Duration began = clock();
        const Replies replies =
            co_await client_.eval_all(kCompareAndExtend, key_, token_, milliseconds());
        if (is_majority(count(replies, &did_it)) && left_since(began) > Duration(0)) continue;
        client_.lost();
        co_return;
    }
}

std::unique_ptr<Lock> make_redlock(Client& client, const Key& key, const LockOptions& options) {
    return std::make_unique<Redlock>(client, key, options, RedlockForm{});
}

}  // namespace locklab
