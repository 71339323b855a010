#include "harness/core/fault_text.h"

#include <charconv>
#include <stdexcept>
#include <vector>

#include "harness/core/nearest.h"

namespace locklab {

namespace {

Hazard parse_name(std::string_view name) {
    const auto hazard = hazard_named(name);
    if (hazard && *hazard != kNoFault) return *hazard;
    std::vector<std::string_view> names;
    for (const HazardRow& row : kHazards) {
        if (row.hazard != kNoFault) names.push_back(row.name);
    }
    throw std::invalid_argument(unknown_word("fault", name, names));
}

[[noreturn]] void refuse(std::string_view text, const char* why) {
    throw std::invalid_argument("the faults " + in_quotes(text) + " " + why +
                                "; right would be pause=1,crash=2 or none alone");
}

unsigned parse_count(std::string_view name, unsigned most, std::string_view digits) {
    unsigned count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error == std::errc() && end == digits.data() + digits.size() && count <= most) {
        return count;
    }
    throw std::invalid_argument("fault " + in_quotes(name) + " needs a count from 0 to " +
                                std::to_string(most) + "; right would be " + std::string(name) +
                                "=1, several joined by commas, or none");
}

}  // namespace

FaultBudget parse_faults(std::string_view text) {
    FaultBudget budget;
    FaultBudget given;
    if (text == "none") return budget;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const std::size_t equals = std::min(part.find('='), part.size());
        const std::string_view name = part.substr(0, equals);
        if (name.empty()) refuse(text, "have a place without a name");
        if (name == "none") refuse(text, "name some and none");
        const Hazard hazard = parse_name(name);
        if (given[hazard]++ > 0) {
            throw std::invalid_argument("fault " + in_quotes(name) + " is given twice");
        }
        const unsigned most = most_of(hazard);
        budget[hazard] =
            parse_count(name, most, equals < part.size() ? part.substr(equals + 1) : "");
        begin = end + 1;
    }
    return budget;
}

std::string to_string(const FaultBudget& budget) {
    std::string text;
    for (const HazardRow& row : kHazards) {
        if (budget[row.hazard] == 0) continue;
        if (!text.empty()) text += ",";
        text += std::string(row.name) + "=" + std::to_string(budget[row.hazard]);
    }
    return text.empty() ? "none" : text;
}

}  // namespace locklab
