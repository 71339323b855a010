// Errors that several commands share, word for word as in redis-server 7.0.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/reply.h"

namespace locklab::redis_error {

inline Reply wrong_type() {
    return Reply::error("WRONGTYPE Operation against a key holding the wrong kind of value");
}
inline Reply syntax() { return Reply::error("ERR syntax error"); }
inline Reply not_an_integer() {
    return Reply::error("ERR value is not an integer or out of range");
}
inline Reply overflow() { return Reply::error("ERR increment or decrement would overflow"); }
inline Reply arity(std::string_view command) {
    return Reply::error("ERR wrong number of arguments for '" + std::string(command) + "' command");
}
inline Reply expire_time(std::string_view command) {
    return Reply::error("ERR invalid expire time in '" + std::string(command) + "' command");
}

}  // namespace locklab::redis_error
