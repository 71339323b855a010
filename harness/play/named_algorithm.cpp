#include "harness/play/named_algorithm.h"

#include "algorithms/registry.h"
#include "harness/core/nearest.h"
#include "harness/core/usage_error.h"
#include "harness/play/known_libraries.h"

namespace locklab {

const Algorithm& require_algorithm(std::string_view name) {
    if (const Algorithm* algorithm = algorithm_named(name)) return *algorithm;
    if (const std::string hint = library_hint(name); !hint.empty()) throw UsageError(hint);
    throw UsageError(unknown_word("algorithm", name, algorithm_names()));
}

std::vector<const Algorithm*> algorithms_named(const std::string& operand) {
    std::vector<const Algorithm*> named;
    if (operand != "all") {
        named.push_back(&require_algorithm(operand));
        return named;
    }
    for (const Algorithm& algorithm : algorithms()) named.push_back(&algorithm);
    return named;
}

std::vector<std::string_view> algorithm_names() {
    std::vector<std::string_view> names;
    for (const Algorithm* algorithm : every_algorithm()) names.push_back(algorithm->name);
    return names;
}

}  // namespace locklab
