// Transactions: commands that wait for EXEC, and keys that must not change until then.
#include <utility>
#include <vector>

#include "harness/store/redis/redis_commands.h"
#include "harness/store/redis/redis_model.h"

namespace locklab::redis_command {

namespace {

/// A key whose deadline passed unseen since it was watched has changed too.
bool has_changed(const RedisCall& call, const Session& session) {
    if (session.touched) return true;
    return std::ranges::any_of(session.watched, [&](const WatchedKey& key) {
        const KeyEntry* const entry = call.keys.stored(key.name);
        return !key.was_expired && entry != nullptr && entry->expired(call.now_ms);
    });
}

/// To Valkey such a command is an error of the transaction, and EXEC will not run it.
Reply not_inside(const RedisCall& call, Session& open, const char* in_redis) {
    if (!is_valkey(call.scripts.server())) return Reply::error(in_redis);
    open.refuse();
    return Reply::error("ERR Command '" + std::string(call.row.name) +
                        "' not allowed inside a transaction");
}

}  // namespace

Reply watch(RedisCall& call) {
    Sessions& sessions = call.keys.sessions();
    if (Session* const open = sessions.in_transaction(call.from)) {
        return not_inside(call, *open, "ERR WATCH inside MULTI is not allowed");
    }
    Session& session = sessions.at(call.from);
    for (const std::string_view name : call.words.subspan(1)) {
        const bool is_known =
            std::ranges::find(session.watched, name, &WatchedKey::name) != session.watched.end();
        if (session.touched || is_known) continue;
        const KeyEntry* const entry = call.keys.stored(name);
        const bool is_expired = entry != nullptr && entry->expired(call.now_ms);
        session.watched.push_back({std::string(name), is_expired});
    }
    return Reply::ok();
}

Reply unwatch(RedisCall& call) {
    call.keys.sessions().close(call.from);
    return Reply::ok();
}

Reply multi(RedisCall& call) {
    Sessions& sessions = call.keys.sessions();
    if (Session* const open = sessions.in_transaction(call.from)) {
        return not_inside(call, *open, "ERR MULTI calls can not be nested");
    }
    sessions.at(call.from).in_transaction = true;
    return Reply::ok();
}

Reply exec(RedisCall& call) {
    Sessions& sessions = call.keys.sessions();
    Session* const open = sessions.in_transaction(call.from);
    if (open == nullptr) return Reply::error("ERR EXEC without MULTI");
    const bool changed = has_changed(call, *open);
    const Session session = std::move(*open);
    sessions.close(call.from);
    if (session.refused) {
        return Reply::error("EXECABORT Transaction discarded because of previous errors.");
    }
    if (changed) return Reply::nil();
    std::vector<Reply> replies;
    for (const QueuedCommand& queued : session.queue) {
        replies.push_back(call.model.execute(queued, call.now, call.scripts, call.from));
    }
    return Reply::array(std::move(replies));
}

Reply discard(RedisCall& call) {
    Sessions& sessions = call.keys.sessions();
    if (sessions.in_transaction(call.from) == nullptr) {
        return Reply::error("ERR DISCARD without MULTI");
    }
    sessions.close(call.from);
    return Reply::ok();
}

}  // namespace locklab::redis_command
