#include "harness/proxy/link_fault.h"

#include <algorithm>
#include <utility>

#include "harness/core/sha1.h"

namespace locklab {

namespace {

/// Beside those of core/error_kind.h, and worded as there.
constexpr std::array<std::pair<std::string_view, const char*>, 3> kOtherErrors{{
    {"MASTERDOWN",
     "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."},
    {"MOVED", "MOVED"},
    {"TRYAGAIN", "TRYAGAIN Multiple keys request during rehashing of slot"},
}};

/// The digest in lower case, or empty.
std::string digest_of(const FrameWords& words) {
    if (words.is(0, "EVAL") || words.is(0, "EVAL_RO")) return to_hex(sha1(words[1]));
    if (!words.is(0, "EVALSHA") && !words.is(0, "EVALSHA_RO")) return "";
    std::string digest(words[1]);
    std::transform(digest.begin(), digest.end(), digest.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return digest;
}

bool names(const FrameWords& words, std::string_view part) {
    for (std::size_t i = 0; i < FrameWords::kKept; ++i) {
        if (words[i].find(part) != std::string_view::npos) return true;
    }
    return false;
}

}  // namespace

const char* words_of_error(std::string_view code) {
    if (const auto kind = error_kind_named(code)) return row_of(*kind).words.data();
    for (const auto& [name, words] : kOtherErrors) {
        if (name == code) return words;
    }
    return nullptr;
}

std::vector<std::string_view> known_errors() {
    std::vector<std::string_view> names;
    for (const ErrorKindRow& row : kErrorKinds) names.push_back(row.code);
    for (const auto& row : kOtherErrors) names.push_back(row.first);
    std::ranges::sort(names);
    return names;
}

std::string error_for(const FaultRule& rule, const FrameWords& words) {
    if (!rule.kind) return rule.error;
    return std::string(row_of(kind_for(words[0], *rule.kind)).words);
}

RuleBook::RuleBook(std::vector<FaultRule> rules)
    : rules_(std::move(rules)), fitted_(rules_.size()) {
    for (const FaultRule& rule : rules_) names_scripts_ |= !rule.digest.empty();
}

const FaultRule* RuleBook::strikes(const LinkName& link, const FrameWords& words) {
    const std::string digest = names_scripts_ ? digest_of(words) : "";
    const FaultRule* striking = nullptr;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        const FaultRule& rule = rules_[i];
        const bool fits = (rule.command.empty() || words.is(0, rule.command)) &&
                          (rule.digest.empty() || rule.digest == digest) &&
                          (rule.client.empty() || rule.client == link.client) &&
                          (rule.node.empty() || rule.node == link.node) &&
                          (rule.naming.empty() || names(words, rule.naming)) &&
                          (rule.gate == nullptr || *rule.gate);
        if (!fits) continue;
        ++fitted_[i];
        const bool its_turn = rule.nth == 0 || rule.nth == fitted_[i];
        if (its_turn && striking == nullptr) striking = &rule;
    }
    return striking;
}

}  // namespace locklab
