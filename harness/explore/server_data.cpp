// Converts a server of a search between numbers and a whole Redis model: what it stores, when each
// key expires, and which scripts it has cached.

#include <algorithm>
#include <stdexcept>

#include "harness/explore/evicted_keys.h"
#include "harness/explore/server_model.h"

namespace locklab {

namespace {

constexpr std::int64_t kNowMs = us(kEpoch) / 1000;
constexpr WallTime kBefore = kEpoch - std::chrono::hours(1);

}  // namespace

std::uint16_t ServerModel::room_for(std::int64_t ms) {
    if (ms < ServerData::kNever) return static_cast<std::uint16_t>(ms);
    throw std::length_error(
        "times to live of more than a minute are not searched; let the lock take its TTL from its "
        "options");
}

void ServerModel::expire_at(RedisModel& model, const std::string& key, std::int64_t ms) {
    // Run an hour early: a deadline that is not in the future would delete the key at once.
    model.execute(Command::of("PEXPIREAT", key, ms), kBefore, scripts_);
}

std::uint16_t ServerModel::number_of(Left left) {
    const auto [row, fresh] =
        left_numbers_.try_emplace(left.keys, static_cast<std::uint16_t>(lefts_.size()));
    if (!fresh) return row->second;
    if (lefts_.size() == ServerData::kNoShape) {
        throw std::length_error("too many times at which keys expire");
    }
    for (const auto& [name, ms] : left.keys) left.first = std::min(left.first, ms);
    lefts_.push_back(std::move(left));
    return row->second;
}

RedisModel ServerModel::model_of(ServerData data) {
    RedisModel model = shapes_[data.shape];
    if (data.remaining_ms != ServerData::kNever) {
        expire_at(model, kKey, kNowMs + data.remaining_ms);
    }
    for (const auto& [name, ms] : lefts_[data.others].keys) {
        expire_at(model, name, kNowMs + ms);
    }
    add_scripts(model, data);
    model.sessions() = opens_[data.open];
    return model;
}

void ServerModel::add_scripts(RedisModel& model, ServerData data) const {
    for (std::size_t i = 0; i < known_scripts_; ++i) {
        if ((data.scripts >> i & 1U) == 0) continue;
        model.script_cache().add(script_names_[i], script_texts_[i]);
    }
}

std::uint16_t ServerModel::scripts_of(const RedisModel& model) {
    unsigned scripts = 0;
    for (std::size_t i = 0; i < known_scripts_; ++i) {
        const std::string* text = model.script_cache().find(script_names_[i]);
        if (text == nullptr) continue;
        scripts |= 1U << i;
        if (!script_texts_[i]) script_texts_[i] = std::make_shared<const std::string>(*text);
    }
    return static_cast<std::uint16_t>(scripts);
}

ServerData ServerModel::data_of(RedisModel& model, std::int32_t in_ms) {
    // Redis deletes a key past its deadline when a command looks for it; do that now.
    model.expire(kEpoch + std::chrono::milliseconds(in_ms));
    ServerData data;
    // What follows is no command, so it changes nothing that a connection watches.
    data.open = number_of(std::exchange(model.sessions(), Sessions()));
    Left left;
    for (const KeyEntry& entry : model.keys().entries()) {
        if (!entry.has_deadline()) continue;
        const std::uint16_t ms = room_for(entry.deadline_ms - kNowMs - in_ms);
        if (entry.name == kKey) {
            data.remaining_ms = ms;
        } else {
            left.keys.emplace_back(entry.name, ms);
        }
    }
    if (data.remaining_ms != ServerData::kNever) {
        model.execute(Command::of("PERSIST", kKey), kEpoch, scripts_);
    }
    for (const auto& [name, ms] : left.keys) {
        model.execute(Command::of("PERSIST", name), kEpoch, scripts_);
    }
    data.others = number_of(std::move(left));
    data.scripts = scripts_of(model);
    model.script_flush();
    data.shape = number_of(model);
    return data;
}

ServerData ServerModel::shifted(ServerData data, std::int32_t ms) {
    if (const auto known = known_shifted(data, ms)) return *known;
    if (data.open != 0) {
        RedisModel model = model_of(data);
        return learn_open(open_shifted_, data, shifted_by(ms), data_of(model, ms));
    }
    ServerData moved = shift_lock(data, ms);
    const std::uint64_t key = shift_key(moved, ms);
    RedisModel model = shapes_[moved.shape];
    Left left;
    for (const auto& [name, before] : lefts_[moved.others].keys) {
        if (before < ms) {
            model.evict(name);
        } else {
            left.keys.emplace_back(name, room_for(std::int64_t{before} - ms));
        }
    }
    moved.shape = number_of(model);
    moved.others = number_of(std::move(left));
    shifted_.add(key, std::uint32_t{moved.shape} << 16 | moved.others);
    return moved;
}

void ServerModel::note_keys(const RedisModel& model) {
    std::uint64_t there = 0;
    std::string unlisted;
    for (const KeyEntry& entry : model.keys().entries()) {
        const std::size_t place = place_of_key(keys_, entry.name);
        if (place < keys_.size()) {
            there |= std::uint64_t{1} << place;
        } else {
            const std::string name = without_tokens(entry.name);
            if (unlisted.empty() || name < unlisted) unlisted = name;
        }
    }
    keys_in_.push_back(there);
    unlisted_in_.push_back(std::move(unlisted));
}

void ServerModel::remove_key(RedisModel& model, std::uint16_t key) const {
    if (key == kEveryKey) return model.flush();
    model.evict(keys_[key]);
}

ServerData ServerModel::evicted(ServerData data, std::uint16_t key) {
    if (const auto known = known_evicted(data, key)) return *known;
    if (data.open != 0) {
        RedisModel model = model_of(data);
        remove_key(model, key);
        return learn_open(open_evicted_, data, key, data_of(model));
    }
    RedisModel model = shapes_[data.shape];
    model.evict(keys_[key]);
    Left left = lefts_[data.others];
    std::erase_if(left.keys, [&](const auto& other) { return other.first == keys_[key]; });
    left.first = ServerData::kNever;
    const std::uint64_t asked = evict_key(data, key);
    data.shape = number_of(model);
    data.others = number_of(std::move(left));
    evicted_.add(asked, std::uint32_t{data.shape} << 16 | data.others);
    return data;
}

std::optional<ServerData> ServerModel::known_evicted(ServerData data, std::uint16_t key) const {
    if (data.open != 0) return known_open(open_evicted_, data, key);
    if (key == 0) return evict(data);
    if (key == kEveryKey) return ServerData{.scripts = data.scripts};
    const std::optional<std::uint32_t> known = evicted_.find(evict_key(data, key));
    if (!known) return std::nullopt;
    data.shape = static_cast<std::uint16_t>(*known >> 16);
    data.others = static_cast<std::uint16_t>(*known & 0xFFFFU);
    return data;
}

std::optional<ServerData> ServerModel::known_shifted(ServerData data, std::int32_t ms) const {
    if (data.open != 0) return known_open(open_shifted_, data, shifted_by(ms));
    ServerData moved = shift_lock(data, ms);
    if (moved.others == 0) return moved;
    const std::optional<std::uint32_t> known = shifted_.find(shift_key(moved, ms));
    if (!known) return std::nullopt;
    moved.shape = static_cast<std::uint16_t>(*known >> 16);
    moved.others = static_cast<std::uint16_t>(*known & 0xFFFFU);
    return moved;
}

}  // namespace locklab
