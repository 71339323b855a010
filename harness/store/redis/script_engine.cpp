#include "harness/store/redis/script_engine.h"

#include <algorithm>
#include <lua.hpp>
#include <utility>

#include "harness/core/assert.h"
#include "harness/core/printable.h"
#include "harness/store/redis/redis_text.h"
#include "harness/store/redis/script_sandbox.h"
#include "harness/store/redis/script_values.h"
#include "harness/store/redis/script_wording.h"

namespace locklab {

namespace {

/// The contents of the Lua stack between runs.
enum Base : int {
    handler = 1,  ///< locate_error
    globals,      ///< the real ones
    environment,  ///< the globals that scripts get instead
    keys,
    argv,
};

/// How many words KEYS and ARGV have room for at first.
constexpr int kRoom = 8;
/// Longest name that is noted; the name may be unknown to any Redis.
constexpr std::size_t kMostOfName = 64;

int out_of_memory(lua_State*) {
    LOCKLAB_ASSERT(!"Lua has memory left, and errors only inside a run");
    return 0;
}

}  // namespace

ScriptEngine::ScriptEngine()
    : lua_(limits_.open()), keys_{Base::keys, "KEYS"}, argv_{Base::argv, "ARGV"} {
    LOCKLAB_ASSERT(lua_ != nullptr);
    lua_atpanic(lua_, out_of_memory);
    lua_pushcfunction(lua_, locate_error);
    open_sandbox(lua_, *this);
    // Make these the globals, so that no script can reach or change the real ones.
    lua_pushvalue(lua_, Base::environment);
    lua_replace(lua_, LUA_GLOBALSINDEX);
    lua_pushnil(lua_);
    lua_pushnil(lua_);
    LOCKLAB_ASSERT(lua_gettop(lua_) == Base::argv);
    renew(keys_);
    renew(argv_);
}

ScriptEngine::~ScriptEngine() { lua_close(lua_); }

ScriptEngine::Compiled ScriptEngine::compile(std::string_view text) {
    const Sha1 sha = sha1(text);
    if (const auto found = compiled_.find(sha); found != compiled_.end()) {
        return {&found->second, {}};
    }
    limits_.begin();
    const int failed = load_text(lua_, text, "@user_script");
    limits_.end();
    if (exceeded() != nullptr) note_not_modelled(exceeded());
    if (failed != 0) {
        const std::string message = one_line(trim_breaks(script::c_text(lua_, -1)));
        lua_pop(lua_, 1);
        return {nullptr, Reply::error("ERR Error compiling script (new function): " + message)};
    }
    const int function = luaL_ref(lua_, LUA_REGISTRYINDEX);
    CompiledScript compiled{sha, to_hex(sha), std::make_shared<const std::string>(text), function};
    return {&compiled_.emplace(sha, std::move(compiled)).first->second, {}};
}

ScriptEngine::Compiled ScriptEngine::remember(const Script& script) {
    Compiled compiled = compile(script.lua);
    if (compiled.script != nullptr) {
        known_.push_back({&script, script.lua.data(), compiled.script});
    }
    return compiled;
}

Reply ScriptEngine::run(const CompiledScript& script, std::span<const std::string_view> keys,
                        std::span<const std::string_view> arguments, ScriptHost& host) {
    LOCKLAB_ASSERT(host_ == nullptr);
    host_ = &host;
    random_ = 0x330EU;
    fill(keys_, keys);
    fill(argv_, arguments);
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, script.function);
    limits_.begin();
    const bool failed = lua_pcall(lua_, 0, 1, Base::handler) != 0;
    limits_.end();
    Reply reply = failed ? raised(script) : script::pop_reply(lua_);
    if (failed) look_for_library(reply);
    if (exceeded() != nullptr) note_not_modelled(exceeded());
    lua_settop(lua_, Base::argv);
    host_ = nullptr;
    return reply;
}

/// Reuses the table, unless the last script left something else in it.
void ScriptEngine::fill(Words& table, std::span<const std::string_view> words) {
    put(table, words);
    if (is_as_filled(table)) return;
    renew(table);
    put(table, words);
}

void ScriptEngine::put(Words& table, std::span<const std::string_view> words) {
    const std::size_t before = std::exchange(table.size, words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        lua_pushlstring(lua_, words[i].data(), words[i].size());
        lua_rawseti(lua_, table.place, static_cast<int>(i) + 1);
    }
    for (std::size_t i = words.size(); i < before; ++i) {
        lua_pushnil(lua_);
        lua_rawseti(lua_, table.place, static_cast<int>(i) + 1);
    }
}

bool ScriptEngine::is_as_filled(const Words& table) const {
    if (lua_getmetatable(lua_, table.place) != 0) {
        lua_pop(lua_, 1);
        return false;
    }
    std::size_t count = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, table.place) != 0) {
        lua_pop(lua_, 1);
        ++count;
    }
    return count == table.size;
}

void ScriptEngine::renew(Words& table) {
    lua_createtable(lua_, kRoom, 0);
    lua_pushvalue(lua_, -1);
    lua_replace(lua_, table.place);
    lua_pushstring(lua_, table.name);
    lua_insert(lua_, -2);
    lua_rawset(lua_, Base::globals);
}

void AskedOfServer::script(const Sha1& sha) {
    const auto place = std::ranges::lower_bound(scripts, sha);
    if (place == scripts.end() || *place != sha) scripts.insert(place, sha);
}

void ScriptEngine::note_not_modelled(std::string_view what) {
    if (not_modelled_.empty()) not_modelled_ = printable(what, kMostOfName);
}

/// Notes a library that Redis gives to scripts, and this engine does not.
void ScriptEngine::look_for_library(const Reply& reply) {
    for (const std::string library : {"cjson", "cmsgpack", "struct", "bit", "os"}) {
        const bool wanted =
            reply.text().find("global variable '" + library + "'") != std::string::npos;
        if (wanted) note_not_modelled("the Lua library " + library);
    }
}

/// EVAL's reply for the error on top of the stack.
Reply ScriptEngine::raised(const CompiledScript& script) const {
    const auto field = [this](const char* name) {
        lua_pushstring(lua_, name);
        lua_rawget(lua_, -2);
        const bool is_text = lua_isstring(lua_, -1) != 0;
        const std::string text(is_text ? script::c_text(lua_, -1) : std::string_view());
        lua_pop(lua_, 1);
        return text;
    };
    if (lua_istable(lua_, -1) == 0) {
        const char* text = lua_tostring(lua_, -1);
        const std::string message(text != nullptr ? text : "execution failure");
        return Reply::error("ERR Error running script " + script.name + ", " + message);
    }
    std::string message = field("err");
    const std::string source = field("source");
    const std::string line = field("line");
    if (!source.empty() && !line.empty()) {
        const bool names = script_wording(server_).names_script;
        message +=
            " script: " + (names ? script.name + ", " : "") + "on " + source + ":" + line + ".";
    }
    return Reply::error(std::move(message));
}

}  // namespace locklab
