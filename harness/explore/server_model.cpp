#include "harness/explore/server_model.h"

#include <algorithm>

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

}  // namespace

ServerModel::ServerModel(ClientModel& clients) : clients_(clients) { number_of(RedisModel()); }

std::uint16_t ServerModel::number_of(const RedisModel& model) {
    const auto known = std::find(shapes_.begin(), shapes_.end(), model);
    if (known != shapes_.end()) return static_cast<std::uint16_t>(known - shapes_.begin());
    LOCKLAB_ASSERT(shapes_.size() < 0xFFFF);
    const auto number = static_cast<std::uint16_t>(shapes_.size());
    shapes_.push_back(model);
    without_lock_.push_back(number);
    RedisModel without = model;
    if (without.evict(kKey)) without_lock_[number] = number_of(without);
    return number;
}

std::optional<ServerModel::Result> ServerModel::known(ServerData data, std::uint16_t command,
                                                      std::uint32_t client) const {
    const auto place = known_.find(key_of(data, command, client));
    if (!place) return std::nullopt;
    return results_[*place];
}

ServerModel::Result ServerModel::execute(ServerData data, std::uint16_t command,
                                         std::uint32_t client) {
    if (const auto result = known(data, command, client)) return *result;
    const auto [after, reply] = run(data, to_server(clients_.command(command), client));
    known_.add(key_of(data, command, client), static_cast<std::uint32_t>(results_.size()));
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
