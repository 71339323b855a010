// Drivers that `libraries new` begins, and the lock files that `libraries pin` makes.

#include "harness/foreign/library_kit.h"

#include <cstdlib>

#include "harness/core/usage_error.h"
#include "tests/foreign/fake_library.h"

namespace locklab::library_kit_test {
namespace {

namespace fs = std::filesystem;

class LibraryKitTest : public FakeLibraryTest {
protected:
    LibraryKitTest() {
        for (const char* name : {"new", "shared"}) {
            fs::copy(source() / "drivers" / name, drivers() / name, fs::copy_options::recursive);
        }
    }
    fs::path drivers() const { return folder_ / "drivers"; }
    std::string text(const std::string& name) const {
        return read_text(drivers() / name, 99'999, name);
    }
    std::string complaint(const std::string& name) const {
        try {
            make_library(drivers(), name, require_kit("Python"));
            return "";
        } catch (const UsageError& error) {
            return error.what();
        }
    }
};

/// What a language's own tool would be asked for is there from the first.
TEST_F(LibraryKitTest, each_language_has_a_driver_and_a_manifest_that_are_whole) {
    for (const LibraryKit& kit : library_kits()) {
        const std::string name = "my-" + std::string(kit.folder);
        const std::vector<std::string> files = make_library(drivers(), name, kit);
        const std::vector<Library> all = libraries();
        const Library& library = require_library(all, name);
        EXPECT_EQ(library.language, kit.language);
        EXPECT_EQ(library.library, name);
        EXPECT_FALSE(library.shared.empty()) << name;
        for (const std::string& each : library.shared) {
            EXPECT_TRUE(fs::exists(drivers() / "shared" / each)) << each;
        }
        for (const std::string& each : files) {
            EXPECT_EQ(text(name + "/" + each).find('@' + std::string("NAME@")), std::string::npos)
                << each << " is not filled in";
        }
        for (const std::string& lock : kit.locks) {
            EXPECT_NE(std::find(files.begin(), files.end(), lock), files.end()) << lock;
        }
    }
}

TEST_F(LibraryKitTest, a_name_or_a_language_that_is_none_is_refused) {
    EXPECT_EQ(complaint("My"),
              "'My' is no name of a library; right would be small letters, digits and '-'");
    EXPECT_EQ(complaint(""),
              "'' is no name of a library; right would be small letters, digits and '-'");
    EXPECT_NE(complaint("fake").find("there is a folder '"), std::string::npos);
    EXPECT_EQ(complaint("mine"), "");
    EXPECT_EQ(require_kit("javascript").language, "JavaScript");
    EXPECT_THROW(require_kit("Perl"), UsageError);
}

/// The tool is a script here: it writes what it was asked.
TEST_F(LibraryKitTest, a_lock_file_is_made_anew_apart_from_what_is_installed) {
    make_library(drivers(), "mine", require_kit("JavaScript"));
    const fs::path tools = folder_ / "tools";
    fs::create_directories(tools);
    write_file(tools / "npm",
               "#!/bin/sh\ntest ! -e package-lock.json && echo \"$1\" >package-lock.json\n");
    write_file(tools / "node", "#!/bin/sh\n");
    for (const char* tool : {"npm", "node"}) fs::permissions(tools / tool, fs::perms::owner_all);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (tools.string() + ":" + path).c_str(), 1);
    const std::vector<Library> all = libraries();
    const Library& mine = require_library(all, "mine");
    const InstallResult first = pin(mine, "1 of 1", Watcher{});
    const InstallResult second = pin(mine, "1 of 1", Watcher{});
    setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(first.sentence,
              "mine: package-lock.json is made; ./locklab libraries install mine "
              "takes what it pins");
    EXPECT_EQ(second.sentence, "mine: package-lock.json is as it was");
    EXPECT_EQ(text("mine/package-lock.json"), "install\n");
    EXPECT_FALSE(fs::exists(mine.installed));
    EXPECT_FALSE(fs::exists(mine.installed.string() + ".pin"));
}

TEST_F(LibraryKitTest, what_names_no_packages_cannot_be_pinned) {
    try {
        pin(fake(), "1 of 1", Watcher{});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "fake has no requirements.in, which names the packages and their releases");
    }
}

}  // namespace
}  // namespace locklab::library_kit_test
