#include "harness/explore/server_model.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "harness/core/upper.h"
#include "harness/store/redis/key_delta.h"

namespace locklab {

namespace {

constexpr std::int64_t kNowMs = us(kEpoch) / 1000;
constexpr WallTime kBefore = kEpoch - std::chrono::hours(1);
constexpr const char* kKey = "lock";

/// Among clients that are alike, a client names its own tokens without saying whose they are. On
/// the server each name tells its client.
std::string to_server(std::string_view text, std::uint32_t client) {
    return with_names(text, [&](std::string_view inside) {
        const std::string whose = inside.starts_with('c') ? "" : "c" + std::to_string(client) + ".";
        return kNameBegins + whose + std::string(inside) + kNameEnds;
    });
}

std::string to_client(std::string_view text, std::uint32_t client) {
    const std::string own = "c" + std::to_string(client) + ".";
    return with_names(text, [&](std::string_view inside) {
        const std::size_t skip = inside.starts_with(own) ? own.size() : 0;
        return kNameBegins + std::string(inside.substr(skip)) + kNameEnds;
    });
}

/// Every word that is stored, with its place: the same for the same data and for no other.
std::string text_of(const RedisModel& model) {
    std::string text;
    const auto add = [&text](char kind, const std::string& word) {
        text += kind + std::to_string(word.size()) + ':' + word;
    };
    for (const KeyEntry& entry : model.keys().entries()) {
        add('k', entry.name);
        if (const auto* value = std::get_if<std::string>(&entry.value)) {
            add('s', *value);
            continue;
        }
        for (const HashField& field : std::get<HashValue>(entry.value).fields()) {
            add('f', field.name);
            add('v', field.value);
        }
    }
    return text;
}

/// A bit for each client of whom there is a token.
std::uint8_t clients_named_in(std::string_view named) {
    unsigned clients = 0;
    with_names(named, [&](std::string_view inside) {
        clients |= 1U << static_cast<unsigned>(inside[1] - '0');
        return std::string();
    });
    return static_cast<std::uint8_t>(clients);
}

/// The name of a token for whom the permutation says.
std::string rename(std::string_view text, const Permutation& from) {
    return with_names(text, [&](std::string_view inside) {
        const auto old = static_cast<std::uint8_t>(inside[1] - '0');
        const auto place = std::find(from.begin(), from.end(), old) - from.begin();
        return kNameBegins + ("c" + std::to_string(place)) + std::string(inside.substr(2)) +
               kNameEnds;
    });
}

/// The server of a search tells times to live, and no time of day.
void refuse_absolute_times(const Command& sent) {
    static constexpr std::array<std::string_view, 7> kWords{
        "TIME", "EXPIREAT", "PEXPIREAT", "EXPIRETIME", "PEXPIRETIME", "EXAT", "PXAT"};
    const auto is_word = [](std::string_view text) {
        return std::ranges::find(kWords, upper(text)) != kWords.end();
    };
    bool found = false;
    if (sent.script() == nullptr) {
        for (std::size_t i = 0; i < sent.size(); ++i) found = found || is_word(sent[i]);
    } else {
        // Of a script, what stands in quotes.
        const std::string_view lua = sent.script()->lua;
        for (std::size_t i = 0; i < lua.size(); ++i) {
            if (lua[i] != '\'' && lua[i] != '"') continue;
            const std::size_t end = std::min(lua.find(lua[i], i + 1), lua.size());
            found = found || is_word(lua.substr(i + 1, end - i - 1));
            i = end;
        }
    }
    if (found) {
        throw std::length_error(
            "locks that ask the server what time it is, or tell it a time of day, are not "
            "searched");
    }
}

/// What the model of Redis does not know it can say nothing about.
void refuse_unknown(const Command& sent, const Reply& reply) {
    const bool is_unknown = reply.text().find("unknown command") != std::string::npos ||
                            reply.text().find("Unknown Redis command") != std::string::npos;
    if (!reply.is_error() || !is_unknown) return;
    throw std::length_error("the model of Redis does not know a command of '" + shape_of(sent) +
                            "': " + reply.text());
}

/// The same data with each word as `change` makes it.
template <class Change>
RedisModel with_data(const RedisModel& model, ScriptEngine& scripts, Change change) {
    RedisModel other;
    for (const KeyEntry& entry : model.keys().entries()) {
        const std::string name = change(entry.name);
        if (const auto* value = std::get_if<std::string>(&entry.value)) {
            other.execute(Command::of("SET", name, change(*value)), kEpoch, scripts);
            continue;
        }
        for (const HashField& field : std::get<HashValue>(entry.value).fields()) {
            other.execute(Command::of("HSET", name, change(field.name), change(field.value)),
                          kEpoch, scripts);
        }
    }
    return other;
}

}  // namespace

ServerModel::ServerModel(ClientModel& clients) : clients_(clients) { number_of(RedisModel()); }

std::uint16_t ServerModel::number_of(const RedisModel& model) {
    const std::string text = locklab::text_of(model);
    const auto known = shape_numbers_.find(text);
    if (known != shape_numbers_.end()) return known->second;
    if (shapes_.size() == ServerData::kNoShape)
        throw std::length_error("too many states of the server");
    const auto number = static_cast<std::uint16_t>(shapes_.size());
    shape_numbers_[text] = number;
    shapes_.push_back(model);
    without_lock_.push_back(number);
    named_.push_back(clients_named_in(clients_.names().named(text)));
    RedisModel without = model;
    if (without.evict(kKey)) without_lock_[number] = number_of(without);
    return number;
}

std::uint16_t ServerModel::renamed(std::uint16_t shape, const Permutation& from) {
    if (!names_any(shape)) return shape;
    const std::uint64_t key = std::uint64_t{shape} << 8 | code_of(from);
    if (const auto known = renamed_.find(key)) return static_cast<std::uint16_t>(*known);
    TokenNames& names = clients_.names();
    const std::uint16_t number =
        number_of(with_data(RedisModel(shapes_[shape]), scripts_, [&](const std::string& word) {
            return names.real(rename(names.named(word), from));
        }));
    renamed_.add(key, number);
    return number;
}

ServerModel::Result ServerModel::execute(ServerData data, std::uint16_t command,
                                         std::uint32_t client) {
    const std::uint64_t key = key_of(data, command, client);
    if (const auto place = executed_.find(key)) return results_[*place];
    TokenNames& names = clients_.names();
    const Command named = with_words(
        clients_.command(command), [&](std::string_view word) { return to_server(word, client); });
    const auto [after, reply, takes] =
        execute(data, with_words(named, [&](std::string_view word) { return names.real(word); }));
    const Reply named_reply =
        with_text(reply, [&](const std::string& text) { return names.named(text); });
    compare(data, named, after, named_reply);
    const Reply seen =
        clients_.is_apart() ? named_reply : with_text(named_reply, [&](const std::string& text) {
            return to_client(text, client);
        });
    executed_.add(key, static_cast<std::uint32_t>(results_.size()));
    results_.push_back({after, clients_.number_of(seen), takes});
    return results_.back();
}

/// Whether it would do the same with other tokens, once for all times to live.
void ServerModel::compare(ServerData data, const Command& named, ServerData after,
                          const Reply& reply) {
    const bool has_token = to_string(named).find(kNameBegins) != std::string::npos;
    if (clients_.cuts_tokens() || (!has_token && !names_any(data.shape))) return;
    if (!compared_
             .insert({data.shape, data.remaining_ms == ServerData::kNever, named.script(),
                      to_string(named)})
             .second) {
        return;
    }
    TokenNames& names = clients_.names();
    TokenNames& others = clients_.other_names();
    const auto change = [&](const std::string& word) { return others.real(names.named(word)); };
    RedisModel model = with_data(shapes_[data.shape], scripts_, change);
    set_deadline(model, data);
    const Reply its_reply =
        model.execute(with_words(named, [&](std::string_view word) { return others.real(word); }),
                      kEpoch, scripts_);
    const auto named_text = [](const RedisModel& of, const TokenNames& by) {
        return by.named(locklab::text_of(of));
    };
    const bool same =
        with_text(its_reply, [&](const std::string& text) { return others.named(text); }) ==
            reply &&
        named_text(model, others) == named_text(shapes_[after.shape], names);
    if (!same) clients_.learn_that_tokens_are_cut();
}

void ServerModel::set_deadline(RedisModel& model, ServerData data) {
    if (data.remaining_ms == ServerData::kNever) return;
    // Set beforehand: a deadline that is not ahead would delete the key at once.
    model.execute(Command::of("PEXPIREAT", kKey, kNowMs + data.remaining_ms), kBefore, scripts_);
}

ServerModel::Answer ServerModel::execute(ServerData data, const Command& sent) {
    refuse_absolute_times(sent);
    RedisModel model = shapes_[data.shape];
    set_deadline(model, data);
    KeyDelta delta;
    delta.before(model, kKey, kEpoch);
    Reply reply = model.execute(sent, kEpoch, scripts_);
    const KeyEffect::Kind effect = delta.after(model).kind;
    const bool takes = effect == KeyEffect::Kind::created || effect == KeyEffect::Kind::replaced;
    ServerData after;
    const KeyEntry* entry = model.keys().stored(kKey);
    if (entry != nullptr && entry->has_deadline()) {
        const std::int64_t left = entry->deadline_ms - kNowMs;
        if (left >= ServerData::kNever) {
            throw std::length_error(
                "times to live of more than a minute are not searched; let the "
                "lock take its TTL from its options");
        }
        // A deadline that is past already: Redis has the key go as it is looked for.
        if (left < 0) {
            model.evict(kKey);
        } else {
            after.remaining_ms = static_cast<std::uint16_t>(left);
            model.execute(Command::of("PERSIST", kKey), kEpoch, scripts_);
        }
    }
    for (const KeyEntry& other : model.keys().entries()) {
        if (!other.has_deadline()) continue;
        throw std::length_error(
            "locks that let another key than their own expire are not searched"
            " (here '" +
            other.name + "')");
    }
    refuse_unknown(sent, reply);
    model.script_cache().clear();
    after.shape = number_of(model);
    return {after, std::move(reply), takes};
}

/// Redis lets a key expire strictly after its deadline.
ServerData ServerModel::later(ServerData data, std::uint16_t ms) const {
    if (data.remaining_ms == ServerData::kNever) return data;
    if (data.remaining_ms < ms) return evict(data);
    data.remaining_ms = static_cast<std::uint16_t>(data.remaining_ms - ms);
    return data;
}

ServerData ServerModel::evict(ServerData data) const {
    return {without_lock_[data.shape], ServerData::kNever};
}

std::string ServerModel::text_of(ServerData data) const {
    const KeyEntry* entry = shapes_[data.shape].keys().stored(kKey);
    if (entry == nullptr) return "";
    if (const auto* text = std::get_if<std::string>(&entry->value)) return *text;
    std::string fields;
    for (const HashField& field : std::get<HashValue>(entry->value).fields()) {
        fields += (fields.empty() ? "" : ", ") + field.name + ": " + field.value;
    }
    return fields;
}

}  // namespace locklab
