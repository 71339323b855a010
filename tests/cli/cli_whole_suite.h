// What tests of a whole suite read: the folder of one that ctest has run before (whole_suite.py).
#pragma once

#include "tests/cli/cli_run.h"
#include "tests/core/places.h"

namespace locklab {

class CliWholeSuite : public CliTest {
protected:
    void SetUp() override {
        ASSERT_TRUE(std::filesystem::exists(folder_ / "manifest.json"))
            << "there is no suite in " << folder_ << "; run this by ctest, which makes one";
    }
    Json file(const std::string& name) const { return parsed(content_of(folder_ / name)); }
    /// Runs the line, which a file of the suite names, in a folder of its own.
    Ran paste_there(const std::string& line) {
        return paste("cd '" + here_.string() + "' && " + line);
    }

    /// Where tests/cli/CMakeLists.txt has it made, seen from the built program.
    const std::filesystem::path folder_ =
        std::filesystem::path(built_program()).parent_path() / "../../tests/cli/whole/run";
};

}  // namespace locklab
