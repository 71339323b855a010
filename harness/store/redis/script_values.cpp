#include "harness/store/redis/script_values.h"

#include <limits>
#include <lua.hpp>
#include <utility>
#include <vector>

#include "harness/store/redis/redis_text.h"

namespace locklab::script {

namespace {

void push_text(lua_State* lua, std::string_view text) {
    lua_pushlstring(lua, text.data(), text.size());
}

void push_table(lua_State* lua, const char* field, std::string_view text) {
    lua_createtable(lua, 0, 1);
    push_text(lua, text);
    lua_setfield(lua, -2, field);
}

/// Numbers lose their fraction. One that does not fit into 64 bits becomes what x86-64 gives.
std::int64_t truncated(lua_Number number) {
    constexpr lua_Number kEnd = 9223372036854775808.0;
    const bool fits = number >= -kEnd && number < kEnd;
    return fits ? static_cast<std::int64_t>(number) : std::numeric_limits<std::int64_t>::min();
}

/// Pushes the string in a field of the table on top; false, and nothing pushed, if it is none.
bool push_string_field(lua_State* lua, const char* field) {
    lua_pushstring(lua, field);
    lua_rawget(lua, -2);
    if (lua_type(lua, -1) == LUA_TSTRING) return true;
    lua_pop(lua, 1);
    return false;
}

Reply table_reply(lua_State* lua) {
    if (push_string_field(lua, "err")) {
        const std::string error = one_line(trim_breaks(c_text(lua, -1)));
        lua_pop(lua, 1);
        return Reply::error(error);
    }
    if (push_string_field(lua, "ok")) {
        const std::string status = one_line(c_text(lua, -1));
        lua_pop(lua, 1);
        return Reply::status(status);
    }
    std::vector<Reply> elements;
    for (int i = 1;; ++i) {
        lua_rawgeti(lua, -1, i);
        if (lua_isnil(lua, -1)) break;
        elements.push_back(pop_reply(lua));
    }
    lua_pop(lua, 1);
    return Reply::array(std::move(elements));
}

Reply top_reply(lua_State* lua) {
    if (lua_checkstack(lua, 4) == 0) return Reply::error("ERR reached lua stack limit");
    switch (lua_type(lua, -1)) {
        case LUA_TSTRING: {
            std::size_t size = 0;
            const char* text = lua_tolstring(lua, -1, &size);
            return Reply::bulk(std::string(text, size));
        }
        case LUA_TBOOLEAN: return lua_toboolean(lua, -1) != 0 ? Reply::integer(1) : Reply::nil();
        case LUA_TNUMBER: return Reply::integer(truncated(lua_tonumber(lua, -1)));
        case LUA_TTABLE: return table_reply(lua);
        default: return Reply::nil();
    }
}

}  // namespace

std::string_view c_text(lua_State* lua, int place) { return lua_tostring(lua, place); }

void push(lua_State* lua, const Reply& reply) {
    luaL_checkstack(lua, 3, "reply");
    switch (reply.kind()) {
        case Reply::Kind::nil: lua_pushboolean(lua, 0); return;
        case Reply::Kind::integer:
            lua_pushnumber(lua, static_cast<lua_Number>(reply.as_integer()));
            return;
        case Reply::Kind::bulk: push_text(lua, reply.text()); return;
        case Reply::Kind::status: push_table(lua, "ok", reply.text()); return;
        case Reply::Kind::unknown:
        case Reply::Kind::error: push_table(lua, "err", reply.text()); return;
        case Reply::Kind::array: break;
    }
    lua_createtable(lua, static_cast<int>(reply.elements().size()), 0);
    int place = 0;
    for (const Reply& element : reply.elements()) {
        push(lua, element);
        lua_rawseti(lua, -2, ++place);
    }
}

void push_error(lua_State* lua, std::string_view text) {
    push_table(lua, "err", "ERR " + std::string(text));
}

void push_error_reply(lua_State* lua, std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    const std::size_t space = text.find(' ');
    const bool has_code = space != std::string_view::npos;
    const std::string_view code = has_code ? text.substr(0, space) : "ERR";
    const std::string_view message = trim_breaks(has_code ? text.substr(space + 1) : text);
    push_table(lua, "err", std::string(code).append(" ").append(message));
}

Reply pop_reply(lua_State* lua) {
    Reply reply = top_reply(lua);
    lua_pop(lua, 1);
    return reply;
}

}  // namespace locklab::script
