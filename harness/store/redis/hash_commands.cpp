// Commands on hashes, for locks that count their holds.
#include <string>
#include <vector>

#include "harness/store/redis/redis_commands.h"
#include "harness/store/redis/redis_errors.h"
#include "harness/store/redis/redis_text.h"

namespace locklab::redis_command {

namespace {

HashValue* hash_of(KeyEntry& entry) { return std::get_if<HashValue>(&entry.value); }

/// The hash to write to, created if there is no key; null if the key holds another type.
HashValue* hash_to_write(RedisCall& call) {
    KeyEntry* const entry = call.find(call.words[1]);
    if (entry != nullptr) return hash_of(*entry);
    return hash_of(call.keys.add(call.words[1], HashValue()));
}

void wrote_hash(RedisCall& call) { call.keys.touch(*call.find(call.words[1])); }

/// The result of `answer` for the hash; `absent` if there is no key.
template <class Answer>
Reply ask(RedisCall& call, Reply absent, Answer answer) {
    KeyEntry* const entry = call.find(call.words[1]);
    if (entry == nullptr) return absent;
    HashValue* const hash = hash_of(*entry);
    return hash != nullptr ? answer(*hash) : redis_error::wrong_type();
}

}  // namespace

Reply hset(RedisCall& call) {
    if (call.words.size() % 2 != 0) return redis_error::arity(call.row.name);
    HashValue* const hash = hash_to_write(call);
    if (hash == nullptr) return redis_error::wrong_type();
    std::int64_t added = 0;
    for (std::size_t i = 2; i < call.words.size(); i += 2) {
        if (hash->set(call.words[i], call.words[i + 1])) ++added;
    }
    wrote_hash(call);
    return Reply::integer(added);
}

Reply hsetnx(RedisCall& call) {
    HashValue* const hash = hash_to_write(call);
    if (hash == nullptr) return redis_error::wrong_type();
    if (hash->find(call.words[2]) != nullptr) return Reply::integer(0);
    hash->set(call.words[2], call.words[3]);
    wrote_hash(call);
    return Reply::integer(1);
}

Reply hget(RedisCall& call) {
    return ask(call, Reply::nil(), [&](HashValue& hash) {
        const std::string* value = hash.find(call.words[2]);
        return value != nullptr ? Reply::bulk(*value) : Reply::nil();
    });
}

Reply hdel(RedisCall& call) {
    return ask(call, Reply::integer(0), [&](HashValue& hash) {
        std::int64_t deleted = 0;
        for (const std::string_view field : call.words.subspan(2)) {
            if (hash.erase(field)) ++deleted;
        }
        if (hash.fields().empty()) {
            call.keys.erase(call.words[1]);
        } else if (deleted > 0) {
            wrote_hash(call);
        }
        return Reply::integer(deleted);
    });
}

Reply hexists(RedisCall& call) {
    return ask(call, Reply::integer(0), [&](HashValue& hash) {
        return Reply::integer(hash.find(call.words[2]) != nullptr ? 1 : 0);
    });
}

Reply hincrby(RedisCall& call) {
    const auto amount = whole_number(call.words[3]);
    if (!amount) return redis_error::not_an_integer();
    HashValue* const hash = hash_to_write(call);
    if (hash == nullptr) return redis_error::wrong_type();
    std::int64_t value = 0;
    if (const std::string* text = hash->find(call.words[2])) {
        const auto number = whole_number(*text);
        if (!number) return Reply::error("ERR hash value is not an integer");
        value = *number;
    }
    if (__builtin_add_overflow(value, *amount, &value)) return redis_error::overflow();
    hash->set(call.words[2], std::to_string(value));
    wrote_hash(call);
    return Reply::integer(value);
}

Reply hgetall(RedisCall& call) {
    return ask(call, Reply::array({}), [](HashValue& hash) {
        std::vector<Reply> pairs;
        for (const HashField& field : hash.fields()) {
            pairs.push_back(Reply::bulk(field.name));
            pairs.push_back(Reply::bulk(field.value));
        }
        return Reply::array(std::move(pairs));
    });
}

Reply hlen(RedisCall& call) {
    return ask(call, Reply::integer(0), [](HashValue& hash) {
        return Reply::integer(static_cast<std::int64_t>(hash.fields().size()));
    });
}

Reply hmset(RedisCall& call) {
    const Reply added = hset(call);
    return added.is_error() ? added : Reply::ok();
}

Reply hmget(RedisCall& call) {
    KeyEntry* const entry = call.find(call.words[1]);
    HashValue* const hash = entry != nullptr ? hash_of(*entry) : nullptr;
    if (entry != nullptr && hash == nullptr) return redis_error::wrong_type();
    std::vector<Reply> values;
    for (const std::string_view field : call.words.subspan(2)) {
        const std::string* value = hash != nullptr ? hash->find(field) : nullptr;
        values.push_back(value != nullptr ? Reply::bulk(*value) : Reply::nil());
    }
    return Reply::array(std::move(values));
}

Reply hkeys(RedisCall& call) {
    return ask(call, Reply::array({}), [](HashValue& hash) {
        std::vector<Reply> names;
        for (const HashField& field : hash.fields()) names.push_back(Reply::bulk(field.name));
        return Reply::array(std::move(names));
    });
}

Reply hvals(RedisCall& call) {
    return ask(call, Reply::array({}), [](HashValue& hash) {
        std::vector<Reply> values;
        for (const HashField& field : hash.fields()) values.push_back(Reply::bulk(field.value));
        return Reply::array(std::move(values));
    });
}

Reply hstrlen(RedisCall& call) {
    return ask(call, Reply::integer(0), [&](HashValue& hash) {
        const std::string* value = hash.find(call.words[2]);
        return Reply::integer(value != nullptr ? static_cast<std::int64_t>(value->size()) : 0);
    });
}

}  // namespace locklab::redis_command
