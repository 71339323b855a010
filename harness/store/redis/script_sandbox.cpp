#include "harness/store/redis/script_sandbox.h"

#include <cstdint>
#include <lua.hpp>
#include <utility>

namespace locklab {

namespace {

constexpr const char* kLibraries[] = {"string", "table", "math", "coroutine", "redis"};
/// Functions of the base library that Redis 7.0 does not provide.
constexpr const char* kRemoved[] = {"dofile",   "getfenv", "loadfile",
                                    "newproxy", "print",   "setfenv"};

/// The parts of a chunk, after a space: Lua takes a chunk for bytecode if it begins with an escape.
struct Text {
    lua_Reader rest;
    void* of;
    bool begun = false;

    static const char* read(lua_State* lua, void* text, std::size_t* size) {
        auto& self = *static_cast<Text*>(text);
        if (std::exchange(self.begun, true)) return self.rest(lua, self.of, size);
        *size = 1;
        return " ";
    }
};

const char* read_whole(lua_State*, void* text, std::size_t* size) {
    const auto whole = std::exchange(*static_cast<std::string_view*>(text), {});
    *size = whole.size();
    return whole.data();
}

/// The stack places of load's function, and of the part that Lua is reading.
enum LoadPlace : int { function = 1, part = 3 };

const char* read_parts(lua_State* lua, void*, std::size_t* size) {
    luaL_checkstack(lua, 2, "too many nested functions");
    lua_pushvalue(lua, LoadPlace::function);
    lua_call(lua, 0, 1);
    if (lua_isnil(lua, -1)) return nullptr;
    if (lua_isstring(lua, -1) == 0) luaL_error(lua, "reader function must return a string");
    lua_replace(lua, LoadPlace::part);
    return lua_tolstring(lua, LoadPlace::part, size);
}

int chunk_or_error(lua_State* lua, int status) {
    if (status == 0) return 1;
    lua_pushnil(lua);
    lua_insert(lua, -2);
    return 2;
}

/// load and loadstring, for text only.
int load_parts(lua_State* lua) {
    const char* const name = luaL_optstring(lua, 2, "=(load)");
    luaL_checktype(lua, LoadPlace::function, LUA_TFUNCTION);
    lua_settop(lua, LoadPlace::part);
    Text text{read_parts, nullptr};
    return chunk_or_error(lua, lua_load(lua, Text::read, &text, name));
}

int load_string(lua_State* lua) {
    std::size_t size = 0;
    const char* const text = luaL_checklstring(lua, 1, &size);
    return chunk_or_error(lua, load_text(lua, {text, size}, luaL_optstring(lua, 2, text)));
}

/// A script may ask how much memory is in use, and request a collection, but cannot control the
/// collector.
int collect_garbage(lua_State* lua) {
    constexpr const char* kOptions[] = {"count",   "step",     "collect",    "stop",
                                        "restart", "setpause", "setstepmul", nullptr};
    const int option = luaL_checkoption(lua, 1, "collect", kOptions);
    if (option == 0) {
        lua_pushnumber(lua, lua_gc(lua, LUA_GCCOUNT, 0) + lua_gc(lua, LUA_GCCOUNTB, 0) / 1024.0);
    } else if (option == 1) {
        lua_pushboolean(lua, 1);
    } else {
        lua_pushinteger(lua, 0);
    }
    return 1;
}

/// Lua's own unpack counts in an int that can overflow, and then writes beyond the end of its
/// stack. Redis has fixed it in this way (https://nvd.nist.gov/vuln/detail/CVE-2025-46817).
int unpack(lua_State* lua) {
    constexpr std::int64_t kMost = 8000;  // as many as Lua allows a C function
    luaL_checktype(lua, 1, LUA_TTABLE);
    const int begin = luaL_optint(lua, 2, 1);
    const int end =
        lua_isnoneornil(lua, 3) ? static_cast<int>(lua_objlen(lua, 1)) : luaL_checkint(lua, 3);
    if (begin > end) return 0;
    const std::int64_t count = std::int64_t{end} - begin + 1;
    if (count > kMost || lua_checkstack(lua, static_cast<int>(count)) == 0) {
        return luaL_error(lua, "too many results to unpack");
    }
    for (std::int64_t at = begin; at <= end; ++at) lua_rawgeti(lua, 1, static_cast<int>(at));
    return static_cast<int>(count);
}

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

/// The error at the bottom of the stack as tostring gives it, but without an address.
const char* error_text(lua_State* lua) {
    if (const char* text = lua_tostring(lua, 1)) return text;
    if (lua_isboolean(lua, 1)) return lua_toboolean(lua, 1) != 0 ? "true" : "false";
    return luaL_typename(lua, 1);
}

/// Replaces the table on top of the stack by an empty one that only allows reading it.
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

int load_text(lua_State* lua, std::string_view text, const char* name) {
    Text whole{read_whole, &text};
    return lua_load(lua, Text::read, &whole, name);
}

void open_sandbox(lua_State* lua, ScriptEngine& engine) {
    open_library(lua, "", luaopen_base);
    open_library(lua, LUA_TABLIBNAME, luaopen_table);
    open_library(lua, LUA_STRLIBNAME, luaopen_string);
    open_library(lua, LUA_MATHLIBNAME, luaopen_math);
    open_script_api(lua, engine);
    lua_register(lua, "load", load_parts);
    lua_register(lua, "loadstring", load_string);
    lua_register(lua, "collectgarbage", collect_garbage);
    lua_register(lua, "unpack", unpack);
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
    // If a C function raised the error, the script's author wants to see its caller.
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
