#include "harness/cli/suite_words.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "harness/core/nearest.h"
#include "harness/core/usage_error.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

/// Two sections that users see as one.
constexpr std::string_view kCampaigns = "campaigns";

std::vector<std::string_view> section_words() {
    std::vector<std::string_view> words{kCampaigns};
    for (const SuiteSection& section : kSuiteSections) words.push_back(section.name);
    return words;
}

}  // namespace

std::string of_sections() {
    std::string text = "only these parts, and --resume runs the others later:";
    const char* between = " ";
    for (const SuiteSection& section : kSuiteSections) {
        text += between + std::string(section.name) + " (" + std::string(section.title) + ")";
        between = ", ";
    }
    return text + "; campaigns means sim,live (default: all)";
}

std::vector<std::string> sections_in(const std::string& list) {
    const std::vector<std::string_view> known = section_words();
    std::vector<std::string> sections;
    std::istringstream words(list + ",");
    for (std::string word; std::getline(words, word, ',');) {
        if (std::ranges::find(known, word) == known.end()) {
            throw UsageError(unknown_word("section", word, known));
        }
        if (word == kCampaigns) {
            sections.insert(sections.end(), {"sim", "live"});
        } else {
            sections.push_back(word);
        }
    }
    return sections;
}

}  // namespace locklab
