// What a script of a defect says of itself, and that every one of drivers/ says it.

#include "harness/foreign/library_defect.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/record/json_line.h"
#include "tests/core/places.h"

namespace locklab::library_defect_test {
namespace {

constexpr std::ptrdiff_t kMostLines = 40;

TEST(LibraryDefect, is_read_from_the_comment_at_the_top) {
    for (const char* script :
         {"\"\"\"It grants\ntwice. Here too.\nTracker: https://x.org/1, open.\n"
          "Run in the installed folder: python3 a.py\"\"\"\n\nimport os\n",
          "// It grants\n// twice. Here too.\n// Tracker: https://x.org/1, open.\n"
          "// Run in the installed folder: python3 a.py\nconst a = 1; // more\n",
          "# It grants\n# twice. Here too.\n# Tracker: https://x.org/1, open.\n"
          "# Run in the installed folder: python3 a.py\necho\n# Tracker: none\n"}) {
        const LibraryDefect defect = read_defect(script, "defects/a");
        EXPECT_EQ(defect.what, "It grants twice. Here too.");
        EXPECT_EQ(defect.tracker, "https://x.org/1, open.");
        EXPECT_EQ(defect.command, "python3 a.py");
        EXPECT_EQ(defect.script, script);
        EXPECT_EQ(defect.file, "defects/a");
    }
}

TEST(LibraryDefect, one_that_does_not_say_what_it_is_is_refused) {
    for (const char* script :
         {"", "// Tracker: none.\n// Run in the installed folder: x\n", "// It grants twice.\n",
          "// It grants.\n// Run in the installed folder: x\n// Tracker: none.\n"}) {
        EXPECT_THROW(read_defect(script, "defects/a"), FormatError) << script;
    }
}

TEST(LibraryDefect, each_is_a_page_long_and_says_what_it_is) {
    const std::filesystem::path source = source_dir();
    std::size_t all = 0;
    for (const Library& library : read_libraries(source / "drivers", source / "build")) {
        for (const LibraryDefect& defect : defects_of(library)) {
            ++all;
            EXPECT_LE(std::ranges::count(defect.script, '\n'), kMostLines) << defect.file;
            EXPECT_NE(defect.what.find(library.version), std::string::npos)
                << defect.file << " does not name the release";
        }
    }
    EXPECT_GE(all, 6U);
}

}  // namespace
}  // namespace locklab::library_defect_test
