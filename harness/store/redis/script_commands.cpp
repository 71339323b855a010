// Commands about scripts: run one, or cache it for later.
#include <optional>
#include <string>
#include <vector>

#include "harness/store/redis/redis_commands.h"
#include "harness/store/redis/redis_errors.h"
#include "harness/store/redis/redis_model.h"
#include "harness/store/redis/redis_text.h"
#include "harness/store/redis/script_wording.h"

namespace locklab::redis_command {

namespace {

Reply no_script(const RedisCall& call) {
    return Reply::error(std::string(script_wording(call.scripts.server()).no_such_script));
}

std::optional<std::uint8_t> hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
    const char small = lower(c);
    if (small >= 'a' && small <= 'f') return static_cast<std::uint8_t>(small - 'a' + 10);
    return std::nullopt;
}

/// The text of the cached script with this digest, or null.
const std::string* cached(RedisCall& call, std::string_view name) {
    Sha1 sha{};
    if (name.size() != 2 * sha.size()) return nullptr;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto digit = hex_digit(name[i]);
        if (!digit) return nullptr;
        sha[i / 2] = static_cast<std::uint8_t>(sha[i / 2] << 4 | *digit);
    }
    call.scripts.note_script(sha);
    return call.model.script_cache().find(sha);
}

/// The error in EVAL's number of keys, if there is one.
std::optional<Reply> bad_key_count(const RedisCall& call) {
    const auto count = whole_number(call.words[2]);
    if (!count) return redis_error::not_an_integer();
    if (*count > static_cast<std::int64_t>(call.words.size()) - 3) {
        return Reply::error("ERR Number of keys can't be greater than number of args");
    }
    if (*count < 0) return Reply::error("ERR Number of keys can't be negative");
    return std::nullopt;
}

Reply run_text(RedisCall& call, std::string_view text) {
    ScriptEngine::Compiled compiled = call.scripts.compile(text);
    if (compiled.script == nullptr) return std::move(compiled.error);
    const auto count = static_cast<std::size_t>(*whole_number(call.words[2]));
    return call.model.run(*compiled.script, call.words.subspan(3, count),
                          call.words.subspan(3 + count), call.now, call.scripts);
}

}  // namespace

Reply eval(RedisCall& call) {
    if (const auto error = bad_key_count(call)) return *error;
    return run_text(call, call.words[1]);
}

Reply evalsha(RedisCall& call) {
    const Sha1 any{};
    if (call.words[1].size() != 2 * any.size()) return no_script(call);
    if (const auto error = bad_key_count(call)) return *error;
    const std::string* text = cached(call, call.words[1]);
    return text != nullptr ? run_text(call, *text) : no_script(call);
}

Reply script_load(RedisCall& call) {
    ScriptEngine::Compiled compiled = call.scripts.compile(call.words[2]);
    if (compiled.script == nullptr) return std::move(compiled.error);
    call.model.script_cache().add(compiled.script->sha, compiled.script->text);
    return Reply::bulk(compiled.script->name);
}

Reply script_exists(RedisCall& call) {
    std::vector<Reply> known;
    for (const std::string_view name : call.words.subspan(2)) {
        known.push_back(Reply::integer(cached(call, name) != nullptr ? 1 : 0));
    }
    return Reply::array(std::move(known));
}

Reply script_flush(RedisCall& call) {
    const bool known = call.words.size() == 2 ||
                       (call.words.size() == 3 &&
                        (is_word(call.words[2], "sync") || is_word(call.words[2], "async")));
    if (!known) return Reply::error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
    call.model.script_flush();
    return Reply::ok();
}

}  // namespace locklab::redis_command
