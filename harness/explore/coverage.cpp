#include "harness/explore/coverage.h"

#include <algorithm>
#include <string_view>

#include "harness/core/upper.h"

namespace locklab {

namespace {

/// Words that change what a command does. Any other word after its name is a key or a value.
constexpr std::array<std::string_view, 10> kOptions{"NX",  "XX",   "GT",      "LT",   "PX",
                                                    "GET", "PXAT", "KEEPTTL", "IFEQ", "CH"};
/// What does the same with times in seconds as the other in milliseconds.
constexpr std::array<std::array<std::string_view, 2>, 6> kSeconds{{{"EX", "PX"},
                                                                   {"EXAT", "PXAT"},
                                                                   {"EXPIRE", "PEXPIRE"},
                                                                   {"EXPIREAT", "PEXPIREAT"},
                                                                   {"SETEX", "PSETEX"},
                                                                   {"TTL", "PTTL"}}};

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
    for (std::size_t i = 2; i < command.size(); ++i) {
        const std::string word = plain(command[i]);
        const bool is_option = std::find(kOptions.begin(), kOptions.end(), word) != kOptions.end();
        if (is_option) shape += " " + word;
    }
    return shape;
}

void Coverage::add(const Coverage& other) {
    sent.insert(other.sent.begin(), other.sent.end());
    for (std::size_t i = 0; i < struck.size(); ++i) struck[i] |= other.struck[i];
    for (std::size_t i = 0; i < refused.size(); ++i) refused[i] |= other.refused[i];
    sets_ttl = sets_ttl || other.sets_ttl;
    ran_out = ran_out || other.ran_out;
    ran_out_inside = ran_out_inside || other.ran_out_inside;
}

}  // namespace locklab
