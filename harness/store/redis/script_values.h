// Converts between Lua values and Redis replies, by the table in Redis's documentation
// (https://redis.io/docs/interact/programmability/lua-api, "Data type conversion"), for RESP2.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/reply.h"

struct lua_State;

namespace locklab::script {

/// Pushes what redis.call returns for a reply; an error is a table with the field err.
void push(lua_State* lua, const Reply& reply);

/// Pushes an error of the script library itself: code ERR and the text.
void push_error(lua_State* lua, std::string_view text);

/// Pushes what redis.error_reply makes of a text: its first word is the code; ERR if there is only
/// one word.
void push_error_reply(lua_State* lua, std::string_view text);

/// Pops the top of the stack, and returns it as the script's reply.
Reply pop_reply(lua_State* lua);

/// The text at a place of the stack, up to its first zero byte, as Redis reads errors.
std::string_view c_text(lua_State* lua, int place);

}  // namespace locklab::script
