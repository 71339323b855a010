// Commands about the time to live.
#include <limits>
#include <optional>
#include <string>

#include "harness/store/redis/redis_commands.h"
#include "harness/store/redis/redis_errors.h"
#include "harness/store/redis/redis_text.h"
#include "harness/store/redis/script_engine.h"

namespace locklab::redis_command {

namespace {

enum class Unit : std::int64_t { milliseconds = 1, seconds = 1000 };

struct ExpireOptions {
    bool if_none = false;     ///< NX: only if there is no deadline
    bool if_any = false;      ///< XX: only if there is one
    bool if_later = false;    ///< GT
    bool if_earlier = false;  ///< LT
    std::optional<Reply> error;
};

ExpireOptions parse(std::span<const std::string_view> words) {
    ExpireOptions options;
    for (const std::string_view word : words) {
        if (is_word(word, "nx")) {
            options.if_none = true;
        } else if (is_word(word, "xx")) {
            options.if_any = true;
        } else if (is_word(word, "gt")) {
            options.if_later = true;
        } else if (is_word(word, "lt")) {
            options.if_earlier = true;
        } else {
            options.error = Reply::error("ERR Unsupported option " + one_line(trim_breaks(word)));
            return options;
        }
    }
    if (options.if_none && (options.if_any || options.if_later || options.if_earlier)) {
        options.error =
            Reply::error("ERR NX and XX, GT or LT options at the same time are not compatible");
    } else if (options.if_later && options.if_earlier) {
        options.error = Reply::error("ERR GT and LT options at the same time are not compatible");
    }
    return options;
}

/// A key without a deadline counts as expiring after every other.
bool allowed(const ExpireOptions& options, const KeyEntry& entry, std::int64_t when) {
    if (options.if_none && entry.has_deadline()) return false;
    if (options.if_any && !entry.has_deadline()) return false;
    if (options.if_later && (!entry.has_deadline() || when <= entry.deadline_ms)) return false;
    if (options.if_earlier && entry.has_deadline() && when >= entry.deadline_ms) return false;
    return true;
}

/// The instant that word 2 means, in ms; nothing if it is out of range.
std::optional<std::int64_t> instant(std::int64_t count, std::int64_t base_ms, Unit unit) {
    std::int64_t when = 0;
    if (__builtin_mul_overflow(count, static_cast<std::int64_t>(unit), &when)) return {};
    if (__builtin_add_overflow(when, base_ms, &when)) return {};
    return when;
}

Reply generic_expire(RedisCall& call, std::int64_t base_ms, Unit unit) {
    const ExpireOptions options = parse(call.words.subspan(3));
    if (options.error) return *options.error;
    const auto count = whole_number(call.words[2]);
    if (!count) return redis_error::not_an_integer();
    const auto when = instant(*count, base_ms, unit);
    if (!when) return redis_error::expire_time(call.row.name);
    KeyEntry* const entry = call.find(call.words[1]);
    if (entry == nullptr || !allowed(options, *entry, *when)) return Reply::integer(0);
    // A deadline of now deletes at once, though a key still lives in its last millisecond.
    if (*when <= call.now_ms) {
        call.keys.erase(call.words[1]);
    } else {
        entry->deadline_ms = *when;
        call.keys.touch(*entry);
    }
    return Reply::integer(1);
}

/// The time left, counted from `base_ms`.
Reply generic_ttl(RedisCall& call, std::int64_t base_ms, Unit unit) {
    const KeyEntry* const entry = call.find(call.words[1]);
    if (entry == nullptr) return Reply::integer(-2);
    if (!entry->has_deadline()) return Reply::integer(-1);
    call.scripts.note_reply_by_time();
    const std::int64_t left = entry->deadline_ms - base_ms;
    if (unit == Unit::milliseconds) return Reply::integer(left);
    return Reply::integer(
        static_cast<std::int64_t>((static_cast<std::uint64_t>(left) + 500) / 1000));
}

}  // namespace

Reply expire(RedisCall& call) { return generic_expire(call, call.now_ms, Unit::seconds); }
Reply pexpire(RedisCall& call) { return generic_expire(call, call.now_ms, Unit::milliseconds); }
Reply expireat(RedisCall& call) {
    call.scripts.note_clock();
    return generic_expire(call, 0, Unit::seconds);
}
Reply pexpireat(RedisCall& call) {
    call.scripts.note_clock();
    return generic_expire(call, 0, Unit::milliseconds);
}

Reply ttl(RedisCall& call) { return generic_ttl(call, call.now_ms, Unit::seconds); }
Reply pttl(RedisCall& call) { return generic_ttl(call, call.now_ms, Unit::milliseconds); }
Reply expiretime(RedisCall& call) {
    call.scripts.note_clock();
    return generic_ttl(call, 0, Unit::seconds);
}
Reply pexpiretime(RedisCall& call) {
    call.scripts.note_clock();
    return generic_ttl(call, 0, Unit::milliseconds);
}

Reply persist(RedisCall& call) {
    KeyEntry* const entry = call.find(call.words[1]);
    if (entry == nullptr || !entry->has_deadline()) return Reply::integer(0);
    entry->deadline_ms = kNever;
    call.keys.touch(*entry);
    return Reply::integer(1);
}

}  // namespace locklab::redis_command
