// Commands on strings, for locks of one key.
#include <string>
#include <vector>

#include "harness/store/redis/redis_commands.h"
#include "harness/store/redis/redis_errors.h"
#include "harness/store/redis/redis_text.h"
#include "harness/store/redis/script_engine.h"
#include "harness/store/redis/set_options.h"

namespace locklab::redis_command {

namespace {

std::string* text_of(KeyEntry& entry) { return std::get_if<std::string>(&entry.value); }

/// GET's reply for a key that may not exist.
Reply read(KeyEntry* entry) {
    if (entry == nullptr) return Reply::nil();
    const std::string* text = text_of(*entry);
    return text != nullptr ? Reply::bulk(*text) : redis_error::wrong_type();
}

/// Sets key `name`, which is `entry` if it exists, to a string; keeps its deadline.
KeyEntry& write(RedisCall& call, KeyEntry* entry, std::string_view name, std::string_view value) {
    if (entry == nullptr) return call.keys.add(name, std::string(value));
    if (std::string* text = text_of(*entry)) {
        text->assign(value);
    } else {
        entry->value = std::string(value);
    }
    call.keys.wrote(*entry);
    return *entry;
}

/// SET and its older forms. Replies `refused` if NX or XX forbids it.
Reply generic_set(RedisCall& call, const SetOptions& options, std::string_view value,
                  Reply (*done)(), Reply (*refused)()) {
    std::int64_t deadline = kNever;
    if (options.is_until()) call.scripts.note_clock();
    if (options.expires()) {
        const auto asked = set_deadline(options, call.now_ms);
        if (!asked) return redis_error::not_an_integer();
        if (*asked <= 0) return redis_error::expire_time(call.row.name);
        deadline = *asked;
    }
    const std::string_view name = call.words[1];
    KeyEntry* const entry = call.find(name);
    Reply before;
    if (options.get) {
        before = read(entry);
        if (before.is_error()) return before;
    }
    bool wanted = entry != nullptr ? !options.only_new : !options.only_existing;
    if (options.only_equal) {
        const Reply held = read(entry);
        if (held.is_error()) return held;
        wanted = held.is_bulk() && held.text() == options.equal;
    }
    const bool is_over = options.expires() && deadline <= call.now_ms;
    if (wanted && is_over && is_valkey(call.scripts.server())) {
        // Redis sets the key all the same, and finds it past its deadline later.
        if (entry != nullptr) call.keys.erase(name);
    } else if (wanted) {
        KeyEntry& written = write(call, entry, name, value);
        if (options.lifetime != SetOptions::Lifetime::keep) written.deadline_ms = deadline;
    }
    if (options.get) return before;
    return wanted ? done() : refused();
}

Reply one() { return Reply::integer(1); }
Reply zero() { return Reply::integer(0); }

Reply set_with_ttl(RedisCall& call, SetOptions::Lifetime lifetime) {
    SetOptions options;
    options.lifetime = lifetime;
    options.count = call.words[2];
    return generic_set(call, options, call.words[3], Reply::ok, Reply::nil);
}

Reply add(RedisCall& call, std::int64_t amount) {
    KeyEntry* const entry = call.find(call.words[1]);
    std::int64_t value = 0;
    if (entry != nullptr) {
        const std::string* text = text_of(*entry);
        if (text == nullptr) return redis_error::wrong_type();
        const auto number = whole_number(*text);
        if (!number) return redis_error::not_an_integer();
        value = *number;
    }
    if (__builtin_add_overflow(value, amount, &value)) return redis_error::overflow();
    write(call, entry, call.words[1], std::to_string(value));
    return Reply::integer(value);
}

}  // namespace

Reply set(RedisCall& call) {
    const auto options = parse_set_options(call.words.subspan(3), call.scripts.server());
    if (!options) return redis_error::syntax();
    return generic_set(call, *options, call.words[2], Reply::ok, Reply::nil);
}

Reply delifeq(RedisCall& call) {
    const Reply held = read(call.find(call.words[1]));
    if (held.is_error()) return held;
    const bool is_equal = held.is_bulk() && held.text() == call.words[2];
    if (is_equal) call.keys.erase(call.words[1]);
    return Reply::integer(is_equal ? 1 : 0);
}

Reply setnx(RedisCall& call) {
    SetOptions options;
    options.only_new = true;
    return generic_set(call, options, call.words[2], one, zero);
}

Reply setex(RedisCall& call) { return set_with_ttl(call, SetOptions::Lifetime::seconds); }
Reply psetex(RedisCall& call) { return set_with_ttl(call, SetOptions::Lifetime::milliseconds); }

Reply get(RedisCall& call) { return read(call.find(call.words[1])); }

Reply getset(RedisCall& call) {
    KeyEntry* const entry = call.find(call.words[1]);
    Reply before = read(entry);
    if (before.is_error()) return before;
    write(call, entry, call.words[1], call.words[2]).deadline_ms = kNever;
    return before;
}

Reply getdel(RedisCall& call) {
    Reply before = read(call.find(call.words[1]));
    if (before.is_bulk()) call.keys.erase(call.words[1]);
    return before;
}

Reply getex(RedisCall& call) {
    const auto options = parse_getex_options(call.words.subspan(2));
    if (!options) return redis_error::syntax();
    const auto deadline = set_deadline(options->set, call.now_ms);
    const bool is_wrong = options->set.expires() && (!deadline || *deadline <= 0);
    const Reply wrong =
        deadline ? redis_error::expire_time(call.row.name) : redis_error::not_an_integer();
    if (is_wrong && is_valkey(call.scripts.server())) return wrong;
    KeyEntry* const entry = call.find(call.words[1]);
    Reply value = read(entry);
    if (!value.is_bulk()) return value;
    if (options->persist && entry->has_deadline()) {
        entry->deadline_ms = kNever;
        call.keys.touch(*entry);
    }
    if (!options->set.expires()) return value;
    if (options->set.is_until()) call.scripts.note_clock();
    if (is_wrong) return wrong;
    // A deadline in the past, which only an absolute one can be, deletes at once.
    if (*deadline <= call.now_ms) {
        call.keys.erase(call.words[1]);
    } else {
        entry->deadline_ms = *deadline;
        call.keys.touch(*entry);
    }
    return value;
}

Reply append(RedisCall& call) {
    KeyEntry* const entry = call.find(call.words[1]);
    const Reply before = read(entry);
    if (before.is_error()) return before;
    const std::string value = before.text() + std::string(call.words[2]);
    write(call, entry, call.words[1], value);
    return Reply::integer(static_cast<std::int64_t>(value.size()));
}

Reply string_length(RedisCall& call) {
    const Reply value = read(call.find(call.words[1]));
    if (value.is_error()) return value;
    return Reply::integer(static_cast<std::int64_t>(value.text().size()));
}

Reply mget(RedisCall& call) {
    std::vector<Reply> values;
    for (const std::string_view key : call.words.subspan(1)) {
        Reply value = read(call.find(key));
        values.push_back(value.is_bulk() ? std::move(value) : Reply::nil());
    }
    return Reply::array(std::move(values));
}

Reply mset(RedisCall& call) {
    if (call.words.size() % 2 == 0) return redis_error::arity(call.row.name);
    for (std::size_t i = 1; i < call.words.size(); i += 2) {
        write(call, call.find(call.words[i]), call.words[i], call.words[i + 1]).deadline_ms =
            kNever;
    }
    return Reply::ok();
}

Reply msetnx(RedisCall& call) {
    if (call.words.size() % 2 == 0) return redis_error::arity(call.row.name);
    for (std::size_t i = 1; i < call.words.size(); i += 2) {
        if (call.find(call.words[i]) != nullptr) return Reply::integer(0);
    }
    mset(call);
    return Reply::integer(1);
}

Reply incr(RedisCall& call) { return add(call, 1); }
Reply decr(RedisCall& call) { return add(call, -1); }

Reply incrby(RedisCall& call) {
    const auto amount = whole_number(call.words[2]);
    return amount ? add(call, *amount) : redis_error::not_an_integer();
}

Reply decrby(RedisCall& call) {
    const auto amount = whole_number(call.words[2]);
    if (!amount) return redis_error::not_an_integer();
    if (*amount == std::numeric_limits<std::int64_t>::min()) {
        return Reply::error("ERR decrement would overflow");
    }
    return add(call, -*amount);
}

}  // namespace locklab::redis_command
