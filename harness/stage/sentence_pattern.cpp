#include "harness/stage/sentence_pattern.h"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/duration_text.h"
#include "harness/store/redis/command_table.h"

namespace locklab {

namespace {

using Verb = Line::Verb;

constexpr std::array<std::pair<std::string_view, Verb>, 42> kRows{{
    {"X tries", Verb::tries},
    {"X acquires", Verb::acquires},
    {"X waits", Verb::waits},
    {"X gives up", Verb::gives_up},
    {"X takes the lock again", Verb::takes_again},
    {"X writes", Verb::writes},
    {"X releases", Verb::releases},
    {"X runs until before COMMAND", Verb::runs_until_before},
    {"X runs until after COMMAND", Verb::runs_until_after},
    {"X pauses", Verb::pauses},
    {"X resumes", Verb::resumes},
    {"X crashes", Verb::crashes},
    {"X is cut off", Verb::cut_off},
    {"X is reachable", Verb::reachable},
    {"X is cut off from Redis", Verb::cut_off_from},
    {"X reaches Redis", Verb::reaches},
    {"X's watchdog stalls", Verb::watchdog_stalls},
    {"X's watchdog resumes", Verb::watchdog_resumes},
    {"X's clock jumps +DURATION", Verb::clock_jumps},
    {"X's next COMMAND is lost", Verb::loses_request},
    {"X's next COMMAND is delayed", Verb::delays},
    {"X's next COMMAND is sent twice", Verb::retries},
    {"X's next COMMAND gets an error", Verb::gets_error},
    {"X's next COMMAND is reset", Verb::is_reset},
    {"the reply to X's next COMMAND is reset", Verb::reply_is_reset},
    {"X's COMMAND arrives", Verb::arrives},
    {"the reply to X's next COMMAND is lost", Verb::loses_reply},
    {"the reply to X's next COMMAND is delayed", Verb::delays_reply},
    {"the reply to X's COMMAND arrives", Verb::reply_arrives},
    {"DURATION pass/passes", Verb::time_passes},
    {"Redis restarts", Verb::redis_restarts},
    {"Redis is down for DURATION", Verb::redis_restarts},
    {"Redis restarts with its data of DURATION ago", Verb::redis_restores},
    {"Redis hangs", Verb::redis_hangs},
    {"Redis goes on", Verb::redis_goes_on},
    {"Redis evicts the key", Verb::redis_evicts},
    {"Redis loses all keys", Verb::redis_flushed},
    {"Redis'/Redis's clock jumps +DURATION", Verb::redis_clock_jumps},
    {"an operator deletes the key", Verb::operator_deletes},
    {"the replica is cut off", Verb::replica_cut_off},
    {"the replica takes over", Verb::replica_takes_over},
    {"X learns of the new master", Verb::learns_master},
}};

/// In the order of Selector::Kind.
constexpr std::array<std::string_view, 5> kKinds{"acquire", "renewal", "release", "read", "write"};
static_assert(kKinds.size() == static_cast<std::size_t>(Selector::Kind::command));

std::string in_capitals(std::string_view name) {
    std::string word(name);
    std::ranges::transform(word, word.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
    return word;
}

/// Commands that mean the same in a script: it does not matter whether a TTL is in seconds, or how
/// a Lua script is named.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSame{{
    {"PEXPIRE", "EXPIRE"},
    {"PEXPIREAT", "EXPIREAT"},
    {"PEXPIRETIME", "EXPIRETIME"},
    {"PSETEX", "SETEX"},
    {"PTTL", "TTL"},
    {"EVALSHA", "EVAL"},
}};

/// The kinds, and every command of the model of Redis.
const std::vector<std::string>& command_words() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> words(kKinds.begin(), kKinds.end());
        for (const std::string_view name : command_names()) words.push_back(in_capitals(name));
        return words;
    }();
    return all;
}

Words split(std::string_view text, std::string_view separators) {
    Words words;
    std::size_t at = text.find_first_not_of(separators);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(separators, end);
    }
    return words;
}

}  // namespace

const std::vector<Pattern>& patterns() {
    static const std::vector<Pattern> all = [] {
        std::vector<Pattern> made;
        for (const auto& [words, verb] : kRows) made.push_back({words_of(words), verb});
        return made;
    }();
    return all;
}

Words words_of(std::string_view text) { return split(text, " \t\r\n"); }
Words alternatives(std::string_view word) { return split(word, "/"); }

bool is_command(std::string_view word) {
    return std::ranges::find(command_words(), word) != command_words().end();
}

std::string command_meant(std::string_view word) {
    std::string name = in_capitals(word);
    for (const auto& [other, meant] : kSame) {
        if (name == other) return std::string(meant);
    }
    return name;
}

Selector selector_of(std::string_view word) {
    const auto kind = std::ranges::find(kKinds, word);
    if (kind == kKinds.end()) return {Selector::Kind::command, command_meant(word)};
    return {static_cast<Selector::Kind>(kind - kKinds.begin()), ""};
}

std::optional<Duration> parse_time(std::string_view word) {
    const std::optional<Duration> time = parse_duration(word);
    return time && *time > Duration::zero() ? time : std::nullopt;
}

std::vector<std::string> sentences() {
    std::vector<std::string> all;
    for (const Pattern& pattern : patterns()) {
        std::string text;
        for (const std::string_view word : pattern.words) {
            text.append(text.empty() ? "" : " ").append(alternatives(word).front());
        }
        all.push_back(std::move(text));
    }
    return all;
}

std::span<const std::string> commands() { return command_words(); }

std::optional<Duration> parse_jump(std::string_view text) {
    if (!text.starts_with('+') && !text.starts_with('-')) return std::nullopt;
    const std::optional<Duration> far = parse_time(text.substr(1));
    if (!far) return std::nullopt;
    return text.starts_with('-') ? -*far : *far;
}

std::string_view to_string(const Selector& selector) {
    if (selector.kind == Selector::Kind::command) return selector.name;
    return kKinds.at(static_cast<std::size_t>(selector.kind));
}

}  // namespace locklab
