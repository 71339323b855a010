#include "harness/view/timeline_words.h"

#include <algorithm>
#include <cctype>

#include "harness/core/duration_text.h"
#include "harness/core/printable.h"

namespace locklab {

namespace {

/// Digits of a live run's tokens, and of the names of its keys.
constexpr std::size_t kHex = 32;
constexpr std::size_t kKeyHex = 16;
constexpr std::string_view kPrefix = "locklab:";

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// Whether exactly `digits` hexadecimal digits stand at `i`.
bool hex_at(std::string_view text, std::size_t i, std::size_t digits) {
    const std::size_t end = i + digits;
    if (end > text.size()) return false;
    if (i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0) return false;
    if (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) {
        return false;
    }
    return std::ranges::all_of(text.substr(i, digits), is_hex);
}

/// The length of "locklab:<hex>:<number>" at `i`, or 0.
std::size_t live_key_at(std::string_view text, std::size_t i) {
    const std::size_t hex = i + kPrefix.size();
    if (!text.substr(i).starts_with(kPrefix) || !hex_at(text, hex, kKeyHex)) return 0;
    std::size_t end = hex + kKeyHex;
    if (end >= text.size() || text[end] != ':') return 0;
    ++end;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    return end - i;
}

std::string name_at(const Timeline& timeline, std::uint32_t client) {
    return client < timeline.names.size() ? timeline.names[client] : std::to_string(client);
}

std::string command_sentence(const Timeline& timeline, const TimelineRow& row) {
    const TimelineCommand& command = row.command;
    const std::string who = name_at(timeline, row.client.value_or(0));
    const std::string whose = who + (command.is_old       ? "'s task of an earlier round"
                                     : command.background ? "'s watchdog"
                                                          : "");
    const std::string server =
        timeline.nodes > 1 ? " at Redis " + std::to_string(command.node + 1) : "";
    const std::string what = command.text + server;
    const std::string lead = row.lead.empty() ? "" : row.lead + ": ";
    const std::string after = aftermath(timeline, row);
    if (command.sent) {
        const std::string opening = row.lead.empty() ? whose + ": " : who + " " + lead;
        return opening + what + after;
    }
    if (command.again) return who + "'s client library sends it again: " + what + after;
    if (command.ran) {
        const std::string since =
            is_late(row) ? ", sent at " + seconds_text(command.sent_at) + " s," : "";
        return whose + "'s " + what + since + " reaches Redis" + after;
    }
    if (command.unknown) return whose + ": no answer to " + what + after;
    return whose + ": the reply to " + what + " arrives" + after;
}

}  // namespace

const std::string& ShortWords::token(std::string_view hex) {
    const auto found = tokens_.find(hex);
    if (found != tokens_.end()) return found->second;
    std::string name = "t" + std::to_string(tokens_.size() + 1);
    return tokens_.emplace(std::string(hex), std::move(name)).first->second;
}

std::string ShortWords::of(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (const std::size_t key = live_key_at(text, i); key > 0) {
            out += "lock";
            i += key;
        } else if (hex_at(text, i, kHex)) {
            out += token(text.substr(i, kHex));
            i += kHex;
        } else {
            const bool control = static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7F;
            out += control ? ' ' : text[i];
            ++i;
        }
    }
    return printable(out);
}

std::string ShortWords::of(const Reply& reply) {
    switch (reply.kind()) {
        case Reply::Kind::nil: return "nil";
        case Reply::Kind::integer: return std::to_string(reply.as_integer());
        case Reply::Kind::error: return "error " + of(std::string_view(reply.text()));
        case Reply::Kind::unknown: return "no answer";
        case Reply::Kind::bulk: return '"' + of(std::string_view(reply.text())) + '"';
        case Reply::Kind::status: return of(std::string_view(reply.text()));
        case Reply::Kind::array: break;
    }
    std::string text = "[";
    for (const Reply& element : reply.elements()) {
        if (text.size() > 1) text += ", ";
        text += of(element);
    }
    return printable(text + "]");
}

std::string spoken(Duration duration) {
    using std::chrono::milliseconds;
    const Duration size = std::chrono::abs(duration);
    const bool small = size < std::chrono::milliseconds(1);
    std::string text = to_string(small ? size : Duration(std::chrono::round<milliseconds>(size)));
    const std::size_t unit = text.find_first_not_of("0123456789.");
    if (unit != std::string::npos) text.insert(unit, " ");
    return text;
}

