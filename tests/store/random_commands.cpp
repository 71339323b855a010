#include "tests/store/random_commands.h"

#include <array>

namespace locklab::test {

namespace {

using namespace std::string_view_literals;

constexpr std::array kKeys{"lock:a"sv, "lock:b"sv, "h"sv, ""sv};
constexpr std::array kValues{"token-1"sv,
                             "a token that no short string holds"sv,
                             "1"sv,
                             "0"sv,
                             "-1"sv,
                             "10"sv,
                             "007"sv,
                             "+5"sv,
                             " 1"sv,
                             "1.5"sv,
                             ""sv,
                             "-"sv,
                             "-0"sv,
                             "9223372036854775807"sv,
                             "-9223372036854775808"sv,
                             "9223372036854775808"sv,
                             "a\r\nb"sv,
                             "nx"sv,
                             "abc"sv};
constexpr std::array kFields{"client-1:1"sv, "client-2:1"sv, "3"sv, ""sv};
constexpr std::array kWeird{"0"sv,
                            "-1"sv,
                            "-5"sv,
                            "abc"sv,
                            ""sv,
                            "1.0"sv,
                            "00"sv,
                            "1e3"sv,
                            "9223372036854775807"sv,
                            "9223372036854775"sv,
                            "9223372036854775808"sv,
                            "-9223372036854775808"sv,
                            "-9223372036854775"sv,
                            "-9223372036854776"sv,
                            "9223370336854775807"sv};
constexpr std::array kExpireOptions{"nx"sv, "xx"sv, "gt"sv, "lt"sv, "zz"sv};

/// A command and its words: k key, v value, f field, n number; s and m a time to live in s and
/// ms; S and M an instant; o options of SET, x of GETEX, e of EXPIRE, y of FLUSHALL. In capitals K,
/// F, P and V: one or more keys, fields, or pairs of field or key and value.
struct Shape {
    std::string_view name;
    std::string_view words;
};

constexpr std::array kShapes{
    Shape{"set", "kvo"},       Shape{"set", "kvo"},      Shape{"set", "kvo"},
    Shape{"set", "kv"},        Shape{"setnx", "kv"},     Shape{"setex", "ksv"},
    Shape{"psetex", "kmv"},    Shape{"get", "k"},        Shape{"get", "k"},
    Shape{"getset", "kv"},     Shape{"getdel", "k"},     Shape{"del", "K"},
    Shape{"unlink", "K"},      Shape{"exists", "K"},     Shape{"expire", "kse"},
    Shape{"pexpire", "kme"},   Shape{"expireat", "kSe"}, Shape{"pexpireat", "kMe"},
    Shape{"pexpireat", "kM"},  Shape{"pexpire", "km"},   Shape{"ttl", "k"},
    Shape{"pttl", "k"},        Shape{"pttl", "k"},       Shape{"persist", "k"},
    Shape{"type", "k"},        Shape{"incr", "k"},       Shape{"incrby", "kn"},
    Shape{"decr", "k"},        Shape{"decrby", "kn"},    Shape{"hset", "kP"},
    Shape{"hset", "kP"},       Shape{"hsetnx", "kfv"},   Shape{"hget", "kf"},
    Shape{"hdel", "kF"},       Shape{"hexists", "kf"},   Shape{"hincrby", "kfn"},
    Shape{"hgetall", "k"},     Shape{"hlen", "k"},       Shape{"publish", "kv"},
    Shape{"time", ""},         Shape{"ping", ""},        Shape{"ping", "v"},
    Shape{"dbsize", ""},       Shape{"flushall", "y"},   Shape{"getex", "kx"},
    Shape{"getex", "kx"},      Shape{"append", "kv"},    Shape{"strlen", "k"},
    Shape{"mget", "K"},        Shape{"mset", "V"},       Shape{"msetnx", "V"},
    Shape{"hmset", "kP"},      Shape{"hmget", "kF"},     Shape{"hkeys", "k"},
    Shape{"hvals", "k"},       Shape{"hstrlen", "kf"},   Shape{"expiretime", "k"},
    Shape{"pexpiretime", "k"}, Shape{"rename", "kk"},    Shape{"renamenx", "kk"},
    Shape{"touch", "K"},       Shape{"echo", "v"},       Shape{"flushdb", "y"},
};
/// Valkey has it too.
constexpr Shape kDelifeq{"delifeq", "kv"};

}  // namespace

std::span<const std::string_view> RandomCommands::keys() { return kKeys; }

std::vector<std::string_view> RandomCommands::names(ServerKind server) {
    std::vector<std::string_view> names{"eval", "evalsha", "script",  "watch",
                                        "exec", "multi",   "discard", "unwatch"};
    for (const Shape& shape : kShapes) names.push_back(shape.name);
    if (server == ServerKind::valkey) names.push_back(kDelifeq.name);
    return names;
}

Words RandomCommands::next(WallTime now, bool open) {
    now_ms_ = std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count();
    if (one_in(5)) return transaction(open);
    return one_in(4) ? script_command() : plain();
}

Words RandomCommands::plain() {
    const Shape* shape = &kShapes[pick(kShapes.size())];
    if (server_ == ServerKind::valkey && one_in(30)) shape = &kDelifeq;
    // The database is emptied so rarely that most sequences fill it.
    if (shape->name.starts_with("flush") && !one_in(8)) shape = &kShapes[0];
    Words words{any_case(std::string(shape->name))};
    for (const char kind : shape->words) add(words, kind);
    if (one_in(25)) spoil(words);
    return words;
}

/// Mostly what makes sense there.
Words RandomCommands::transaction(bool open) {
    constexpr std::array kOutside{"watch"sv, "watch"sv, "multi"sv, "unwatch"sv};
    constexpr std::array kInside{"exec"sv, "exec"sv, "exec"sv, "discard"sv, "unwatch"sv};
    const bool fits = !one_in(10);
    const std::string name = open == fits ? one_of(kInside) : one_of(kOutside);
    Words words{any_case(name)};
    if (name == "watch") add(words, 'K');
    if (one_in(25)) spoil(words);
    return words;
}

void RandomCommands::add(Words& words, char kind) {
    switch (kind) {
        case 'k': words.push_back(one_of(std::span(kKeys).first(one_in(20) ? 4 : 3))); return;
        case 'v': words.push_back(one_of(kValues)); return;
        case 'f': words.push_back(one_of(kFields)); return;
        case 'o': add_set_options(words); return;
        case 'e':
            while (one_in(3)) words.push_back(any_case(one_of(kExpireOptions)));
            return;
        case 'x': add_getex_options(words); return;
        case 'V':
            do {
                add(words, 'k');
                add(words, 'v');
            } while (one_in(3));
            return;
        case 'y':
            if (one_in(2)) words.push_back(any_case(one_in(2) ? "sync" : "async"));
            return;
        case 'P':
            do {
                add(words, 'f');
                add(words, 'v');
            } while (one_in(3));
            return;
        case 'K':
        case 'F': do { add(words, kind == 'K' ? 'k' : 'f');
            } while (one_in(3));
            return;
        default: words.push_back(number(kind)); return;
    }
}

std::string RandomCommands::number(char kind) {
    if (one_in(12)) return one_of(kWeird);
    constexpr std::array<std::int64_t, 8> kMilliseconds{1, 2, 3, 5, 10, 499, 500, 1500};
    const std::int64_t near = std::int64_t{pick(6)} - 1;
    switch (kind) {
        case 'n': return std::to_string(std::int64_t{pick(7)} - 3);
        case 's': return std::to_string(1 + pick(3));
        case 'm': return std::to_string(kMilliseconds[pick(kMilliseconds.size())]);
        case 'S': return std::to_string(now_ms_ / 1000 + near);
        default: return std::to_string(now_ms_ + near);
    }
}

void RandomCommands::add_set_options(Words& words) {
    if (is_valkey(server_) && one_in(5)) {
        words.push_back(any_case("ifeq"));
        add(words, 'v');
    }
    while (!one_in(3)) {
        switch (pick(9)) {
            case 0: words.push_back(any_case("keepttl")); break;
            case 1: words.push_back(any_case("xx")); break;
            case 2: words.push_back(any_case("get")); break;
            case 3:
            case 4: words.push_back(any_case("nx")); break;
            case 5:
                words.push_back(any_case("ex"));
                words.push_back(number('s'));
                break;
            case 6:
                words.push_back(any_case("px"));
                words.push_back(number('m'));
                break;
            case 7:
                words.push_back(any_case("exat"));
                words.push_back(number('S'));
                break;
            default:
                words.push_back(any_case("pxat"));
                words.push_back(number('M'));
                break;
        }
    }
}

void RandomCommands::add_getex_options(Words& words) {
    while (!one_in(2)) {
        constexpr std::array kOptions{"ex"sv, "px"sv, "exat"sv, "pxat"sv};
        constexpr std::array kKinds{'s', 'm', 'S', 'M'};
        const std::uint32_t which = pick(6);
        if (which >= 4) {
            words.push_back(any_case(which == 4 ? "persist" : "keepttl"));
            continue;
        }
        words.push_back(any_case(std::string(kOptions[which])));
        words.push_back(number(kKinds[which]));
    }
}

std::string RandomCommands::any_case(std::string word) {
    const std::uint32_t style = pick(3);
    for (char& c : word) {
        const bool upper = style == 1 || (style == 2 && one_in(2));
        if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    }
    return word;
}

/// Leaves a word out, adds one, or replaces one by another that fits nowhere.
void RandomCommands::spoil(Words& words) {
    const std::uint32_t place = pick(static_cast<std::uint32_t>(words.size()));
    switch (pick(4)) {
        case 0:
            if (words.size() > 1) words.pop_back();
            return;
        case 1: words.push_back(one_of(kValues)); return;
        case 2: words.push_back(any_case(one_of(kExpireOptions))); return;
        default: words[place] = place == 0 ? words[0] + "x" : one_of(kWeird); return;
    }
}

}  // namespace locklab::test
