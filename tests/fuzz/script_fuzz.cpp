// Bytes choose the productions of a small grammar of Lua. The script runs as EVAL in the model of
// Redis, twice in one engine. Whatever it does, the process goes on, and the next script finds the
// engine as new. Loops and texts are short: that one which is not ends is for the process to see to
// in which it runs (see replay_apart.h).

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/assert.h"
#include "harness/store/redis/redis_model.h"

using namespace locklab;

namespace {

using namespace std::string_view_literals;

/// Each line has a letter, and what <letter> may be: (E)xpressions, (B)locks, (V)ariables,
/// (G)lobals, (N)umbers, how often a loop goes (R)ound, (T)exts, (P)atterns, (F)ormats,
/// (M)etatables, (C)ommands, (H)andlers: one that catches errors of its own would be called by them
/// again and again, without an instruction of Lua. The first of each has no others in it.
constexpr std::string_view kGrammar =
    R"(E b|a|nil|true|false|<N>|<T>|<V>|<V>|{}|{<E>, <E>, k = <E>}|{[<N>] = <E>, ok = <T>}|{err = <E>}
E <V>.k|<V>[<E>]|<V>:rep(<N>)|<V>(<E>, <E>)|function(a, ...) <B> end|function(...) return <E> end
E ...|(<E>)|<E> .. <E>|<E> + <E>|<E> % <E>|<E> ^ <N>|- <E>|#<E>|not <E>|<E> == <E>|<E> < <E>
E <E> and <E> or <E>|KEYS|ARGV|KEYS[<N>]|_G|<G>|<G>.<V>|redis.call(<C>)|redis.pcall(<C>)
E redis.call(<E>, <E>)|redis.sha1hex(<E>)|redis.error_reply(<E>)|redis.status_reply(<E>)
E redis.log(<N>, <E>)|pcall(<E>, <E>)|xpcall(<E>, <H>)|error(<E>, <N>)|tostring(<E>)|type(<E>)
E tonumber(<E>, <N>)|select(<N>, <E>, <E>)|unpack(<E>, <N>, <N>)|rawget(<E>, <E>)|next(<E>, <E>)
E rawset(<E>, <E>, <E>)|rawequal(<E>, <E>)|setmetatable(<E>, <M>)|getmetatable(<E>)
E collectgarbage(<T>)|assert(<E>, <E>)|loadstring(<E>, <T>)|loadstring(<T>)|load(<E>)
E loadstring('\27Lua' .. <E>)|string.dump(<E>)|loadstring(string.dump(<E>))
E string.format(<F>, <E>, <E>)|string.find(<E>, <P>, <N>)|string.match(<E>, <P>)
E string.gsub(<E>, <P>, <E>, <N>)|string.gmatch(<E>, <P>)|string.byte(<E>, <N>, <N>)
E string.char(<N>, <E>)|string.sub(<E>, <N>, <N>)|string.rep(<T>, <N>)|string.reverse(<E>)
E table.concat(<E>, <T>, <N>, <N>)|table.insert(<E>, <N>, <E>)|table.remove(<E>, <N>)
E table.sort(<E>, <E>)|table.maxn(<E>)|math.random(<N>, <N>)|math.randomseed(<E>)
E math.floor(<E>)|math.fmod(<E>, <N>)|coroutine.create(<E>)|coroutine.wrap(<E>)
E coroutine.wrap(<E>)(<E>)|coroutine.resume(<E>, <E>)|coroutine.yield(<E>)
E coroutine.status(<E>)|coroutine.running()
B local _ = nil|local <V> = <E>|<V> = <E>|<V> = <E>|<V>[<E>] = <E>|<V>.k = <E>|<G> = <E>
B <G>.<V> = <E>|KEYS[<N>] = <E>|ARGV.k = <E>|if <E> then <B> else <B> end
B for i = 1, <R> do <B> end|for i = <R>, 1, -1 do <B> end|for k, v in pairs(<E>) do <B> break end
B for k in <E> do <B> break end|repeat <B> until true|while <E> do <B> break end|do <B> <B> end
B do return <E> end|do return <E>, <E> end|local function <V>(a, ...) <B> end|redis.call(<C>)
B pcall(function(...) <B> end)|error(<E>)|setmetatable(<V>, <M>)
H tostring|nil|type|function(e) return <T> end|function(e) error(e) end
V a|b|c|d
G nothing|_G|string|redis|table|math|coroutine|KEYS|cjson|newproxy|print
N 0|1|2|3|5|9|16|-1|-3|0.5|0/0|1e300|2^53|-2^31
R 2|3|9
T ''|'a'|'k'|'abcabc'|'7'|'\0\255'|'\27Lua'|'return 1'|'return ...'|'x = 1'|'a\r\nb'|'count'
T 'stop'|'__index'|'('
P 'a'|'.'|'(a)(.)%1'|'%b()'|'%f[a]'|'[^a-c]'|'a-b?'|'()'|'%'|'['|'(('|'^a*$'|'%z'|'%9'|<E>
F '%s'|'%q'|'%d %5.2f'|'%99s'|'%999d'|'%c%c'|'%x'|'%'|'%-20.14g'|<E>
M {}|{__index = <E>}|{__newindex = <E>}|{__call = <E>}|{__eq = <E>, __lt = <E>}
M {__concat = <E>, __len = <E>}|{__metatable = <E>}|{__gc = <E>, __mode = 'kv'}
M {__tostring = <E>}|{__index = _G}|<E>
C 'get', KEYS[1]|'set', KEYS[1], <E>|'set', KEYS[1], ARGV[1], 'NX', 'PX', <N>|'del', KEYS[1]
C 'incr', <T>|'hset', KEYS[2], <T>, <E>|'hgetall', KEYS[2]|'pexpire', KEYS[1], <N>|'time'
C 'pttl', KEYS[1]|'exists', <T>, <T>|'eval', <T>, 0|'flushall'|'script', 'load', <T>
C 'publish', <T>, <E>|<E>
)";

