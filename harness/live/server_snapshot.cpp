#include "harness/live/server_snapshot.h"

#include <array>
#include <fstream>
#include <stdexcept>

#include "harness/core/printable.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

/// One script, so that all data is of one instant. A private server has 16 databases, Redis'
/// default.
constexpr const char* kEverything = R"(
local found = {}
local time = redis.call('TIME')
for database = 0, 15 do
  redis.call('SELECT', database)
  for _, key in ipairs(redis.call('KEYS', '*')) do
    local value = redis.call('DUMP', key)
    local left = redis.call('PTTL', key)
    local deadline = 0
    if left >= 0 then deadline = time[1] * 1000 + math.floor(time[2] / 1000) + left end
    if value and left ~= -2 then
      found[#found + 1] = tostring(database)
      found[#found + 1] = key
      found[#found + 1] = value
      found[#found + 1] = string.format('%.0f', deadline)
    end
  end
end
return found)";
constexpr std::size_t kWordsOfAKey = 4;

/// DUMP ends with the version of the format, in two bytes, and a checksum.
constexpr std::size_t kVersion = 2;
constexpr std::size_t kChecksum = 8;

/// Marks of the RDB format: see Redis' rdb.h.
constexpr char kExpiresAt = '\xFC';
constexpr char kDatabase = '\xFE';
constexpr char kEnd = '\xFF';

std::string little_endian(std::uint64_t number, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(number >> 8 * i & 0xFF);
    return text;
}

/// The text after its length in 32-bit form: a mark, and four bytes, the highest first.
std::string with_length(const std::string& text) {
    std::string whole = "\x80";
    for (int shift = 24; shift >= 0; shift -= 8) {
        whole += static_cast<char>(text.size() >> shift & 0xFF);
    }
    return whole + text;
}

std::string magic_before(const std::string& dumped) {
    const std::size_t at = dumped.size() - kChecksum - kVersion;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(dumped[at + i]); };
    const int version = byte(0) + 256 * byte(1);
    // Valkey's own numbers begin at 80, with nine bytes as Redis' have.
    const std::string name = version < 80 ? "REDIS" : "VALKEY";
    const std::string digits = std::to_string(version);
    return name + std::string(9 - std::min<std::size_t>(9, name.size() + digits.size()), '0') +
           digits;
}

[[noreturn]] void refuse(const std::string& why) {
    throw std::runtime_error("no snapshot of redis-server can be kept or restored: " + why);
}

}  // namespace

ServerSnapshot::ServerSnapshot(const Endpoint& endpoint) {
    SyncConnection server(endpoint);
    const Reply all = server.command(Command::of("EVAL", kEverything, 0));
    if (all.is_error() || all.is_unknown()) {
        refuse(all.is_error() ? printable(all.text()) : "it does not answer");
    }
    const std::vector<Reply>& words = all.elements();
    for (std::size_t i = 0; i + kWordsOfAKey <= words.size(); i += kWordsOfAKey) {
        if (words[i + 2].text().size() <= kVersion + kChecksum) refuse("DUMP returned no value");
        entries_.push_back({static_cast<std::uint8_t>(std::stoi(words[i].text())),
                            words[i + 1].text(), words[i + 2].text(),
                            std::stoll(words[i + 3].text())});
    }
}

void ServerSnapshot::write(const std::filesystem::path& path) const {
    std::filesystem::remove(path);
    if (entries_.empty()) return;
    std::string text = magic_before(entries_.front().value);
    for (const Entry& entry : entries_) {
        text += {kDatabase, static_cast<char>(entry.database)};
        if (entry.deadline_ms != 0) {
            text += kExpiresAt;
            text += little_endian(static_cast<std::uint64_t>(entry.deadline_ms), 8);
        }
        text += entry.value[0];  // its type
        text += with_length(entry.key);
        text += entry.value.substr(1, entry.value.size() - 1 - kVersion - kChecksum);
    }
    text += kEnd;
    text += std::string(kChecksum, '\0');  // zero: Redis does not check it
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) refuse("its file cannot be written");
}

}  // namespace locklab
