#include "harness/cli/suite_words.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "harness/cli/command_line.h"
#include "harness/cli/driver_subjects.h"
#include "harness/core/fault_text.h"
#include "harness/core/nearest.h"
#include "harness/core/usage_error.h"
#include "harness/foreign/library.h"
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

std::vector<std::string> libraries_in(const std::string& list) {
    const std::vector<Library> known = known_libraries();
    std::vector<std::string> names;
    for (std::string name : parts_of(list, ',')) {
        if (name.empty()) throw UsageError("--libraries has a name too few; right would be A,B");
        if (is_library_row(name)) name.erase(0, name.find(':') + 1);
        const auto of_folder = std::ranges::find(known, name, &Library::folder_name);
        const Library& library =
            of_folder != known.end() ? *of_folder : require_library(known, name);
        if (const std::string why = library.why_not_installed(); !why.empty()) {
            throw UsageError(library.row() + " " + why + "; right would be ./locklab libraries " +
                             "install " + library.folder_name());
        }
        names.push_back(std::move(name));
    }
    if (names.empty()) throw UsageError("--libraries names none; right would be A,B");
    return names;
}

std::vector<FaultBudget> columns_in(const std::string& list) {
    std::vector<FaultBudget> columns;
    for (const std::string& set : parts_of(list, ';')) {
        columns.push_back(parse_faults(set));
        check_faults(columns.back(), FaultWorld::drivers, "a campaign");
    }
    if (columns.empty()) {
        throw UsageError("--faults names no set; right would be --faults 'pause=1;retry=1'");
    }
    return columns;
}

}  // namespace locklab