std::string seconds_text(Instant at) {
    const std::int64_t ms =
        std::chrono::round<std::chrono::milliseconds>(at.time_since_epoch()).count();
    std::string fraction = std::to_string(ms % 1'000);
    fraction.insert(0, 3 - std::min<std::size_t>(3, fraction.size()), '0');
    return std::to_string(ms / 1'000) + "." + fraction;
}

std::string aftermath(const Timeline& timeline, const TimelineRow& row) {
    const TimelineCommand& command = row.command;
    const std::string who = name_at(timeline, row.client.value_or(0));
    const std::string outcome = row.outcome.empty() ? "" : ", " + row.outcome;
    if (command.unknown) {
        const std::string then = row.outcome.empty() ? "" : "; " + row.outcome;
        return " in time; it may have run, or not" + then;
    }
    if (!command.ran && !command.answered) {
        switch (command.fate) {
            case TimelineCommand::Fate::delayed: return " ⇢ held up in the network";
            case TimelineCommand::Fate::request_lost: return " ⇢ lost, it never arrives";
            default: return " ⇢ on its way";
        }
    }
    const std::string reply = " → " + command.reply;
    if (command.answered) return reply + outcome;
    if (command.fate == TimelineCommand::Fate::reply_lost) return reply + ", but the reply is lost";
    if (command.fate == TimelineCommand::Fate::sent_again && !command.again) {
        return reply + ", but the reply is lost";
    }
    const bool held_up = command.fate == TimelineCommand::Fate::reply_delayed && !command.given_up;
    if (held_up) return reply + ", but the reply is held up in the network";
    return reply + (command.given_up ? ", which " + who + " does not wait for any more"
                                     : ", which " + who + " has not seen yet");
}

bool is_late(const TimelineRow& row) {
    const TimelineCommand& command = row.command;
    const bool later = seconds_text(command.sent_at) != seconds_text(row.at);
    return command.ran && !command.sent && !command.again && later;
}

std::string sentence(const Timeline& timeline, const TimelineRow& row) {
    if (row.kind == TimelineRow::Kind::command) return command_sentence(timeline, row);
    if (!row.client || row.kind == TimelineRow::Kind::violation) return row.text;
    const bool whose = row.text.starts_with("'s ");
    const bool counted = row.kind == TimelineRow::Kind::repeats;
    const std::string space = whose ? "" : counted ? ": " : " ";
    return name_at(timeline, *row.client) + space + row.text;
}

std::string key_text(const Timeline& timeline, const std::optional<TimelineKey>& key, Instant at) {
    if (!key) return "none";
    std::string text = shortened(key->value, 16);
    if (key->owner) text += " of " + name_at(timeline, *key->owner);
    if (!key->deadline) return text + ", never expires";
    const Duration left = *key->deadline - at;
    return text + ", " + (left > Duration::zero() ? spoken(left) : "0 s") + " left";
}

std::string key_text(const Timeline& timeline, const TimelineRow& row) {
    std::string text;
    for (std::size_t i = 0; i < row.keys.size(); ++i) {
        text += i == 0 ? "" : "; ";
        if (row.keys.size() > 1) text += std::to_string(i + 1) + ": ";
        text += key_text(timeline, row.keys[i], row.at);
    }
    return text;
}

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string shortened(std::string_view text, std::size_t most) {
    if (columns_of(text) <= most) return std::string(text);
    std::size_t end = 0;
    for (std::size_t taken = 0; end < text.size(); ++end) {
        if ((text[end] & 0xC0) == 0x80) continue;
        if (++taken > most - 1) break;
    }
    while (end > 0 && text[end - 1] == ' ') --end;
    return std::string(text.substr(0, end)) + "…";
}

namespace {

/// The end of the word that begins at `begin`. A number keeps its unit: "800 ms".
std::size_t end_of_word(std::string_view text, std::size_t begin) {
    const std::size_t space = std::min(text.find(' ', begin), text.size());
    const bool number = space > begin && text[space - 1] >= '0' && text[space - 1] <= '9';
    if (!number || space == text.size()) return space;
    const std::size_t end = std::min(text.find_first_of(" ,;:", space + 1), text.size());
    const std::string_view unit = text.substr(space + 1, end - space - 1);
    const bool is_unit = unit == "s" || unit == "ms" || unit == "us";
    return is_unit ? std::min(text.find(' ', end), text.size()) : space;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t most) {
    std::vector<std::string> lines;
    std::string line;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t space = end_of_word(text, begin);
        const std::string word = shortened(text.substr(begin, space - begin), most);
        begin = space + 1;
        if (word.empty()) continue;
        if (!line.empty() && columns_of(line) + 1 + columns_of(word) > most) {
            lines.push_back(std::move(line));
            line.clear();
        }
        if (!line.empty()) line += ' ';
        line += word;
    }
    if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
    return lines;
}

}  // namespace locklab
