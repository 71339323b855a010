#include "harness/record/json_line.h"

#include <algorithm>
#include <set>

#include "harness/core/limits.h"
#include "harness/core/nearest.h"

namespace locklab {

namespace {

using nlohmann::json;

/// Three centuries in microseconds: sums of a few times cannot overflow.
constexpr std::int64_t kLongestTime = 10'000'000'000'000'000;

/// Refuses what a JSON parser accepts: endless nesting, and duplicate keys, of which one would be
/// ignored.
class Strictness {
public:
    explicit Strictness(const JsonLine& line) : line_(line) {}

    bool operator()(int depth, json::parse_event_t event, const json& value) {
        if (depth > kDeepestJson) {
            line_.fail("it is nested more than " + std::to_string(kDeepestJson) + " deep");
        }
        if (event == json::parse_event_t::object_start) keys_.emplace_back();
        if (event == json::parse_event_t::object_end) keys_.pop_back();
        if (event == json::parse_event_t::key) {
            const std::string& key = value.get_ref<const std::string&>();
            if (!keys_.back().insert(key).second) {
                line_.fail("the key " + in_quotes(key) + " is given twice; give it once");
            }
        }
        return true;
    }

private:
    const JsonLine& line_;
    std::vector<std::set<std::string>> keys_;
};

std::string shown(const json& value) {
    return in_quotes(value.dump(-1, ' ', true, json::error_handler_t::replace));
}

}  // namespace

std::string peek_text(std::string_view text, std::string_view key) {
    struct TooDeep {};
    const auto keep = [](int depth, json::parse_event_t, const json&) {
        if (depth > kDeepestJson) throw TooDeep();
        return depth < 2;
    };
    try {
        const json object = json::parse(text, keep, false);
        const auto found = object.find(key);
        const bool is_text = found != object.end() && found->is_string();
        return is_text ? found->get<std::string>() : std::string();
    } catch (const TooDeep&) {
        return {};
    }
}

JsonLine::JsonLine(std::string_view file, std::size_t number, std::string_view text)
    : file_(file), number_(number) {
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) {
        fail("the line is empty; every line is one JSON object");
    }
    try {
        object_ = json::parse(text, Strictness(*this));
    } catch (const json::parse_error& error) {
        const bool encoding = std::string_view(error.what()).find("UTF-8") != std::string::npos;
        fail("it is not " + std::string(encoding ? "UTF-8" : "JSON") + " from column " +
             std::to_string(error.byte) + " on; every line is one whole JSON object");
    } catch (const json::out_of_range&) {
        fail("a number in it is too large");
    }
    if (!object_.is_object()) {
        fail("it is " + shown(object_) + ", not a JSON object like {\"key\":...}");
    }
}

FormatError JsonLine::error(std::string_view file, std::size_t number, const std::string& what) {
    return FormatError(std::string(file) + ":" + std::to_string(number) + ": " + what);
}

void JsonLine::fail(const std::string& what) const { throw error(file_, number_, what); }

const json* JsonLine::peek(std::string_view key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
}

const json* JsonLine::find(std::string_view key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
    return peek(key);
}

const json& JsonLine::at(std::string_view key) {
    if (const json* value = find(key)) return *value;
    std::string what = "the key " + in_quotes(key) + " is missing";
    for (const auto& item : object_.items()) {
        if (!resembles(item.key(), key)) continue;
        what += "; is " + in_quotes(item.key()) + " meant?";
        break;
    }
    fail(what);
}

std::uint64_t JsonLine::whole(std::string_view key, std::uint64_t most) {
    const json& value = at(key);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most) {
        return value.get<std::uint64_t>();
    }
    fail(in_quotes(key) + " is " + shown(value) + ", not a whole number from 0 to " +
         std::to_string(most));
}

Duration JsonLine::time(std::string_view key) {
    return Duration(whole(key, static_cast<std::uint64_t>(kLongestTime)));
}

Duration JsonLine::amount(std::string_view key) {
    const json& value = at(key);
    if (value.is_number_unsigned()) return time(key);
    if (value.is_number_integer() && value.get<std::int64_t>() >= -kLongestTime) {
        return Duration(value.get<std::int64_t>());
    }
    fail(in_quotes(key) + " is " + shown(value) + ", not a whole number of microseconds up to " +
         std::to_string(kLongestTime));
}

std::string JsonLine::text(std::string_view key) {
    const json& value = at(key);
    if (!value.is_string()) fail(in_quotes(key) + " is " + shown(value) + ", not a string");
    return value.get<std::string>();
}

bool JsonLine::flag(std::string_view key) {
    const json& value = at(key);
    if (!value.is_boolean()) fail(in_quotes(key) + " is " + shown(value) + ", not true or false");
    return value.get<bool>();
}

std::size_t JsonLine::word(std::string_view key, std::span<const std::string_view> words) {
    const std::string value = text(key);
    const auto found = std::find(words.begin(), words.end(), value);
    if (found == words.end()) fail(unknown_word(key, value, words));
    return static_cast<std::size_t>(found - words.begin());
}

void JsonLine::done(std::string_view what) const {
    for (const auto& item : object_.items()) {
        if (std::find(known_.begin(), known_.end(), item.key()) != known_.end()) continue;
        fail(unknown_word("key", item.key(), known_) + ", in " + std::string(what));
    }
}

}  // namespace locklab
