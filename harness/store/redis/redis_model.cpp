#include "harness/store/redis/redis_model.h"

#include <array>

#include "harness/store/redis/command_table.h"
#include "harness/store/redis/redis_call.h"
#include "harness/store/redis/redis_commands.h"
#include "harness/store/redis/redis_errors.h"
#include "harness/store/redis/script_wording.h"

namespace locklab {

namespace {

/// The target of redis.call: the same commands, at the same instant.
class CallsOfScript final : public ScriptHost {
public:
    CallsOfScript(RedisModel& model, Keyspace& keys, WallTime now, ScriptEngine& scripts)
        : model_(model), keys_(keys), scripts_(scripts), now_(now), now_ms_(milliseconds(now)) {}

    Reply call(std::span<const std::string_view> words) override {
        const ScriptWording& texts = script_wording(scripts_.server());
        const CommandRow* const row = find_command(words, scripts_.server());
        if (row == nullptr) {
            scripts_.note_not_modelled(name_not_known(words));
            const bool tells_more = is_valkey(scripts_.server());
            if (tells_more && has_subcommands(words[0])) return unknown_command(words);
            return Reply::error(std::string(texts.unknown_command));
        }
        if (!row->accepts(words.size())) return Reply::error(std::string(texts.wrong_number));
        if (!row->in_scripts) return Reply::error(std::string(texts.not_allowed));
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

Reply queued() { return Reply::status("QUEUED"); }

}  // namespace

Reply RedisModel::execute(const Command& command, WallTime now, ScriptEngine& scripts,
                          SessionId from) {
    std::array<std::string_view, Command::kMostWords> buffer;
    for (std::size_t i = 0; i < command.size(); ++i) buffer[i] = command[i];
    const std::span<const std::string_view> words(buffer.data(), command.size());
    if (command.script() == nullptr) return execute(words, now, scripts, from);
    if (Session* const open = sessions().in_transaction(from)) {
        open->add({{words.begin(), words.end()}, command.script(), command.keys()});
        return queued();
    }
    return run(*command.script(), command.keys(), words, now, scripts);
}

Reply RedisModel::execute(std::span<const std::string_view> words, WallTime now,
                          ScriptEngine& scripts, SessionId from) {
    LOCKLAB_ASSERT(!words.empty());
    Session* const open = sessions().in_transaction(from);
    const CommandRow* const row = find_command(words, scripts.server());
    const bool is_known = row != nullptr && row->accepts(words.size());
    if (open != nullptr && !is_known) open->refuse();
    if (row == nullptr) {
        scripts.note_not_modelled(name_not_known(words));
        return unknown_command(words);
    }
    if (!is_known && row->run == redis_command::exec) {
        close(from);
        return Reply::error(
            "EXECABORT Transaction discarded because of: wrong number of arguments "
            "for 'exec' command");
    }
    if (!is_known) return redis_error::arity(row->name);
    if (open != nullptr && row->waits_for_exec) {
        open->add({{words.begin(), words.end()}});
        return queued();
    }
    RedisCall call{*this, keys_, scripts, now, milliseconds(now), *row, words, from};
    return row->run(call);
}

Reply RedisModel::execute(const QueuedCommand& queued, WallTime now, ScriptEngine& scripts,
                          SessionId from) {
    const std::vector<std::string_view> words(queued.words.begin(), queued.words.end());
    if (queued.script != nullptr) return run(*queued.script, queued.keys, words, now, scripts);
    return execute(words, now, scripts, from);
}

Reply RedisModel::run(const Script& script, std::size_t keys,
                      std::span<const std::string_view> words, WallTime now,
                      ScriptEngine& scripts) {
    ScriptEngine::Compiled compiled = scripts.compile(script);
    if (compiled.script == nullptr) return std::move(compiled.error);
    return run(*compiled.script, words.first(keys), words.subspan(keys), now, scripts);
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
