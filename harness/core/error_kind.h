// The errors with which a server can answer a command in place of running it, in Redis' own words
// (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/core/command.h"

namespace locklab {

enum class ErrorKind : std::uint8_t { loading, readonly, oom, busy, noscript, clusterdown };

struct ErrorKindRow {
    ErrorKind kind;
    std::string_view code;   ///< the first word
    std::string_view words;  ///< as redis-server 7 words it (server.c, cluster.c)
};
inline constexpr auto kErrorKinds = std::to_array<ErrorKindRow>({
    {ErrorKind::loading, "LOADING", "LOADING Redis is loading the dataset in memory"},
    {ErrorKind::readonly, "READONLY", "READONLY You can't write against a read only replica."},
    {ErrorKind::oom, "OOM", "OOM command not allowed when used memory > 'maxmemory'."},
    {ErrorKind::busy, "BUSY",
     "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."},
    {ErrorKind::noscript, "NOSCRIPT", "NOSCRIPT No matching script. Please use EVAL."},
    {ErrorKind::clusterdown, "CLUSTERDOWN", "CLUSTERDOWN The cluster is down"},
});
constexpr const ErrorKindRow& row_of(ErrorKind kind) {
    return kErrorKinds[static_cast<std::size_t>(kind)];
}
static_assert(
    [] {
        for (const ErrorKindRow& row : kErrorKinds) {
            if (&row_of(row.kind) != &row) return false;
        }
        return true;
    }(),
    "rows stand in the order of the enumeration");

/// The kind whose first word this is; nothing: no command is answered so as a fault.
constexpr std::optional<ErrorKind> error_kind_named(std::string_view code) {
    for (const ErrorKindRow& row : kErrorKinds) {
        if (row.code == code) return row.kind;
    }
    return std::nullopt;
}

/// Whether a command that begins with `word` can be answered so: READONLY only what writes, OOM
/// only what may take memory, NOSCRIPT only a digest. What a script calls is not looked into.
bool can_answer(ErrorKind kind, std::string_view word);
bool can_answer(ErrorKind kind, const Command& command);
/// That kind if it can answer the command; else LOADING, which can answer any.
ErrorKind kind_for(const Command& command, ErrorKind kind);
ErrorKind kind_for(std::string_view word, ErrorKind kind);

}  // namespace locklab
