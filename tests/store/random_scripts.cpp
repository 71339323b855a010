// The scripts among the random commands: the ones that locks use, ones that return or raise
// every kind of Lua value, and ones made of random commands.
#include <array>

#include "algorithms/compare_and_delete.h"
#include "harness/core/sha1.h"
#include "tests/store/random_commands.h"

namespace locklab::test {

namespace {

using namespace std::string_view_literals;

constexpr std::array kScripts{
    kCompareAndDelete.lua,
    // Redisson's reentrant lock, its unlock and its renewal.
    "if (redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1) "
    "then redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) "
    "return nil end return redis.call('pttl', KEYS[1])"sv,
    "if (redis.call('hexists', KEYS[1], ARGV[2]) == 0) then return nil end "
    "local counter = redis.call('hincrby', KEYS[1], ARGV[2], -1) if (counter > 0) then "
    "redis.call('pexpire', KEYS[1], ARGV[1]) return 0 else redis.call('del', KEYS[1]) "
    "redis.call('publish', KEYS[1], ARGV[1]) return 1 end return nil"sv,
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then "
    "redis.call('pexpire', KEYS[1], ARGV[1]) return 1 end return 0"sv,
    "if redis.call('get', KEYS[1]) == ARGV[2] then "
    "return redis.call('pexpire', KEYS[1], ARGV[1]) else return 0 end"sv,
    "return redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[1])"sv,
    "local fence = redis.call('incr', KEYS[1]) return {fence, tostring(fence)}"sv,
    // Deadlines a millisecond around the script's own time.
    "local t = redis.call('time') local ms = t[1] * 1000 + math.floor(t[2] / 1000) "
    "local r = {} for i = -1, 1 do redis.call('set', KEYS[1], 'v', 'pxat', ms + i) "
    "r[#r + 1] = redis.call('pttl', KEYS[1]) r[#r + 1] = redis.call('get', KEYS[1]) "
    "r[#r + 1] = redis.call('dbsize') end return r"sv,
    "local t = redis.call('time') local ms = t[1] * 1000 + math.floor(t[2] / 1000) "
    "local r = {} for i = -1, 1 do redis.call('set', KEYS[1], 'v') "
    "r[#r + 1] = redis.call('pexpireat', KEYS[1], ms + i) "
    "r[#r + 1] = redis.call('exists', KEYS[1]) r[#r + 1] = redis.call('ttl', KEYS[1]) end "
    "return r"sv,
    // Every kind of value.
    "return nil"sv,
    "return"sv,
    "return true"sv,
    "return false"sv,
    "return 3.999"sv,
    "return -3.999"sv,
    "return 1e300"sv,
    "return -1e300"sv,
    "return 0/0"sv,
    "return 'text'"sv,
    "return ''"sv,
    "return 'a\\0b\\r\\nc'"sv,
    "return {}"sv,
    "return {1, 2, nil, 4}"sv,
    "return {1, {2, {3, 'x'}}, false, true, 1.5}"sv,
    "return {ok = 'FINE'}"sv,
    "return {ok = 'two\\r\\nlines'}"sv,
    "return {err = 'MINE my error'}"sv,
    "return {err = 'plain'}"sv,
    "return {err = 'two\\nlines\\n'}"sv,
    "return {ok = 5}"sv,
    "return {1, x = 2}"sv,
    "return function() end"sv,
    "return {function() end, 1}"sv,
    "return {{ok = 'IN'}, {err = 'OUT of'}}"sv,
    "return redis.status_reply('GOOD')"sv,
    "return redis.error_reply('MINE is bad')"sv,
    "return redis.error_reply('-MINE is bad')"sv,
    "return redis.error_reply('single')"sv,
    "return redis.error_reply('')"sv,
    "return redis.error_reply(5)"sv,
    "return redis.status_reply()"sv,
    "return KEYS"sv,
    "return ARGV"sv,
    "return {#KEYS, #ARGV, KEYS[1], ARGV[1]}"sv,
    "return #ARGV"sv,
    "return redis.sha1hex(ARGV[1] or '')"sv,
    "return redis.sha1hex()"sv,
    "return {redis.LOG_WARNING, redis.log(redis.LOG_NOTICE, 'x'), redis.LOG_DEBUG}"sv,
    "return tostring(redis.call('get', 'none'))"sv,
    "return {type(redis.call('ping'))}"sv,
    "return redis.call('ping')['ok']"sv,
    "return redis.call('select', '0')"sv,
    "return {tostring(1e15), tostring(2^53), 2^53}"sv,
    "return #redis.call('hgetall', KEYS[1] or 'h')"sv,
    "return redis.call('time')"sv,
    "return cmd_from_nowhere"sv,
    // Errors that are raised.
    "error('raised')"sv,
    "error({err = 'MINE raised'})"sv,
    "error()"sv,
    "error('at 0', 0)"sv,
    "return nothing"sv,
    "nothing = 1"sv,
    "KEYS = 1"sv,
    "redis = nil"sv,
    "redis.call = nil"sv,
    "string.x = 1"sv,
    "local t = nil return t.x"sv,
    "return 1 + {}"sv,
    "return redis.call()"sv,
    "return redis.pcall()"sv,
    "return redis.call({})"sv,
    "return redis.call('get', true)"sv,
    "return redis.call('nonesuch')"sv,
    "return redis.call('get')"sv,
    "return redis.call('eval', 'return 1', 0)"sv,
    "return redis.call('script', 'load', 'x')"sv,
    "return redis.call('script', 'nonesuch')"sv,
    "return redis.call('script')"sv,
    "return redis.pcall('get')"sv,
    "return redis.pcall('nonesuch')"sv,
    "return {pcall(redis.call, 'get')}"sv,
    "return {pcall(error, {err = 'X y'})}"sv,
    "return {pcall(error, 'text')}"sv,
    "return {pcall(function() return 1, 2 end)}"sv,
    "local ok, e = pcall(redis.call, 'incr', KEYS[1]) return e"sv,
    "return {xpcall(function() return 7 end, function(e) return e end)}"sv,
    "local f = function() error('inner') end f()"sv,
    "local f = function() return {} + 1 end "
    "return f()"sv,
    "print('x')"sv,
    "return os.time()"sv,
    "return dofile('x')"sv,
    "return loadstring('return 1 + 1')()"sv,
    "return loadstring('x = 1')()"sv,
    "\n\n  error('third line')"sv,
    "return tonumber('0x10')"sv,
    "return {select('#', 1, 2)}"sv,
    "return table.concat({1, 2, 3}, ',')"sv,
    "return string.format('%d %s', 3, 'x')"sv,
    "return ('x'):rep(3)"sv,
    "KEYS[1] = 'lock:b' ARGV.x = 1 return KEYS[1]"sv,
    "ARGV[3] = 'c' return #ARGV"sv,
    "for i = 1, 9 do ARGV[i] = i end return ARGV"sv,
    "setmetatable(ARGV, {__index = function() return 'y' end}) return ARGV[9]"sv,
    "local c = coroutine.wrap(function() coroutine.yield(redis.call('ping')) end) return c()"sv,
    "return rawset(_G, 'x', 1)"sv,
    "return {rawget(_G, 'x')}"sv,
    "return redis.call('set', KEYS[1], 3.7)"sv,
    "return redis.call('set', KEYS[1], 1e20)"sv,
    "return redis.call('set', KEYS[1], -0.0)"sv,
    "return redis.call('set', KEYS[1], 1/3)"sv,
    "return redis.call('set', KEYS[1], 2^53 + 2)"sv,
    "return redis.call('set', KEYS[1], 1/0)"sv,
    // Chunks made by a script: of text alone, as bytecode could do anything.
    "local f, e = loadstring('\\27Lua') return {tostring(f), e}"sv,
    "local f, e = loadstring('\\27Lua', '@mine') return {tostring(f), e}"sv,
    "local f, e = loadstring(string.dump(function() return 1 end), 'd') return {tostring(f), e}"sv,
    "local f, e = loadstring('return (') return e"sv,
    "local p = {'ret', 'urn 7'} return load(function() return table.remove(p, 1) end)()"sv,
    "local p = {'\\27L', 'ua'} local f, e = load(function() return table.remove(p, 1) end) "
    "return {tostring(f), e}"sv,
    "local f, e = load(function() return {} end, 'n') return {tostring(f), e}"sv,
    "local f, e = load(function() error('in reader') end) return {tostring(f), e}"sv,
    "return type(load(function() end))"sv,
    "return {pcall(load, 'return 1')}"sv,
    "return {pcall(loadstring)}"sv,
    "return {setfenv}"sv,
    "return {getfenv}"sv,
    "return {newproxy}"sv,
    "return {type(collectgarbage('count')), collectgarbage(), collectgarbage('stop')}"sv,
    "return {pcall(collectgarbage, 'none')}"sv,
    // What does not compile.
    "\x1bLua"sv,
    "return )"sv,
    "x ="sv,
    "local"sv,
};

/// How many scripts may be asked for again.
constexpr std::uint32_t kRecent = 12;

bool is_plain_number(const std::string& word) {
    if (word.empty() || word.size() > 15 || (word[0] == '0' && word.size() > 1)) return false;
    return word.find_first_not_of("0123456789") == std::string::npos;
}

std::string literal(const std::string& word) {
    std::string text = "'";
    for (const char c : word) {
        const bool plain = std::string_view("'\\\r\n").find(c) == std::string_view::npos;
        if (plain) {
            text += c;
        } else {
            const std::string code = std::to_string(static_cast<int>(c));
            text.append("\\").append(3 - code.size(), '0').append(code);
        }
    }
    return text + "'";
}

}  // namespace

/// Valkey lets scripts have the library os, with a clock; it is not modelled.
std::string RandomCommands::fixed_script() {
    const std::string script = one_of(kScripts);
    const bool has_os = server_ != ServerKind::redis;
    return has_os && script.find("os.") != std::string::npos ? fixed_script() : script;
}

std::span<const std::string_view> RandomCommands::scripts() { return kScripts; }

Words RandomCommands::script_command() {
    const bool again = !recent_.empty() && one_in(3);
    arguments_.clear();
    const std::string text =
        again ? recent_[pick(static_cast<std::uint32_t>(recent_.size()))] : script();
    if (!again && recent_.size() == kRecent) recent_[pick(kRecent)] = text;
    if (!again && recent_.size() < kRecent) recent_.push_back(text);
    const std::string name = to_hex(sha1(text));
    switch (pick(12)) {
        case 0: return {any_case("script"), any_case("load"), text};
        case 1: return {any_case("script"), any_case("exists"), name, any_case(name), "none"};
        case 2:
            if (one_in(4)) return {any_case("script"), any_case("flush")};
            return {"script", any_case(one_in(2) ? "flush" : "nonesuch"), one_of(keys())};
        case 3:
        case 4:
        case 5: {
            Words words = eval(text);
            words[0] = any_case("evalsha");
            words[1] = any_case(one_in(10) ? name.substr(1) : name);
            return words;
        }
        default: return eval(text);
    }
}

Words RandomCommands::eval(const std::string& text) {
    Words words{any_case("eval"), text, "1", one_of(keys().first(3))};
    // A wrong number of keys moves ARGV, and could name a command that the model has not.
    if (arguments_.empty()) {
        arguments_ = {number('m'), one_in(2) ? "client-1:1" : "token-1"};
        if (one_in(20)) words[2] = number('n');
    }
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    if (one_in(40)) words.resize(2 + pick(2));
    return words;
}

std::string RandomCommands::script() {
    switch (pick(5)) {
        case 0: return "return " + call("redis.call");
        case 1: return "return {" + call("redis.pcall") + ", " + call("redis.call") + "}";
        case 2: {
            std::string text = "local r = {} ";
            do {
                text += "r[#r + 1] = " + call("redis.pcall") + " ";
            } while (!one_in(4));
            return text + "return r";
        }
        default: return fixed_script();
    }
}

/// A call of a random command, its words as literals, as numbers or as arguments.
std::string RandomCommands::call(const char* function) {
    std::string text = std::string(function) + "(";
    for (const std::string& word : plain()) {
        if (text.back() != '(') text += ", ";
        if (one_in(3) && arguments_.size() < 6) {
            arguments_.push_back(word);
            text += "ARGV[" + std::to_string(arguments_.size()) + "]";
        } else {
            text += is_plain_number(word) && one_in(2) ? word : literal(word);
        }
    }
    return text + ")";
}

}  // namespace locklab::test
