#include "harness/explore/server_model.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "harness/store/redis/key_delta.h"

namespace locklab {

namespace {

/// If clients are alike, a client's names for its own tokens do not say whose they are. On the
/// server each name includes its client.
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

std::string framed(char kind, const std::string& word) {
    return kind + std::to_string(word.size()) + ':' + word;
}

/// Every word of a key, each with its role. `named` gives the text of a word.
template <class Named>
std::string text_of(const KeyEntry& entry, Named named) {
    std::string text = framed('k', named(entry.name));
    if (const auto* value = std::get_if<std::string>(&entry.value)) {
        return text + framed('s', named(*value));
    }
    for (const HashField& field : std::get<HashValue>(entry.value).fields()) {
        text += framed('f', named(field.name)) + framed('v', named(field.value));
    }
    return text;
}

/// All words that are stored: equal for equal data, and only then.
template <class Named>
std::string text_of(const RedisModel& model, Named named) {
    std::vector<std::string> keys;
    for (const KeyEntry& entry : model.keys().entries()) keys.push_back(text_of(entry, named));
    std::sort(keys.begin(), keys.end());
    std::string text;
    for (const std::string& key : keys) text += key;
    return text;
}
std::string text_of(const RedisModel& model) {
    return text_of(model, [](const std::string& word) -> const std::string& { return word; });
}

/// A bit for each client whose token is in the text.
std::uint8_t clients_named_in(std::string_view named) {
    unsigned clients = 0;
    with_names(named, [&](std::string_view inside) {
        clients |= 1U << static_cast<unsigned>(inside[1] - '0');
        return std::string();
    });
    return static_cast<std::uint8_t>(clients);
}

/// The text with the owner of each token renamed.
std::string rename(std::string_view text, const Permutation& from) {
    return with_names(text, [&](std::string_view inside) {
        const auto old = static_cast<std::uint8_t>(inside[1] - '0');
        const auto place = std::find(from.begin(), from.end(), old) - from.begin();
        return kNameBegins + ("c" + std::to_string(place)) + std::string(inside.substr(2)) +
               kNameEnds;
    });
}

/// When each key expires, with names of tokens in place of their texts.
std::map<std::string, std::int64_t> deadlines_of(const RedisModel& model, const TokenNames& names) {
    std::map<std::string, std::int64_t> deadlines;
    for (const KeyEntry& entry : model.keys().entries()) {
        if (entry.has_deadline()) deadlines[names.named(entry.name)] = entry.deadline_ms;
    }
    return deadlines;
}

/// The same data with each word changed by `change`.
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

ServerModel::ServerModel(ClientModel& clients, ScriptNames scripts, std::vector<std::string> keys)
    : clients_(clients),
      lefts_(1),
      keys_(std::move(keys)),
      known_scripts_(scripts.size()),
      script_names_(std::move(scripts)),
      script_texts_(known_scripts_) {
    left_numbers_[{}] = 0;
    scripts_.run_in(clients.server());
    number_of(RedisModel());
}

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
    note_keys(model);
    named_.push_back(clients_named_in(clients_.names().named(text)));
    RedisModel without = model;
    if (without.evict(kKey)) without_lock_[number] = number_of(without);
    return number;
}

ServerData ServerModel::renamed(ServerData data, const Permutation& from) {
    // Tokens in the names of keys count too.
    if (!names_any(data)) return data;
    TokenNames& names = clients_.names();
    const auto by_from = [&](const std::string& word) {
        return names.real(rename(names.named(word), from));
    };
    const std::uint64_t shape = std::uint64_t{data.shape} << 8 | code_of(from);
    if (!renamed_.find(shape)) {
        const std::uint16_t number =
            number_of(with_data(RedisModel(shapes_[data.shape]), scripts_, by_from));
        renamed_.add(shape, number);
    }
    data.shape = static_cast<std::uint16_t>(*renamed_.find(shape));
    if (data.open != 0) {
        const std::uint64_t open = std::uint64_t{data.open} << 8 | code_of(from);
        if (!renamed_opens_.find(open)) {
            renamed_opens_.add(open, number_of(renamed(opens_[data.open], from, by_from)));
        }
        data.open = static_cast<std::uint16_t>(*renamed_opens_.find(open));
    }
    if (data.others == 0) return data;
    const std::uint64_t others = std::uint64_t{data.others} << 8 | code_of(from);
    if (!renamed_lefts_.find(others)) {
        Left left = lefts_[data.others];
        for (auto& [name, ms] : left.keys) name = by_from(name);
        std::ranges::sort(left.keys);
        const std::uint16_t number = number_of(std::move(left));
        renamed_lefts_.add(others, number);
    }
    data.others = static_cast<std::uint16_t>(*renamed_lefts_.find(others));
    return data;
}

ServerModel::Result ServerModel::execute(ServerData data, std::uint16_t command,
                                         std::uint32_t client, std::uint32_t connection) {
    const SessionId from = session_id(client, connection);
    const std::uint64_t key =
        std::uint64_t{data_numbers_.number_of(data)} << 24 | std::uint64_t{command} << 8 | from;
    if (const auto place = executed_.find(key)) return results_[*place];
    TokenNames& names = clients_.names();
    const Command named = with_words(
        clients_.command(command), [&](std::string_view word) { return to_server(word, client); });
    const Command sent = with_words(named, [&](std::string_view word) { return names.real(word); });
    const auto [after, reply, takes] = execute(data, sent, from);
    answered_.insert(locklab::answered(sent, reply));
    const Reply named_reply =
        with_text(reply, [&](const std::string& text) { return names.named(text); });
    compare(data, named, from, after, named_reply);
    const Reply seen =
        clients_.is_apart() ? named_reply : with_text(named_reply, [&](const std::string& text) {
            return to_client(text, client);
        });
    executed_.add(key, static_cast<std::uint32_t>(results_.size()));
    results_.push_back({after, clients_.number_of(seen), takes});
    return results_.back();
}

/// Whether the command does the same with other tokens; checked once for all times to live.
void ServerModel::compare(ServerData data, const Command& named, SessionId from, ServerData after,
                          const Reply& reply) {
    const bool has_token = to_string(named).find(kNameBegins) != std::string::npos;
    if (clients_.cuts_tokens() || (!has_token && !names_any(data))) return;
    if (!compared_
             .insert({data.shape, data.remaining_ms == ServerData::kNever, data.others == 0,
                      data.scripts, data.open, from, named.script(), to_string(named)})
             .second) {
        return;
    }
    TokenNames& names = clients_.names();
    TokenNames& others = clients_.other_names();
    const auto change = [&](const std::string& word) { return others.real(names.named(word)); };
    const RedisModel before = model_of(data);
    RedisModel model = with_data(before, scripts_, change);
    for (const KeyEntry& entry : before.keys().entries()) {
        if (entry.has_deadline()) expire_at(model, change(entry.name), entry.deadline_ms);
    }
    add_scripts(model, data);
    model.sessions() = renamed_words(before.sessions(), change);
    const Reply its_reply = run(
        model, with_words(named, [&](std::string_view word) { return others.real(word); }), from);
    model.expire(kEpoch);
    const RedisModel expected = model_of(after);
    // A token may be the name of a key, and keys are ordered by name, so compare with names.
    const auto named_text = [](const RedisModel& of, const TokenNames& by) {
        return locklab::text_of(of, [&](const std::string& word) { return by.named(word); });
    };
    const bool same =
        with_text(its_reply, [&](const std::string& text) { return others.named(text); }) ==
            reply &&
        named_text(model, others) == named_text(expected, names) &&
        deadlines_of(model, others) == deadlines_of(expected, names) &&
        model.sessions() == renamed_words(expected.sessions(), change) &&
        scripts_of(model) == after.scripts;
    if (!same) clients_.learn_that_tokens_are_cut();
}

/// Asks the engine what the command, or its script, used: the text of a script may hide that.
void ServerModel::learn_what_was_asked(const Command& sent) {
    if (!scripts_.not_modelled().empty()) {
        throw std::length_error("the model of Redis does not know " + scripts_.not_modelled() +
                                ", which '" + shape_of(sent) + "' asks for");
    }
    // A search's server knows times to live, but no time of day.
    if (scripts_.asked().clock) {
        throw std::length_error(
            "locks that ask the server what time it is, or tell it a time of day, are not "
            "searched");
    }
    for (const Sha1& name : scripts_.asked().scripts) {
        if (std::ranges::find(script_names_, name) != script_names_.end()) continue;
        if (script_names_.size() == kMostScripts) {
            throw std::length_error("locks that look for more than " +
                                    std::to_string(kMostScripts) +
                                    " scripts in the server's cache are not searched");
        }
        script_names_.push_back(name);
    }
}

ServerModel::Answer ServerModel::execute(ServerData data, const Command& sent, SessionId from) {
    RedisModel model = model_of(data);
    KeyDelta delta;
    delta.before(model, kKey, kEpoch);
    scripts_.forget_asked();
    scripts_.forget_not_modelled();
    Reply reply = run(model, sent, from);
    learn_what_was_asked(sent);
    const KeyEffect::Kind effect = delta.after(model).kind;
    const bool takes = effect == KeyEffect::Kind::created || effect == KeyEffect::Kind::replaced;
    return {data_of(model), std::move(reply), takes};
}

/// Redis expires a key strictly after its deadline.
ServerData ServerModel::shift_lock(ServerData data, std::int32_t ms) const {
    if (data.remaining_ms == ServerData::kNever) return data;
    if (data.remaining_ms < ms) return evict(data);
    data.remaining_ms = room_for(std::int64_t{data.remaining_ms} - ms);
    return data;
}

ServerData ServerModel::evict(ServerData data) const {
    data.shape = without_lock_[data.shape];
    data.remaining_ms = ServerData::kNever;
    return data;
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
