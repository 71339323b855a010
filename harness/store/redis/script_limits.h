// What the scripts of one engine may take of this machine. Redis lets a script run until somebody
// kills it, and take what memory there is. Here a script may come out of a file, so both end.
#pragma once

#include <cstddef>
#include <cstdint>

struct lua_State;
struct lua_Debug;

namespace locklab {

class ScriptLimits {
public:
    /// A Lua that is bound by these limits; they must outlive it. Null: no memory for it.
    lua_State* open();

    /// Both limits hold between these two, for all that runs in between together.
    void begin();
    void end();

    /// In half a sentence, what the last run went beyond ("scripts of more than ..."), or null.
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
