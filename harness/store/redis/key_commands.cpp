// Commands on keys of any type, and on the server.
#include <string>

#include "harness/store/redis/redis_commands.h"
#include "harness/store/redis/redis_errors.h"
#include "harness/store/redis/redis_text.h"
#include "harness/store/redis/script_engine.h"

namespace locklab::redis_command {

Reply del(RedisCall& call) {
    std::int64_t deleted = 0;
    for (const std::string_view key : call.words.subspan(1)) {
        if (call.find(key) == nullptr) continue;
        call.keys.erase(key);
        ++deleted;
    }
    return Reply::integer(deleted);
}

Reply exists(RedisCall& call) {
    std::int64_t count = 0;
    for (const std::string_view key : call.words.subspan(1)) {
        if (call.find(key) != nullptr) ++count;
    }
    return Reply::integer(count);
}

namespace {

/// With `unless_there`: RENAMENX.
Reply generic_rename(RedisCall& call, bool unless_there) {
    const std::string_view from = call.words[1];
    const std::string_view to = call.words[2];
    KeyEntry* const entry = call.find(from);
    if (entry == nullptr) return Reply::error("ERR no such key");
    const Reply done = unless_there ? Reply::integer(1) : Reply::ok();
    if (from == to) return unless_there ? Reply::integer(0) : done;
    if (call.find(to) != nullptr) {
        if (unless_there) return Reply::integer(0);
        call.keys.erase(to);
    }
    const KeyEntry moved = *call.find(from);
    call.keys.erase(from);
    call.keys.add(to, moved.value).deadline_ms = moved.deadline_ms;
    return done;
}

}  // namespace

Reply rename(RedisCall& call) { return generic_rename(call, false); }
Reply renamenx(RedisCall& call) { return generic_rename(call, true); }

Reply type(RedisCall& call) {
    const KeyEntry* const entry = call.find(call.words[1]);
    if (entry == nullptr) return Reply::status("none");
    return Reply::status(std::holds_alternative<HashValue>(entry->value) ? "hash" : "string");
}

Reply dbsize(RedisCall& call) {
    return Reply::integer(static_cast<std::int64_t>(call.keys.entries().size()));
}

Reply flushall(RedisCall& call) {
    const bool known = call.words.size() == 1 ||
                       (call.words.size() == 2 &&
                        (is_word(call.words[1], "sync") || is_word(call.words[1], "async")));
    if (!known) return redis_error::syntax();
    call.keys.clear();
    return Reply::ok();
}

Reply ping(RedisCall& call) {
    if (call.words.size() > 2) return redis_error::arity(call.row.name);
    if (call.words.size() == 1) return Reply::status("PONG");
    return Reply::bulk(std::string(call.words[1]));
}

/// All keys are in the first database: scripts of libraries choose it by its number. Another one is
/// not modelled.
Reply select(RedisCall& call) {
    if (call.words[1] != "0") call.scripts.note_not_modelled("SELECT of a database other than 0");
    return Reply::ok();
}

Reply echo(RedisCall& call) { return Reply::bulk(std::string(call.words[1])); }

/// The model has no subscriptions yet, so no client receives the message.
Reply publish(RedisCall&) { return Reply::integer(0); }

Reply time(RedisCall& call) {
    call.scripts.note_clock();
    call.scripts.note_reply_by_time();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(call.now);
    return Reply::array({Reply::bulk(std::to_string(seconds.time_since_epoch().count())),
                         Reply::bulk(std::to_string(us(Duration(call.now - seconds))))});
}

}  // namespace locklab::redis_command
