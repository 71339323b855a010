// Which server answers: each has commands that the other lacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace locklab {

enum class ServerKind : std::uint8_t {
    redis,   ///< Redis 7.0
    valkey,  ///< Valkey 9.1: also DELIFEQ, and SET with IFEQ
};

constexpr std::string_view name_of(ServerKind server) {
    return server == ServerKind::redis ? "redis" : "valkey";
}

/// Nothing: none has this name.
constexpr std::optional<ServerKind> server_named(std::string_view name) {
    for (const ServerKind server : {ServerKind::redis, ServerKind::valkey}) {
        if (name == name_of(server)) return server;
    }
    return std::nullopt;
}

/// For messages.
constexpr std::string_view title_of(ServerKind server) {
    return server == ServerKind::redis ? "Redis" : "Valkey";
}

}  // namespace locklab
