#include "harness/store/redis/command_table.h"

#include <algorithm>
#include <array>
#include <string>

#include "harness/store/redis/redis_commands.h"
#include "harness/store/redis/redis_text.h"

namespace locklab {

namespace {

using namespace redis_command;

constexpr std::array kCommands{
    CommandRow{"append", 3, append},
    CommandRow{"dbsize", 1, dbsize},
    CommandRow{"decr", 2, decr},
    CommandRow{"decrby", 3, decrby},
    CommandRow{"del", -2, del},
    CommandRow{"delifeq", 3, delifeq, true, true, true},
    CommandRow{"discard", 1, discard, false, false},
    CommandRow{"echo", 2, echo},
    CommandRow{"eval", -3, eval, false},
    CommandRow{"evalsha", -3, evalsha, false},
    CommandRow{"exec", 1, exec, false, false},
    CommandRow{"exists", -2, exists},
    CommandRow{"expire", -3, expire},
    CommandRow{"expireat", -3, expireat},
    CommandRow{"expiretime", 2, expiretime},
    CommandRow{"flushall", -1, flushall},
    CommandRow{"flushdb", -1, flushall},
    CommandRow{"get", 2, get},
    CommandRow{"getdel", 2, getdel},
    CommandRow{"getex", -2, getex},
    CommandRow{"getset", 3, getset},
    CommandRow{"hdel", -3, hdel},
    CommandRow{"hexists", 3, hexists},
    CommandRow{"hget", 3, hget},
    CommandRow{"hgetall", 2, hgetall},
    CommandRow{"hincrby", 4, hincrby},
    CommandRow{"hkeys", 2, hkeys},
    CommandRow{"hlen", 2, hlen},
    CommandRow{"hmget", -3, hmget},
    CommandRow{"hmset", -4, hmset},
    CommandRow{"hset", -4, hset},
    CommandRow{"hsetnx", 4, hsetnx},
    CommandRow{"hstrlen", 3, hstrlen},
    CommandRow{"hvals", 2, hvals},
    CommandRow{"incr", 2, incr},
    CommandRow{"incrby", 3, incrby},
    CommandRow{"mget", -2, mget},
    CommandRow{"mset", -3, mset},
    CommandRow{"msetnx", -3, msetnx},
    CommandRow{"multi", 1, multi, false, false},
    CommandRow{"persist", 2, persist},
    CommandRow{"pexpire", -3, pexpire},
    CommandRow{"pexpireat", -3, pexpireat},
    CommandRow{"pexpiretime", 2, pexpiretime},
    CommandRow{"ping", -1, ping},
    CommandRow{"psetex", 4, psetex},
    CommandRow{"pttl", 2, pttl},
    CommandRow{"publish", 3, publish},
    CommandRow{"rename", 3, redis_command::rename},
    CommandRow{"renamenx", 3, renamenx},
    CommandRow{"script", -2, nullptr},  // its subcommands run, see below
    CommandRow{"select", 2, redis_command::select},
    CommandRow{"set", -3, set},
    CommandRow{"setex", 4, setex},
    CommandRow{"setnx", 3, setnx},
    CommandRow{"strlen", 2, string_length},
    CommandRow{"time", 1, redis_command::time},
    CommandRow{"touch", -2, exists},
    CommandRow{"ttl", 2, ttl},
    CommandRow{"type", 2, type},
    CommandRow{"unlink", -2, del},
    CommandRow{"unwatch", 1, unwatch, false},
    CommandRow{"watch", -2, watch, false, false},
};
static_assert(std::ranges::is_sorted(kCommands, {}, &CommandRow::name));

constexpr std::array kSubcommands{
    CommandRow{"script|exists", -3, script_exists, false},
    CommandRow{"script|flush", -2, script_flush, false},
    CommandRow{"script|load", 3, script_load, false},
};

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

constexpr std::size_t kSlots = 128;
constexpr std::uint8_t kFree = 0xFF;
static_assert(kCommands.size() < kSlots / 2);

/// Good enough to separate these names with few collisions, and cheap.
constexpr std::size_t slot_of(std::string_view name) {
    const auto letter = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(lower(name[i])));
    };
    const std::size_t last = name.size() - 1;
    return (letter(0) * 5 + letter(last / 2) * 11 + letter(last) * 3 + name.size() * 17) % kSlots;
}

/// The row of each command: at its slot, or at the next free one.
constexpr auto kIndex = [] {
    std::array<std::uint8_t, kSlots> index{};
    index.fill(kFree);
    for (std::size_t row = 0; row < kCommands.size(); ++row) {
        std::size_t slot = slot_of(kCommands[row].name);
        while (index[slot] != kFree) slot = (slot + 1) % kSlots;
        index[slot] = static_cast<std::uint8_t>(row);
    }
    return index;
}();

const CommandRow* find_name(std::string_view name) {
    if (name.empty()) return nullptr;
    std::size_t slot = slot_of(name);
    while (kIndex[slot] != kFree) {
        const CommandRow& row = kCommands[kIndex[slot]];
        if (is_word(name, row.name)) return &row;
        slot = (slot + 1) % kSlots;
    }
    return nullptr;
}

}  // namespace

const CommandRow* find_command(std::span<const std::string_view> words, ServerKind server) {
    const CommandRow* const row = find_name(words[0]);
    if (row != nullptr && row->valkey_only && server != ServerKind::valkey) return nullptr;
    if (row == nullptr || row->run != nullptr || words.size() == 1) return row;
    for (const CommandRow& sub : kSubcommands) {
        if (is_word(words[1], sub.name.substr(row->name.size() + 1))) return &sub;
    }
    return nullptr;
}

std::span<const std::string_view> command_names() {
    static constexpr auto kNames = [] {
        std::array<std::string_view, kCommands.size()> names;
        std::ranges::transform(kCommands, names.begin(), &CommandRow::name);
        return names;
    }();
    return kNames;
}

bool has_subcommands(std::string_view name) {
    const CommandRow* const row = find_name(name);
    return row != nullptr && row->run == nullptr;
}

std::string name_not_known(std::span<const std::string_view> words) {
    std::string name(words[0]);
    if (has_subcommands(words[0]) && words.size() > 1) name += " " + std::string(words[1]);
    std::ranges::transform(name, name.begin(), upper);
    return name;
}

Reply unknown_command(std::span<const std::string_view> words) {
    constexpr std::size_t kMost = 128;
    std::string text;
    if (has_subcommands(words[0])) {
        std::string command(words[0]);
        std::ranges::transform(command, command.begin(), upper);
        text = "ERR unknown subcommand '" + std::string(words[1].substr(0, kMost)) + "'. Try " +
               command + " HELP.";
    } else {
        std::string arguments;
        for (std::size_t i = 1; i < words.size() && arguments.size() < kMost; ++i) {
            const std::size_t room = kMost - arguments.size();
            arguments.append("'").append(words[i].substr(0, room)).append("' ");
        }
        text = "ERR unknown command '" + std::string(words[0].substr(0, kMost)) +
               "', with args beginning with: " + arguments;
    }
    return Reply::error(one_line(text));
}

}  // namespace locklab
