// A library that needs nothing but Python, in folders of its own: never is a test of libraries
// without one.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "harness/foreign/library.h"
#include "harness/record/files.h"
#include "tests/core/places.h"

namespace locklab {

class FakeLibraryTest : public ::testing::Test {
protected:
    FakeLibraryTest() : folder_(::testing::TempDir() + "libraries_" + std::to_string(getpid())) {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        std::filesystem::copy(source() / "tests/data/drivers", folder_ / "drivers",
                              std::filesystem::copy_options::recursive);
    }
    ~FakeLibraryTest() override { std::filesystem::remove_all(folder_); }

    static std::filesystem::path source() { return source_dir(); }
    std::filesystem::path file(const std::string& name) const {
        return folder_ / "drivers/fake" / name;
    }
    std::vector<Library> libraries() const {
        return read_libraries(folder_ / "drivers", folder_ / "installed");
    }
    Library fake() const { return libraries().at(0); }
    /// In its file, the first `right` becomes `wrong`.
    void change(const std::string& name, const std::string& right, const std::string& wrong) const {
        std::string text = read_text(source() / "tests/data/drivers/fake" / name, 99'999, name);
        const std::size_t at = text.find(right);
        ASSERT_NE(at, std::string::npos) << right;
        write_file(file(name), text.replace(at, right.size(), wrong));
    }

    const std::filesystem::path folder_;
};

}  // namespace locklab
