// Between Lua values and Redis replies, by the table of conversions in Redis's documentation
// (https://redis.io/docs/interact/programmability/lua-api, "Data type conversion"), for RESP2.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/reply.h"

struct lua_State;

namespace locklab::script {

/// Pushes what redis.call gives for a reply; an error as a table with the field err.
void push(lua_State* lua, const Reply& reply);

/// Pushes an error of the script library itself: code ERR and the text.
void push_error(lua_State* lua, std::string_view text);

/// Pushes what redis.error_reply makes of a text: its first word is the code; ERR if it has
/// only one.
void push_error_reply(lua_State* lua, std::string_view text);

/// Takes the value on top of the stack and makes it the script's reply.
Reply pop_reply(lua_State* lua);

/// The text at a place of the stack, up to its first zero byte, as Redis reads errors.
std::string_view c_text(lua_State* lua, int place);

}  // namespace locklab::script
