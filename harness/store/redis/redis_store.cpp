#include "harness/store/redis/redis_store.h"

namespace locklab {

SessionId session_of(const Route& route) {
    constexpr int kBits = 24;
    LOCKLAB_ASSERT(route.connection < 1U << kBits);
    const std::uint64_t way =
        route.client.value * kChannels + static_cast<std::size_t>(route.channel);
    return way << kBits | route.connection;
}

void RedisStore::on(const Input& input, WallTime now, Outbox& out) {
    if (std::holds_alternative<Tick>(input)) data_.expire(now);
    if (const auto* closed = std::get_if<Closed>(&input)) data_.close(session_of(closed->route));
    const auto* request = std::get_if<Request>(&input);
    if (request == nullptr) return;
    if (watched_) delta_.before(data_, *watched_, now);
    out.reply(data_.execute(*request->command, now, *scripts_, session_of(request->route)));
    if (!watched_) return;
    out.delta(delta_.after(data_));
    out.others(delta_.others(data_));
}

}  // namespace locklab
