#include "harness/explore/coverage.h"

#include <algorithm>
#include <string_view>

#include "harness/core/sha1.h"
#include "harness/core/upper.h"

namespace locklab {

namespace {

/// Words that change what a command does. Any other word after its name is a key or a value.
constexpr std::array<std::string_view, 10> kOptions{"NX",  "XX",   "GT",      "LT",   "PX",
                                                    "GET", "PXAT", "KEEPTTL", "IFEQ", "CH"};
/// Pairs of words that do the same, with times in seconds and in milliseconds.
constexpr std::array<std::array<std::string_view, 2>, 6> kSeconds{{{"EX", "PX"},
                                                                   {"EXAT", "PXAT"},
                                                                   {"EXPIRE", "PEXPIRE"},
                                                                   {"EXPIREAT", "PEXPIREAT"},
                                                                   {"SETEX", "PSETEX"},
                                                                   {"TTL", "PTTL"}}};

/// Digits of a script's digest that are shown: enough to tell a lock's scripts apart.
constexpr std::size_t kDigits = 8;

std::string plain(std::string_view word) {
    std::string text = upper(word);
    for (const auto& [seconds, milliseconds] : kSeconds) {
        if (text == seconds) return std::string(milliseconds);
    }
    return text;
}

}  // namespace

std::string shape_of(const Command& command) {
    if (command.script() != nullptr) return std::string(command.script()->name);
    if (command.empty()) return "";
    std::string shape = plain(command[0]);
    if (command.size() < 2) return shape;
    // EVAL and EVALSHA of one script show the same digits.
    if (shape == "EVALSHA") return shape + " " + std::string(command[1].substr(0, kDigits));
    if (shape == "EVAL") return shape + " " + to_hex(sha1(command[1])).substr(0, kDigits);
    if (shape == "SCRIPT") return shape + " " + upper(command[1]);
    for (std::size_t i = 2; i < command.size(); ++i) {
        const std::string word = plain(command[i]);
        const bool is_option = std::find(kOptions.begin(), kOptions.end(), word) != kOptions.end();
        if (is_option) shape += " " + word;
    }
    return shape;
}

AnsweredCommand answered(const Command& command, const Reply& reply) {
    const std::string& text = reply.text();
    return {shape_of(command), reply.is_error() ? text.substr(0, text.find(' ')) : ""};
}

std::vector<std::string> Coverage::only_errors(const std::string& shape) const {
    std::vector<std::string> errors;
    for (auto its = answered.lower_bound({shape, ""}); its != answered.end() && its->shape == shape;
         ++its) {
        if (its->error.empty()) return {};
        errors.push_back(its->error);
    }
    return errors;
}

void Coverage::add(const Coverage& other) {
    sent.insert(other.sent.begin(), other.sent.end());
    answered.insert(other.answered.begin(), other.answered.end());
    for (std::size_t i = 0; i < struck.size(); ++i) struck[i] |= other.struck[i];
    for (std::size_t i = 0; i < refused.size(); ++i) refused[i] |= other.refused[i];
    sets_ttl = sets_ttl || other.sets_ttl;
    ran_out = ran_out || other.ran_out;
    ran_out_inside = ran_out_inside || other.ran_out_inside;
    sets_other_ttl = sets_other_ttl || other.sets_other_ttl;
    other_ran_out = other_ran_out || other.other_ran_out;
    add_unlisted(other.unlisted_key);
}

}  // namespace locklab
