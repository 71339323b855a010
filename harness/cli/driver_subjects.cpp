#include "harness/cli/driver_subjects.h"

#include <iostream>
#include <string>

#include "harness/core/usage_error.h"
#include "harness/play/named_algorithm.h"

namespace locklab {

namespace {

constexpr std::string_view kDriver = "driver:";

}  // namespace

bool names_drivers(std::string_view operand) {
    return operand == kLibraries || is_library_row(operand) || operand.starts_with(kDriver);
}

Subjects subjects_of(std::string_view operand) {
    Subjects subjects;
    if (operand.starts_with(kDriver)) {
        const Algorithm& algorithm = require_algorithm(operand.substr(kDriver.size()));
        subjects.push_back(std::make_unique<Subject>(algorithm, "/proc/self/exe"));
        return subjects;
    }
    const std::vector<Library> libraries = known_libraries();
    for (const Library& library : libraries) {
        const bool asked =
            operand == kLibraries || &library == &require_library(libraries, operand);
        if (!asked) continue;
        if (library.is_installed()) {
            subjects.push_back(std::make_unique<Subject>(library));
        } else if (operand == kLibraries) {
            std::cerr << "locklab: " << library.row() << " is left out: it is not installed; "
                      << "./locklab libraries install " << library.name << "\n";
        } else {
            throw UsageError(library.row() + " is not installed; right would be: ./locklab " +
                             "libraries install " + library.name);
        }
    }
    if (subjects.empty()) {
        throw UsageError("no library is installed; right would be: ./locklab libraries install");
    }
    return subjects;
}

}  // namespace locklab