using Grammar = std::map<char, std::vector<std::string_view>>;

Grammar grammar() {
    Grammar productions;
    for (std::string_view rest = kGrammar; !rest.empty();) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size() + 1);
        std::vector<std::string_view>& list = productions[line.front()];
        for (line.remove_prefix(2); !line.empty();) {
            list.push_back(line.substr(0, line.find('|')));
            line.remove_prefix(std::min(list.back().size() + 1, line.size()));
        }
    }
    return productions;
}

/// Writes a script as its bytes say. Where they are at an end, and where it is deep, each choice is
/// the first.
class Writer {
public:
    explicit Writer(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    /// Each statement has its own errors.
    std::string script() {
        text_ = "local a, b, c, d = {}, 'abc', 3\n";
        while (!bytes_.empty() && text_.size() < kMostText) {
            text_ += "pcall(function(...) ";
            write("<B>");
            text_ += " end, a, b)\n";
        }
        return text_ + "return a\n";
    }

private:
    static constexpr std::size_t kMostText = 4096;
    static constexpr int kDeepest = 6;

    std::string_view pick(char letter) {
        static const Grammar kProductions = grammar();
        const std::vector<std::string_view>& among = kProductions.at(letter);
        if (bytes_.empty() || depth_ > kDeepest || text_.size() > kMostText) return among.front();
        const std::uint8_t byte = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return among[byte % among.size()];
    }

    void write(std::string_view production) {
        ++depth_;
        while (!production.empty()) {
            const bool is_letter =
                production.size() > 2 && production[0] == '<' && production[2] == '>';
            if (is_letter) {
                write(pick(production[1]));
            } else {
                text_ += production.front();
            }
            production.remove_prefix(is_letter ? 3 : 1);
        }
        --depth_;
    }

    std::span<const std::uint8_t> bytes_;
    std::string text_;
    int depth_ = 0;
};

Reply eval(RedisModel& model, ScriptEngine& engine, std::string_view text) {
    const std::array words{"EVAL"sv, text, "2"sv, "lock"sv, "hash"sv, "token"sv, "30000"sv};
    return model.execute(words, WallTime(std::chrono::seconds(1'700'000'000)), engine);
}

/// What a script finds around it.
constexpr std::string_view kProbe =
    R"(local r = {#KEYS, #ARGV, KEYS[1], ARGV[2], ('x'):rep(2), math.random(1000)}
for _, t in ipairs({'string', 'redis', 'table', 'math', 'coroutine', '_G'}) do
  r[#r + 1] = type(_G[t]) .. tostring(getmetatable(_G[t])) .. tostring(rawget(_G, t))
end
for k in pairs(KEYS) do r[#r + 1] = k end
for k in pairs(ARGV) do r[#r + 1] = k end
return r)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Reply expected = [] {
        RedisModel model;
        ScriptEngine engine;
        return eval(model, engine, kProbe);
    }();
    LOCKLAB_ASSERT(!expected.is_error());
    const std::string text = Writer({data, size}).script();
    ScriptEngine engine;
    for (int again = 0; again < 2; ++again) {
        RedisModel model;
        static_cast<void>(to_string(eval(model, engine, text)));
        engine.forget_not_modelled();
        LOCKLAB_ASSERT(eval(model, engine, "return 1") == Reply::integer(1));
        LOCKLAB_ASSERT(eval(model, engine, kProbe) == expected);
        LOCKLAB_ASSERT(engine.not_modelled().empty());
    }
    return 0;
}
