#include "harness/store/redis/redis_store.h"

namespace locklab {

void RedisStore::on(const Input& input, WallTime now, Outbox& out) {
    if (std::holds_alternative<Tick>(input)) data_.expire(now);
    const auto* request = std::get_if<Request>(&input);
    if (request == nullptr) return;  // connections have no state here
    if (watched_) delta_.before(data_, *watched_, now);
    out.reply(data_.execute(*request->command, now, *scripts_));
    if (!watched_) return;
    out.delta(delta_.after(data_));
    out.others(delta_.others(data_));
}

}  // namespace locklab
