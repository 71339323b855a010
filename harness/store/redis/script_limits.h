// Limits for the scripts of one engine. Redis lets a script run until it is killed, and take all
// available memory. Here a script may come from a file, so both are limited.
#pragma once

#include <cstddef>
#include <cstdint>

struct lua_State;
struct lua_Debug;

namespace locklab {

class ScriptLimits {
public:
    /// A new Lua state under these limits, which must outlive it. Null: not enough memory.
    lua_State* open();

    /// The limits apply between begin() and end(), to everything that runs in between together.
    void begin();
    void end();

    /// The limit that the last run exceeded, as half a sentence ("scripts of more than ..."), or
    /// null.
    const char* exceeded() const { return exceeded_; }

private:
    static void* allocate(void* limits, void* block, std::size_t old_size, std::size_t new_size);
    static void count(lua_State* lua, lua_Debug*);
    void stop(lua_State* lua);

    lua_State* lua_ = nullptr;
    std::size_t bytes_ = 0;
    std::uint64_t instructions_ = 0;
    bool running_ = false;
    const char* exceeded_ = nullptr;
};

}  // namespace locklab
