// Which server answers: each has commands and words that the others lack.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace locklab {

enum class ServerKind : std::uint8_t {
    redis,     ///< Redis 7.0
    redis_8,   ///< Redis 8.2
    valkey_8,  ///< Valkey 8.1: also SET with IFEQ
    valkey,    ///< Valkey 9.1: also DELIFEQ
};

struct ServerRow {
    ServerKind kind;
    std::string_view name;   ///< as options and files have it
    std::string_view title;  ///< for messages
    bool is_valkey = false;
};

/// By ServerKind.
inline constexpr std::array<ServerRow, 4> kServers{{
    {ServerKind::redis, "redis", "Redis"},
    {ServerKind::redis_8, "redis8", "Redis 8"},
    {ServerKind::valkey_8, "valkey8", "Valkey 8", true},
    {ServerKind::valkey, "valkey", "Valkey", true},
}};
/// For messages: what server_named() takes.
inline constexpr std::string_view kServerNames = "redis, redis8, valkey8 or valkey";

constexpr const ServerRow& row_of(ServerKind server) {
    return kServers[static_cast<std::size_t>(server)];
}
constexpr std::string_view name_of(ServerKind server) { return row_of(server).name; }
constexpr std::string_view title_of(ServerKind server) { return row_of(server).title; }
constexpr bool is_valkey(ServerKind server) { return row_of(server).is_valkey; }

/// Nothing: none has this name.
constexpr std::optional<ServerKind> server_named(std::string_view name) {
    for (const ServerRow& row : kServers) {
        if (name == row.name) return row.kind;
    }
    return std::nullopt;
}

}  // namespace locklab
