#include "harness/foreign/key_look.h"

#include <chrono>
#include <utility>
#include <vector>

namespace locklab {

namespace {

/// The field's name in a hash with one field.
std::string field_of(const KeyLook& look) { return look.value->substr(0, look.value->rfind(": ")); }

}  // namespace

KeyEffect KeyLook::after(const KeyLook& before, Duration apart) const {
    using Kind = KeyEffect::Kind;
    KeyEffect effect;
    effect.ttl = ttl.value_or(Duration(0));
    // A key about to expire may have expired in between: that is no command's effect.
    const bool may_expire = apart > Duration(0) && before.ttl && *before.ttl <= apart;
    const bool was_there = before.value && !may_expire;
    if (!was_there || !value) {
        if (was_there) {
            effect.kind = Kind::deleted;
        } else if (value && value != before.value) {
            effect.kind = Kind::created;
        }
        return effect;
    }
    const bool same_holder =
        is_hash == before.is_hash && (is_hash ? field_of(*this) == field_of(before) : true);
    const bool same_value = value == before.value;
    const bool same_end = ttl.has_value() == before.ttl.has_value() &&
                          (!ttl || (*ttl <= *before.ttl && *ttl >= *before.ttl - 10 * apart));
    if (!same_value && (!is_hash || !same_holder)) {
        effect.kind = Kind::replaced;
    } else if (!same_value || !same_end) {
        effect.kind = Kind::extended;
    }
    return effect;
}

KeyEffect effect_of(const Command& command, const KeyLook& before, const KeyLook& after,
                    Duration apart) {
    KeyEffect effect = after.after(before, apart);
    // GETSET writes, even if the value stays the same.
    const bool is_getset = !command.empty() && command[0] == "GETSET";
    const bool writes_anew = is_getset && before.value && after.value;
    if (writes_anew) effect.kind = KeyEffect::Kind::replaced;
    if (before.is_untold || after.is_untold) effect.source = KeyEffect::Source::uncertain;
    return effect;
}

std::vector<KeyEffect> effects_of(const Command& command, const std::vector<KeyLook>& before,
                                  const std::vector<KeyLook>& after, Duration apart) {
    std::vector<KeyEffect> effects;
    for (std::size_t i = 0; i < before.size(); ++i) {
        effects.push_back(effect_of(command, before[i], after[i], apart));
    }
    return effects;
}

Reply KeyWatch::ask(const Command& command) {
    const bool usable =
        connection_ != nullptr && connection_->trouble() == SyncConnection::Trouble::none;
    if (!usable) connection_ = std::make_unique<SyncConnection>(server_);
    return connection_->command(command);
}

namespace {

using Tell = std::function<Reply(const Command&)>;

std::string type_at(const std::string& key, const Tell& tell) {
    return tell(Command::of("TYPE", key)).text();
}

std::optional<StoredKey> stored_at(const std::string& key, const std::string& type,
                                   const Tell& tell) {
    const auto ask = [&](const char* command) { return tell(Command::of(command, key)); };
    std::optional<StoredKey> stored;
    if (type == "hash") {
        const Reply words = ask("HGETALL");
        HashValue hash;
        for (std::size_t i = 0; i + 1 < words.elements().size(); i += 2) {
            hash.set(words.elements()[i].text(), words.elements()[i + 1].text());
        }
        stored = StoredKey{std::move(hash)};
    } else if (type == "string") {
        const Reply value = ask("GET");
        if (value.is_bulk()) stored = StoredKey{value.text()};
    }
    const Reply left = ask("PTTL");
    if (left.is_integer(-2)) return std::nullopt;
    if (stored && left.as_integer() >= 0)
        stored->ttl = std::chrono::milliseconds(left.as_integer());
    return stored;
}

}  // namespace

std::optional<StoredKey> stored_at(const std::string& key, const Tell& tell) {
    return stored_at(key, type_at(key, tell), tell);
}

KeyLook look_at(const std::string& key, const Tell& ask) {
    const std::string type = type_at(key, ask);
    const std::optional<StoredKey> stored = stored_at(key, type, ask);
    KeyLook look;
    look.is_untold = !type.empty() && type != "none" && type != "string" && type != "hash";
    if (!stored) return look;
    look.ttl = stored->ttl;
    const auto* hash = std::get_if<HashValue>(&stored->value);
    look.is_hash = hash != nullptr;
    look.value.emplace(look.is_hash ? "" : std::get<std::string>(stored->value));
    if (!look.is_hash) return look;
    for (const HashField& field : hash->fields()) {
        *look.value += (look.value->empty() ? "" : ", ") + field.name + ": " + field.value;
    }
    return look;
}

std::vector<KeyEntry> keys_at(const Endpoint& endpoint) {
    SyncConnection server(endpoint);
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t now_ms = wall / std::chrono::milliseconds(1);
    const auto ask = [&](const Command& command) { return server.command(command); };
    std::vector<KeyEntry> keys;
    const Reply names = ask(Command::of("KEYS", "*"));
    for (const Reply& name : names.elements()) {
        std::optional<StoredKey> stored = stored_at(name.text(), ask);
        if (!stored) continue;
        KeyEntry key{name.text(), std::move(stored->value)};
        if (stored->ttl) key.deadline_ms = now_ms + *stored->ttl / std::chrono::milliseconds(1);
        keys.push_back(std::move(key));
    }
    return keys;
}

std::vector<std::string> KeyWatch::keys_to_evict() {
    return locklab::keys_to_evict(key_, [this](const Command& command) { return ask(command); });
}

void KeyWatch::evict(const std::string& told) {
    evict_named(told, key_, [this](const Command& command) { return ask(command); });
}

KeyLook KeyWatch::look(const std::string& key) {
    return look_at(key, [this](const Command& command) { return ask(command); });
}

void KeyWatch::remove_all() { ask(Command::of("FLUSHALL")); }

void KeyWatch::remove(const std::string& key) { ask(Command::of("DEL", key)); }

void KeyWatch::remove() { remove(key_); }

}  // namespace locklab
