#include "harness/store/redis/script_sandbox.h"

#include <lua.hpp>

namespace locklab {

namespace {

constexpr const char* kLibraries[] = {"string", "table", "math", "coroutine", "redis"};
constexpr const char* kRemoved[] = {"dofile", "loadfile", "print"};

void open_library(lua_State* lua, const char* name, lua_CFunction open) {
    lua_pushcfunction(lua, open);
    lua_pushstring(lua, name);
    lua_call(lua, 1, 0);
}

int refuse_unknown(lua_State* lua) {
    if (lua_isstring(lua, 2) == 0) {
        return luaL_error(lua,
                          "Second argument to luaProtectedTableError must be a string or "
                          "number");
    }
    return luaL_error(lua, "Script attempted to access nonexistent global variable '%s'",
                      lua_tostring(lua, 2));
}

/// What tostring makes of the error at the bottom of the stack, without an address.
const char* error_text(lua_State* lua) {
    if (const char* text = lua_tostring(lua, 1)) return text;
    if (lua_isboolean(lua, 1)) return lua_toboolean(lua, 1) != 0 ? "true" : "false";
    return luaL_typename(lua, 1);
}

/// Replaces the table on top by an empty one through which it can only be read.
void protect(lua_State* lua) {
    lua_newtable(lua);
    lua_createtable(lua, 0, 3);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    lua_pushcfunction(lua, refuse_to_modify);
    lua_setfield(lua, -2, "__newindex");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    lua_remove(lua, -2);
}

/// Methods of strings are looked up in a metatable of their own.
void protect_strings(lua_State* lua) {
    lua_pushliteral(lua, "");
    lua_getmetatable(lua, -1);
    lua_getglobal(lua, "string");
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_pop(lua, 2);
}

}  // namespace

int refuse_to_modify(lua_State* lua) { return luaL_error(lua, kReadOnly); }

void open_sandbox(lua_State* lua, ScriptEngine& engine) {
    open_library(lua, "", luaopen_base);
    open_library(lua, LUA_TABLIBNAME, luaopen_table);
    open_library(lua, LUA_STRLIBNAME, luaopen_string);
    open_library(lua, LUA_MATHLIBNAME, luaopen_math);
    open_script_api(lua, engine);
    for (const char* name : kRemoved) {
        lua_pushnil(lua);
        lua_setglobal(lua, name);
    }
    for (const char* name : kLibraries) {
        lua_getglobal(lua, name);
        protect(lua);
        lua_setglobal(lua, name);
    }
    protect_strings(lua);

    lua_pushvalue(lua, LUA_GLOBALSINDEX);
    lua_createtable(lua, 0, 1);
    lua_pushcfunction(lua, refuse_unknown);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    lua_pushvalue(lua, -1);
    protect(lua);
    lua_pushvalue(lua, -1);
    lua_setfield(lua, -3, "_G");
}

int locate_error(lua_State* lua) {
    if (lua_istable(lua, 1) == 0) {
        lua_createtable(lua, 0, 3);
        lua_pushfstring(lua, "ERR %s", error_text(lua));
        lua_setfield(lua, -2, "err");
        lua_replace(lua, 1);
    }
    // Where a C function raised it, its caller is what the script's author wants to see.
    lua_Debug place;
    bool known = lua_getstack(lua, 1, &place) != 0 && lua_getinfo(lua, "S", &place) != 0;
    if (known && place.what[0] == 'C') known = lua_getstack(lua, 2, &place) != 0;
    if (known) {
        lua_getinfo(lua, "Sl", &place);
        lua_pushstring(lua, place.source);
        lua_setfield(lua, 1, "source");
        lua_pushinteger(lua, place.currentline);
        lua_setfield(lua, 1, "line");
    }
    lua_settop(lua, 1);
    return 1;
}

}  // namespace locklab
