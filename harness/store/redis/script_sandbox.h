// What a script finds around it: the libraries that Redis gives, the redis table, and globals
// that it can read but not write.
#pragma once

#include <string_view>

struct lua_State;

namespace locklab {

class ScriptEngine;

/// Fills a new Lua with all that, for the scripts of `engine`, and pushes two tables: the real
/// globals, and what scripts have in their place.
void open_sandbox(lua_State* lua, ScriptEngine& engine);

/// The library redis and the few functions that differ from stock Lua (script_api.cpp).
void open_script_api(lua_State* lua, ScriptEngine& engine);

/// Pushes the chunk of a text, or an error; gives what lua_load does. As in Redis, bytecode is read
/// as text too, and refused: Lua runs bytecode unchecked, so it could do anything.
int load_text(lua_State* lua, std::string_view text, const char* name);

/// What Redis says when a script writes to what is not its own.
inline constexpr const char* kReadOnly = "Attempt to modify a readonly table";

/// Raises that, with the script's line.
int refuse_to_modify(lua_State* lua);

/// For lua_pcall: makes an error a table with its place, as Redis's own handler does.
int locate_error(lua_State* lua);

}  // namespace locklab
