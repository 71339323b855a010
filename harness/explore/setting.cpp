#include "harness/explore/setting.h"

#include <stdexcept>

namespace locklab {

namespace {

/// Settings have 32 bits in a state, and a command of a client the other half of a key.
constexpr std::size_t kMostSettings = 0xFFFF0000;

}  // namespace

std::size_t SettingTable::Hash::operator()(const Setting& setting) const {
    const auto bits_of = [](const ServerData& data) {
        return std::uint64_t{data.shape} << 16 | data.remaining_ms;
    };
    std::uint64_t hash = (setting.budget.bits() ^ 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
    hash = (hash ^ hash >> 32 ^ bits_of(setting.server)) * 0xD6E8FEB86659FD93U;
    const std::uint64_t rest = bits_of(setting.saved) << 32 | setting.now;
    hash = (hash ^ hash >> 32 ^ rest) * 0xD6E8FEB86659FD93U;
    return hash ^ hash >> 32;
}

std::uint32_t SettingTable::number_of(const Setting& setting) {
    if (settings_.size() >= kMostSettings) throw std::length_error("too many states of the server");
    return settings_.number_of(setting);
}

std::optional<std::uint32_t> SettingTable::known_number_of(const Setting& setting) const {
    return settings_.find(setting);
}

SettingTable::Result SettingTable::execute(std::uint32_t setting, std::uint16_t command,
                                           std::uint32_t client) {
    if (const auto result = known(setting, command, client)) return *result;
    Setting after = settings_[setting];
    const ServerModel::Result result = server_.execute(after.server, command, client);
    after.server = result.data;
    executed_.add(key_of(setting, command, client), static_cast<std::uint32_t>(results_.size()));
    results_.push_back({number_of(after), result.reply});
    return results_.back();
}

std::uint32_t SettingTable::renamed(std::uint32_t setting, const Permutation& from) {
    if (const auto known = known_renamed(setting, from)) return *known;
    Setting after = settings_[setting];
    after.server.shape = server_.renamed(after.server.shape, from);
    if (after.has_saved()) after.saved.shape = server_.renamed(after.saved.shape, from);
    const std::uint32_t number = number_of(after);
    renamed_.add(std::uint64_t{setting} << 8 | code_of(from), number);
    return number;
}

std::optional<std::uint32_t> SettingTable::known_renamed(std::uint32_t setting,
                                                         const Permutation& from) const {
    if (!names_any(settings_[setting])) return setting;
    return renamed_.find(std::uint64_t{setting} << 8 | code_of(from));
}

}  // namespace locklab
