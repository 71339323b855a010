// What a script may do to the process that runs it: nothing. That bytecode is refused in Redis's
// words is what the differential test shows.
#include "harness/store/redis/script_limits.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/store/redis/script_engine.h"

namespace locklab::script_limits_test {

namespace {

class NoCommands final : public ScriptHost {
public:
    Reply call(std::span<const std::string_view>) override { return Reply::ok(); }
};

class ScriptLimitsTest : public testing::Test {
protected:
    Reply run(std::string_view lua) {
        const ScriptEngine::Compiled compiled = scripts_.compile(lua);
        if (compiled.script == nullptr) return compiled.error;
        return scripts_.run(*compiled.script, {}, {}, commands_);
    }
    /// A script that goes beyond a limit, which is named; the next one runs as ever.
    void expect_beyond(std::string_view lua, const std::string& limit) {
        const Reply reply = run(lua);
        EXPECT_TRUE(reply.is_error()) << to_string(reply);
        ASSERT_NE(scripts_.exceeded(), nullptr) << lua;
        EXPECT_EQ(scripts_.exceeded(), limit);
        EXPECT_EQ(scripts_.not_modelled(), limit);
        scripts_.forget_not_modelled();
        EXPECT_EQ(run("return 7"), Reply::integer(7));
        EXPECT_EQ(scripts_.exceeded(), nullptr);
    }

    const std::string instructions_ = "scripts of more than 50,000,000 instructions";
    const std::string bytes_ = "scripts that hold more than 64 MB";
    ScriptEngine scripts_;
    NoCommands commands_;
};

TEST_F(ScriptLimitsTest, a_loop_without_end_is_ended) {
    expect_beyond("while true do end", instructions_);
    expect_beyond("local function f() return f() end return f()", instructions_);
}

TEST_F(ScriptLimitsTest, a_loop_that_catches_its_errors_is_ended) {
    expect_beyond("while true do pcall(function() while true do end end) end", instructions_);
    expect_beyond("while true do xpcall(function() while true do end end, function() end) end",
                  instructions_);
}

TEST_F(ScriptLimitsTest, a_loop_in_a_coroutine_is_ended) {
    expect_beyond("coroutine.wrap(function() while true do end end)()", instructions_);
    expect_beyond(
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) "
        "end",
        instructions_);
}

TEST_F(ScriptLimitsTest, memory_without_end_is_refused) {
    expect_beyond("local t = {} for i = 1, 1e9 do t[i] = string.rep('x', 1e6) .. i end", bytes_);
    expect_beyond("return string.rep('x', 1e9)", bytes_);
    expect_beyond("return #string.rep('x', 7e7)", bytes_);
}

/// Lua's own unpack took the number of these for one below 0, and wrote over what it had.
TEST_F(ScriptLimitsTest, more_values_than_a_call_can_have_are_refused) {
    for (const char* bounds :
         {"-2^31, 0", "-2^31, 2^31 - 1", "-2, 2^31 - 1", "1, 1e9", "1, 9000"}) {
        const std::string lua = std::string("return unpack({}, ") + bounds + ")";
        EXPECT_NE(run(lua).text().find("too many results to unpack"), std::string::npos) << lua;
        EXPECT_EQ(scripts_.exceeded(), nullptr);
    }
    EXPECT_EQ(run("return {unpack({7, 8, 9}, 2)}"),
              Reply::array({Reply::integer(8), Reply::integer(9)}));
    EXPECT_EQ(run("return select('#', unpack({1, nil, 3}, -1, 4))"), Reply::integer(6));
    EXPECT_EQ(run("return select('#', unpack({}, 2^31 - 1, 2^31 - 1))"), Reply::integer(1));
    EXPECT_EQ(run("return select('#', unpack({}))"), Reply::integer(0));
}

TEST_F(ScriptLimitsTest, memory_that_is_given_back_may_be_taken_again) {
    EXPECT_EQ(run("local n = 0 for i = 1, 300 do n = n + #string.rep('x', 1e6 + i) end return n"),
              Reply::integer(300'045'150));
}

TEST_F(ScriptLimitsTest, a_script_cannot_stop_the_collector_for_those_after_it) {
    for (int i = 0; i < 40; ++i) {
        const Reply reply = run("collectgarbage('stop') return #string.rep('x', 2e7)");
        EXPECT_EQ(reply, Reply::integer(20'000'000));
    }
}

TEST_F(ScriptLimitsTest, bytecode_is_text_that_does_not_compile) {
    const std::string_view refused = "unexpected symbol near 'char(27)'";
    EXPECT_NE(to_string(run("\x1bLuaQ")).find(refused), std::string::npos);
    EXPECT_NE(to_string(run("return select(2, loadstring(string.dump(function() end), 'x'))"))
                  .find(refused),
              std::string::npos);
}

/// A chunk whose reader gives an empty part first was text to a check of that part alone.
TEST_F(ScriptLimitsTest, bytecode_after_nothing_is_the_end_of_a_text) {
    EXPECT_EQ(run("local p = {'', string.dump(function() return 5 end)} "
                  "return load(function() return table.remove(p, 1) end)()"),
              Reply::nil());
}

}  // namespace

}  // namespace locklab::script_limits_test
