#include "harness/foreign/gated_command.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "harness/core/sha1.h"
#include "harness/core/upper.h"

namespace locklab {

namespace {

constexpr std::size_t kMostBytes = 4096;

std::string_view line_of(std::string_view& rest) {
    const std::size_t end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    return line;
}

std::int64_t number_in(std::string_view digits) {
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

std::vector<std::string_view> words_of(std::string_view frame) {
    std::vector<std::string_view> words;
    if (!frame.starts_with('*')) {
        constexpr std::string_view kBlanks = " \t\r\n";
        for (std::size_t at = frame.find_first_not_of(kBlanks); at != std::string_view::npos;) {
            const std::size_t end = std::min(frame.find_first_of(kBlanks, at), frame.size());
            words.push_back(frame.substr(at, end - at));
            at = frame.find_first_not_of(kBlanks, end);
        }
        return words;
    }
    line_of(frame);
    while (frame.starts_with('$')) {
        const auto size = static_cast<std::size_t>(number_in(line_of(frame).substr(1)));
        words.push_back(frame.substr(0, size));
        frame.remove_prefix(std::min(size + 2, frame.size()));
    }
    return words;
}

constexpr std::array<std::string_view, 3> kTakeAll{"FLUSHALL", "FLUSHDB", "SWAPDB"};

std::string in_case(std::string_view word, char from, char to, int by) {
    std::string changed(word);
    std::ranges::transform(changed, changed.begin(), [&](char c) {
        return c >= from && c <= to ? static_cast<char>(c + by) : c;
    });
    return changed;
}

}  // namespace

GatedCommand gated_command(std::string_view frame) {
    const std::vector<std::string_view> words = words_of(frame);
    GatedCommand gated;
    if (words.empty()) return gated;
    const std::string name = in_case(words[0], 'a', 'z', 'A' - 'a');
    gated.signature = name;
    std::size_t next = 1;
    if (words.size() > 1 && (name.starts_with("EVAL") || name.starts_with("FCALL"))) {
        const bool is_text = name == "EVAL" || name == "EVAL_RO";
        gated.signature = is_text ? to_hex(sha1(words[1])) : in_case(words[1], 'A', 'Z', 'a' - 'A');
        gated.command.add("EVAL");
        next = 2;
        gated.command.add(std::string_view(gated.signature).substr(0, kMostBytes));
    } else {
        gated.command.add(std::string_view(name).substr(0, kMostBytes));
    }
    for (; next < words.size() && gated.command.size() < Command::kMostWords; ++next) {
        const std::string_view word = words[next].substr(0, kMostBytes);
        if (gated.command.bytes() + word.size() > Command::kMostBytes) break;
        gated.command.add(word);
        gated.is_whole = gated.is_whole && word.size() == words[next].size();
    }
    gated.is_whole = gated.is_whole && next == words.size();
    return gated;
}

bool may_wait_at_server(const GatedCommand& gated) {
    static constexpr std::array<std::string_view, 10> kWait{
        "BLPOP", "BRPOP",    "BLMOVE",   "BRPOPLPUSH", "BLMPOP",
        "WAIT",  "BZPOPMIN", "BZPOPMAX", "BZMPOP",     "WAITAOF"};
    if (std::ranges::find(kWait, gated.signature) != kWait.end()) return true;
    if (gated.signature != "XREAD" && gated.signature != "XREADGROUP") return false;
    for (std::size_t i = 1; i < gated.command.size(); ++i) {
        if (in_case(gated.command[i], 'a', 'z', 'A' - 'a') == "BLOCK") return true;
    }
    return false;
}

bool is_about_channel(const GatedCommand& gated) {
    return gated.signature.find("SUBSCRIBE") != std::string::npos ||
           gated.signature.find("PUBLISH") != std::string::npos;
}

bool takes_every_key(const GatedCommand& gated) {
    if (std::ranges::find(kTakeAll, gated.signature) != kTakeAll.end()) return true;
    return gated.signature == "SCRIPT" && gated.command.size() > 1 &&
           upper(gated.command[1]) == "FLUSH";
}

bool script_takes_every_key(std::string_view text) {
    const std::string capitals = upper(text);
    return std::ranges::any_of(kTakeAll, [&](std::string_view command) {
        return capitals.find(command) != std::string::npos;
    });
}

std::optional<std::size_t> keys_of_script(const Command& words) {
    const std::int64_t keys = words.size() > kFirstOfScript ? words.number(2) : 0;
    const bool are_there =
        keys >= 0 && kFirstOfScript + static_cast<std::size_t>(keys) <= words.size();
    return are_there ? std::optional(static_cast<std::size_t>(keys)) : std::nullopt;
}

bool is_script_as_it_came(const Command& words) { return !words.empty() && words[0] == "EVAL"; }

std::string script_text(std::string_view frame) {
    const std::vector<std::string_view> words = words_of(frame);
    const auto is = [&](std::size_t i, std::string_view word) {
        return words.size() > i && in_case(words[i], 'a', 'z', 'A' - 'a') == word;
    };
    if (words.size() > 1 && (is(0, "EVAL") || is(0, "EVAL_RO"))) return std::string(words[1]);
    if (words.size() > 2 && is(0, "SCRIPT") && is(1, "LOAD")) return std::string(words[2]);
    return {};
}

namespace {

/// Deeper nesting is left out.
constexpr int kDeepest = 8;

/// Takes one reply from the rest, with nested replies up to this depth.
Reply take_reply(std::string_view& rest, int levels) {
    if (rest.empty()) return Reply::unknown();
    const char type = rest.front();
    rest.remove_prefix(1);
    const std::string_view line = line_of(rest);
    switch (type) {
        case '+': return Reply::status(std::string(line));
        case '-': return Reply::error(std::string(line));
        case ':': return Reply::integer(number_in(line));
        case '#': return Reply::integer(line == "t" ? 1 : 0);
        case '_': return Reply::nil();
        case ',':
        case '(': return Reply::bulk(std::string(line));
        case '$': {
            if (line.starts_with('-')) return Reply::nil();
            const auto size = static_cast<std::size_t>(number_in(line));
            const std::string_view text = rest.substr(0, size);
            rest.remove_prefix(std::min(text.size() + 2, rest.size()));
            return text.size() == size ? Reply::bulk(std::string(text)) : Reply::unknown();
        }
        case '*':
            if (line.starts_with('-')) return Reply::nil();
            break;
        case '~':
        case '%': break;
        default: rest = {}; return Reply::unknown();
    }
    std::vector<Reply> elements;
    const std::int64_t count = levels == 0 ? 0 : number_in(line);
    for (std::int64_t i = 0; i < count && !rest.empty(); ++i) {
        elements.push_back(take_reply(rest, levels - 1));
        if (type == '%') elements.push_back(take_reply(rest, levels - 1));
    }
    return Reply::array(std::move(elements));
}

}  // namespace

Reply gated_reply(std::string_view frame) { return take_reply(frame, kDeepest); }

}  // namespace locklab
