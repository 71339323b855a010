#include "harness/explore/server_model.h"

#include <algorithm>
#include <stdexcept>

namespace locklab {

namespace {

constexpr std::int64_t kNowMs = 1'767'225'600'000;
constexpr WallTime kNow{std::chrono::milliseconds(kNowMs)};
constexpr WallTime kBefore = kNow - std::chrono::hours(1);
constexpr const char* kKey = "lock";

/// Replaces each token "~<from>...~" by what `replace` makes of its inside.
template <class Replace>
std::string with_tokens(std::string_view text, Replace replace) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t end = text[i] == '~' ? text.find('~', i + 1) : std::string::npos;
        if (end == std::string::npos) {
            out += text[i];
            continue;
        }
        out += "~" + replace(text.substr(i + 1, end - i - 1)) + "~";
        i = end;
    }
    return out;
}

/// On the server, tokens say whose they are: "~c1.2~" is client 1's second.
std::string to_server(std::string_view text, std::uint32_t client) {
    return with_tokens(text, [&](std::string_view inside) {
        if (inside.starts_with('c')) return std::string(inside);
        return "c" + std::to_string(client) + "." + std::string(inside);
    });
}

std::string to_client(std::string_view text, std::uint32_t client) {
    const std::string own = "c" + std::to_string(client) + ".";
    return with_tokens(text, [&](std::string_view inside) {
        return std::string(inside.starts_with(own) ? inside.substr(own.size()) : inside);
    });
}

Reply to_client(const Reply& reply, std::uint32_t client) {
    if (reply.is_bulk()) return Reply::bulk(to_client(reply.text(), client));
    if (reply.kind() != Reply::Kind::array) return reply;
    std::vector<Reply> elements;
    for (const Reply& element : reply.elements()) elements.push_back(to_client(element, client));
    return Reply::array(std::move(elements));
}

Command to_server(const Command& command, std::uint32_t client) {
    Command sent = command.script() == nullptr ? Command() : Command(*command.script());
    for (std::size_t i = 0; i < command.size(); ++i) sent.add(to_server(command[i], client));
    return sent;
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

/// "c1.2" for whom the permutation says.
std::string rename(std::string_view text, const Permutation& from) {
    return with_tokens(text, [&](std::string_view inside) {
        const auto old = static_cast<std::uint8_t>(inside[1] - '0');
        const auto place = std::find(from.begin(), from.end(), old) - from.begin();
        return "c" + std::to_string(place) + std::string(inside.substr(2));
    });
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
    names_any_.push_back(text.find("~c") != std::string::npos ? 1 : 0);
    RedisModel without = model;
    if (without.evict(kKey)) without_lock_[number] = number_of(without);
    return number;
}

std::uint16_t ServerModel::renamed(std::uint16_t shape, const Permutation& from) {
    if (!names_any(shape)) return shape;
    const std::uint64_t key = std::uint64_t{shape} << 8 | code_of(from);
    if (const auto known = renamed_.find(key)) return static_cast<std::uint16_t>(*known);
    RedisModel other;
    const std::vector<KeyEntry> entries(shapes_[shape].keys().entries().begin(),
                                        shapes_[shape].keys().entries().end());
    for (const KeyEntry& entry : entries) {
        const std::string name = rename(entry.name, from);
        if (const auto* value = std::get_if<std::string>(&entry.value)) {
            other.execute(Command::of("SET", name, rename(*value, from)), kNow, scripts_);
            continue;
        }
        for (const HashField& field : std::get<HashValue>(entry.value).fields()) {
            other.execute(
                Command::of("HSET", name, rename(field.name, from), rename(field.value, from)),
                kNow, scripts_);
        }
    }
    const std::uint16_t number = number_of(other);
    renamed_.add(key, number);
    return number;
}

ServerModel::Result ServerModel::execute(ServerData data, std::uint16_t command,
                                         std::uint32_t client) {
    const std::uint64_t key = key_of(data, command, client);
    if (const auto place = executed_.find(key)) return results_[*place];
    const auto [after, reply] = run(data, to_server(clients_.command(command), client));
    executed_.add(key, static_cast<std::uint32_t>(results_.size()));
    results_.push_back({after, clients_.number_of(to_client(reply, client))});
    return results_.back();
}

std::pair<ServerData, Reply> ServerModel::execute(ServerData data, const Command& command) {
    const auto [after, reply] = run(data, to_server(command, Bounds::kMostClients));
    return {after, to_client(reply, Bounds::kMostClients)};
}

std::pair<ServerData, Reply> ServerModel::run(ServerData data, const Command& sent) {
    RedisModel model = shapes_[data.shape];
    if (data.remaining_ms != ServerData::kNever) {
        // Set beforehand: a deadline that is not ahead would delete the key at once.
        model.execute(Command::of("PEXPIREAT", kKey, kNowMs + data.remaining_ms), kBefore,
                      scripts_);
    }
    Reply reply = model.execute(sent, kNow, scripts_);
    ServerData after;
    const KeyEntry* entry = model.keys().stored(kKey);
    if (entry != nullptr && entry->has_deadline()) {
        const std::int64_t left = entry->deadline_ms - kNowMs;
        LOCKLAB_ASSERT(left >= 0 && left < ServerData::kNever);
        after.remaining_ms = static_cast<std::uint16_t>(left);
        model.execute(Command::of("PERSIST", kKey), kNow, scripts_);
    }
    for (const KeyEntry& other : model.keys().entries()) {
        LOCKLAB_ASSERT(!other.has_deadline() && "only the lock's key may expire");
    }
    model.script_cache().clear();
    after.shape = number_of(model);
    return {after, std::move(reply)};
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
