#include "harness/store/redis/script_limits.h"

#include <cstdlib>
#include <lua.hpp>

#include "harness/core/limits.h"

namespace locklab {

namespace {

/// Instructions between two checks.
constexpr int kStep = 100'000;

}  // namespace

lua_State* ScriptLimits::open() { return lua_ = lua_newstate(allocate, this); }

void* ScriptLimits::allocate(void* limits, void* block, std::size_t old_size,
                             std::size_t new_size) {
    auto& self = *static_cast<ScriptLimits*>(limits);
    const std::size_t after = self.bytes_ - old_size + new_size;
    if (new_size > old_size && self.running_ && after > kMostScriptBytes) {
        self.exceeded_ = "scripts that hold more than 64 MB";
        return nullptr;
    }
    if (new_size == 0) {
        std::free(block);
    } else {
        block = std::realloc(block, new_size);
        if (block == nullptr) return nullptr;
    }
    self.bytes_ = after;
    return new_size == 0 ? nullptr : block;
}

/// A script that catches the error and continues gets it again at its next instruction.
void ScriptLimits::stop(lua_State* lua) {
    lua_sethook(lua_, count, LUA_MASKCOUNT, 1);
    lua_sethook(lua, count, LUA_MASKCOUNT, 1);
    luaL_error(lua, "script ran for more than 50,000,000 instructions");
}

void ScriptLimits::count(lua_State* lua, lua_Debug*) {
    void* limits = nullptr;
    lua_getallocf(lua, &limits);
    auto& self = *static_cast<ScriptLimits*>(limits);
    self.instructions_ += kStep;
    if (self.instructions_ < kMostInstructions) return;
    self.exceeded_ = "scripts of more than 50,000,000 instructions";
    self.stop(lua);
}

void ScriptLimits::begin() {
    running_ = true;
    instructions_ = 0;
    exceeded_ = nullptr;
    lua_sethook(lua_, count, LUA_MASKCOUNT, kStep);
}

/// Whatever a script held beyond its limit is garbage by now.
void ScriptLimits::end() {
    running_ = false;
    if (exceeded_ != nullptr) lua_gc(lua_, LUA_GCCOLLECT, 0);
    lua_gc(lua_, LUA_GCRESTART, 0);
}

}  // namespace locklab
