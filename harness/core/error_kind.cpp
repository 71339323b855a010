#include "harness/core/error_kind.h"

#include <algorithm>

#include "harness/core/upper.h"

namespace locklab {

namespace {

/// Commands that a replica serves too, of those that locks use.
constexpr std::array<std::string_view, 19> kOnlyRead{
    "GET",     "MGET",    "EXISTS",  "TTL",    "PTTL",      "TYPE",   "STRLEN",
    "HGET",    "HGETALL", "HEXISTS", "HLEN",   "ZRANGE",    "ZSCORE", "ZRANK",
    "PUBLISH", "EVAL_RO", "TIME",    "LRANGE", "EVALSHA_RO"};
/// Commands that write and take no memory.
constexpr std::array<std::string_view, 13> kFrees{
    "DEL",    "UNLINK", "EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT",       "PERSIST",
    "GETDEL", "HDEL",   "LREM",   "ZREM",    "LPOP",     "ZREMRANGEBYSCORE"};

template <std::size_t n>
bool is_in(const std::array<std::string_view, n>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

}  // namespace

bool can_answer(ErrorKind kind, std::string_view word) {
    const std::string name = upper(word);
    const bool writes = !is_in(kOnlyRead, name);
    switch (kind) {
        case ErrorKind::loading:
        case ErrorKind::busy:
        case ErrorKind::clusterdown: return true;
        case ErrorKind::readonly: return writes;
        case ErrorKind::oom: return writes && !is_in(kFrees, name);
        case ErrorKind::noscript: return name == "EVALSHA" || name == "EVALSHA_RO";
    }
    return false;
}

bool can_answer(ErrorKind kind, const Command& command) {
    if (command.script() != nullptr) return can_answer(kind, "EVAL");
    return can_answer(kind, command.empty() ? std::string_view() : command[0]);
}

ErrorKind kind_for(std::string_view word, ErrorKind kind) {
    return can_answer(kind, word) ? kind : ErrorKind::loading;
}

ErrorKind kind_for(const Command& command, ErrorKind kind) {
    return can_answer(kind, command) ? kind : ErrorKind::loading;
}

}  // namespace locklab
