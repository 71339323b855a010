#include "harness/store/redis/redis_model.h"

#include <array>

#include "harness/store/redis/command_table.h"
#include "harness/store/redis/redis_call.h"
#include "harness/store/redis/redis_errors.h"

namespace locklab {

namespace {

/// The target of redis.call: the same commands, at the same instant.
class CallsOfScript final : public ScriptHost {
public:
    CallsOfScript(RedisModel& model, Keyspace& keys, WallTime now, ScriptEngine& scripts)
        : model_(model), keys_(keys), scripts_(scripts), now_(now), now_ms_(milliseconds(now)) {}

    Reply call(std::span<const std::string_view> words) override {
        const CommandRow* const row = find_command(words);
        if (row == nullptr) {
            scripts_.note_not_modelled(name_not_known(words));
            return Reply::error("ERR Unknown Redis command called from script");
        }
        if (!row->accepts(words.size())) {
            return Reply::error("ERR Wrong number of args calling Redis command from script");
        }
        if (!row->in_scripts) {
            return Reply::error("ERR This Redis command is not allowed from script");
        }
        RedisCall call{model_, keys_, scripts_, now_, now_ms_, *row, words};
        return row->run(call);
    }

private:
    RedisModel& model_;
    Keyspace& keys_;
    ScriptEngine& scripts_;
    WallTime now_;
    std::int64_t now_ms_;
};

}  // namespace

Reply RedisModel::execute(const Command& command, WallTime now, ScriptEngine& scripts) {
    std::array<std::string_view, Command::kMostWords> buffer;
    for (std::size_t i = 0; i < command.size(); ++i) buffer[i] = command[i];
    const std::span<const std::string_view> words(buffer.data(), command.size());
    if (command.script() == nullptr) return execute(words, now, scripts);
    ScriptEngine::Compiled compiled = scripts.compile(*command.script());
    if (compiled.script == nullptr) return std::move(compiled.error);
    const std::size_t keys = command.keys();
    return run(*compiled.script, words.first(keys), words.subspan(keys), now, scripts);
}

Reply RedisModel::execute(std::span<const std::string_view> words, WallTime now,
                          ScriptEngine& scripts) {
    LOCKLAB_ASSERT(!words.empty());
    const CommandRow* const row = find_command(words);
    if (row == nullptr) {
        scripts.note_not_modelled(name_not_known(words));
        return unknown_command(words);
    }
    if (!row->accepts(words.size())) return redis_error::arity(row->name);
    RedisCall call{*this, keys_, scripts, now, milliseconds(now), *row, words};
    return row->run(call);
}

Reply RedisModel::run(const CompiledScript& script, std::span<const std::string_view> keys,
                      std::span<const std::string_view> arguments, WallTime now,
                      ScriptEngine& scripts) {
    cache_.add(script.sha, script.text);
    CallsOfScript host(*this, keys_, now, scripts);
    return scripts.run(script, keys, arguments, host);
}

void RedisModel::expire(WallTime now) { keys_.expire(milliseconds(now)); }

}  // namespace locklab
