// The environment of a script: the libraries that Redis provides, the redis table, and globals that
// it can read but not write.
#pragma once

#include <string_view>

struct lua_State;

namespace locklab {

class ScriptEngine;

/// Sets up a new Lua state for the scripts of `engine`, and pushes two tables: the real globals,
/// and those that scripts get instead.
void open_sandbox(lua_State* lua, ScriptEngine& engine);

/// Adds the library redis, and the few functions that differ from stock Lua (script_api.cpp).
void open_script_api(lua_State* lua, ScriptEngine& engine);

/// Pushes the compiled text, or an error; returns what lua_load does. As in Redis, bytecode is read
/// as text too, and refused: Lua runs bytecode unchecked, so it could do anything.
int load_text(lua_State* lua, std::string_view text, const char* name);

/// Redis's error when a script writes to what is not its own.
inline constexpr const char* kReadOnly = "Attempt to modify a readonly table";

/// Raises that error, with the script's line.
int refuse_to_modify(lua_State* lua);

/// For lua_pcall: turns an error into a table with its place, as Redis's own handler does.
int locate_error(lua_State* lua);

}  // namespace locklab
