// The library redis as scripts see it, and the Lua functions that Redis replaces: pcall, which
// returns an error's text and not its table, and random numbers that repeat.
#include <cmath>
#include <lua.hpp>
#include <string>

#include "harness/store/redis/number_text.h"
#include "harness/store/redis/script_engine.h"
#include "harness/store/redis/script_sandbox.h"
#include "harness/store/redis/script_values.h"
#include "harness/store/redis/script_wording.h"

namespace locklab {

/// The library's access to the engine. Lua leaves a C function by longjmp, so a function that
/// raises an error must not own anything: the work is done in functions that return first.
struct ScriptApi {
    static ScriptEngine& engine(lua_State* lua) {
        return *static_cast<ScriptEngine*>(lua_touserdata(lua, lua_upvalueindex(1)));
    }

    /// Reads the arguments as words. False if one is neither a string nor a number.
    static bool read_words(lua_State* lua, ScriptEngine& engine) {
        const auto count = static_cast<std::size_t>(lua_gettop(lua));
        engine.words_.resize(count);
        if (engine.numbers_.size() < count) engine.numbers_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const int place = static_cast<int>(i) + 1;
            const int type = lua_type(lua, place);
            if (type == LUA_TNUMBER) {
                engine.words_[i] =
                    number_text(lua_tonumber(lua, place), engine.server(), engine.numbers_[i]);
            } else if (type == LUA_TSTRING) {
                std::size_t size = 0;
                const char* text = lua_tolstring(lua, place, &size);
                engine.words_[i] = std::string_view(text, size);
            } else {
                return false;
            }
        }
        return true;
    }

    /// Pushes the command's reply. False if it is an error.
    static bool push_answer(lua_State* lua, ScriptEngine& engine) {
        if (lua_gettop(lua) == 0) {
            script::push_error(lua, script_wording(engine.server()).no_argument);
            return false;
        }
        if (!read_words(lua, engine)) {
            script::push_error(lua, script_wording(engine.server()).bad_argument);
            return false;
        }
        const Reply reply = engine.host_->call(engine.words_);
        script::push(lua, reply);
        return !reply.is_error();
    }

    static int call(lua_State* lua) { return push_answer(lua, engine(lua)) ? 1 : lua_error(lua); }

    static int pcall(lua_State* lua) {
        push_answer(lua, engine(lua));
        return 1;
    }

    /// Lua's random(), with the generator that POSIX calls drand48.
    static int random(lua_State* lua) {
        std::uint64_t& state = engine(lua).random_;
        state = (state * 0x5DEECE66DU + 0xBU) & 0xFFFFFFFFFFFFU;
        constexpr std::uint64_t kMost = 0x7FFFFFFF;
        const lua_Number r = static_cast<lua_Number>((state >> 17) % kMost) / kMost;
        const int count = lua_gettop(lua);
        if (count == 0) {
            lua_pushnumber(lua, r);
            return 1;
        }
        if (count > 2) return luaL_error(lua, "wrong number of arguments");
        const int low = count == 1 ? 1 : luaL_checkint(lua, 1);
        const int high = luaL_checkint(lua, count);
        luaL_argcheck(lua, low <= high, count, "interval is empty");
        lua_pushnumber(lua, std::floor(r * (static_cast<lua_Number>(high) - low + 1)) + low);
        return 1;
    }

    static int randomseed(lua_State* lua) {
        const auto seed = static_cast<std::uint32_t>(luaL_checkint(lua, 1));
        engine(lua).random_ = std::uint64_t{seed} << 16 | 0x330EU;
        return 0;
    }
};

namespace {

bool has_one_string(lua_State* lua) {
    if (lua_gettop(lua) == 1 && lua_type(lua, 1) == LUA_TSTRING) return true;
    script::push_error(lua, "wrong number or type of arguments");
    return false;
}

int error_reply(lua_State* lua) {
    if (has_one_string(lua)) script::push_error_reply(lua, script::c_text(lua, 1));
    return 1;
}

int status_reply(lua_State* lua) {
    if (!has_one_string(lua)) return 1;
    lua_createtable(lua, 0, 1);
    lua_pushvalue(lua, 1);
    lua_setfield(lua, -2, "ok");
    return 1;
}

/// False if there is not exactly one argument.
bool push_sha1hex(lua_State* lua) {
    if (lua_gettop(lua) != 1) {
        script::push_error(lua, "wrong number of arguments");
        return false;
    }
    std::size_t size = 0;
    const char* text = lua_tolstring(lua, 1, &size);
    lua_pushstring(lua, to_hex(sha1(std::string_view(text, size))).c_str());
    return true;
}

int sha1hex(lua_State* lua) { return push_sha1hex(lua) ? 1 : lua_error(lua); }

int log(lua_State*) { return 0; }

int replicate_commands(lua_State* lua) {
    lua_pushboolean(lua, 1);
    return 1;
}

/// pcall(f, ...): returns false and the text of the error, even if the error is a table.
int pcall_text(lua_State* lua) {
    luaL_checkany(lua, 1);
    const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
    if (status != 0 && lua_istable(lua, -1)) {
        lua_getfield(lua, -1, "err");
        if (lua_isstring(lua, -1) != 0) {
            lua_replace(lua, -2);
        } else {
            lua_pop(lua, 1);
        }
    }
    lua_pushboolean(lua, status == 0 ? 1 : 0);
    lua_insert(lua, 1);
    return lua_gettop(lua);
}

/// rawset that does not bypass the protection of globals and libraries.
int rawset_own(lua_State* lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    luaL_checkany(lua, 3);
    lua_settop(lua, 3);
    if (lua_getmetatable(lua, 1) != 0) {
        lua_getfield(lua, -1, "__newindex");
        if (lua_tocfunction(lua, -1) == refuse_to_modify) {
            lua_pushstring(lua, kReadOnly);
            return lua_error(lua);
        }
        lua_pop(lua, 2);
    }
    lua_rawset(lua, 1);
    return 1;
}

struct Constant {
    const char* name;
    int value;
};

constexpr Constant kConstants[] = {
    {"LOG_DEBUG", 0}, {"LOG_VERBOSE", 1}, {"LOG_NOTICE", 2}, {"LOG_WARNING", 3}};

/// Sets a field of the table on top of the stack to a function of the engine.
void set_method(lua_State* lua, ScriptEngine& engine, const char* name, lua_CFunction function) {
    lua_pushlightuserdata(lua, &engine);
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, -2, name);
}

}  // namespace

void open_script_api(lua_State* lua, ScriptEngine& engine) {
    constexpr luaL_Reg kFunctions[] = {{"error_reply", error_reply},
                                       {"status_reply", status_reply},
                                       {"sha1hex", sha1hex},
                                       {"log", log},
                                       {"replicate_commands", replicate_commands}};
    lua_newtable(lua);
    set_method(lua, engine, "call", ScriptApi::call);
    set_method(lua, engine, "pcall", ScriptApi::pcall);
    for (const luaL_Reg& row : kFunctions) {
        lua_pushcfunction(lua, row.func);
        lua_setfield(lua, -2, row.name);
    }
    for (const Constant& row : kConstants) {
        lua_pushinteger(lua, row.value);
        lua_setfield(lua, -2, row.name);
    }
    lua_setglobal(lua, "redis");

    lua_getglobal(lua, "math");
    set_method(lua, engine, "random", ScriptApi::random);
    set_method(lua, engine, "randomseed", ScriptApi::randomseed);
    lua_pop(lua, 1);
    lua_register(lua, "pcall", pcall_text);
    lua_register(lua, "rawset", rawset_own);
}

}  // namespace locklab
