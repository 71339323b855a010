// Which program of a library lives in virtual time.

#include <filesystem>

#include "harness/foreign/library.h"
#include "harness/foreign/subject.h"
#include "tests/foreign/fake_library.h"

namespace locklab::virtual_program_test {
namespace {

namespace fs = std::filesystem;

using VirtualProgram = FakeLibraryTest;

/// What is in virtual time may be another program, which need not be there.
TEST_F(VirtualProgram, may_be_another_one) {
    change("manifest.json", R"("options")",
           R"("no_clock": "it asks the kernel", "run_in_virtual_time": ["./other"], "options")");
    const Library fake = libraries().at(0);
    EXPECT_EQ(fake.why_not_virtual(), "");
    EXPECT_EQ(fake.virtual_start().words, std::vector<std::string>{"./other"});
    EXPECT_NE(fake.start().words, fake.virtual_start().words);
    EXPECT_EQ(Subject(fake).no_clock(), "it asks the kernel");
    EXPECT_EQ(Subject(fake).virtual_start().words, fake.virtual_start().words);

    fs::create_directories(fake.installed);
    fake.note_installed();
    const std::string why = libraries().at(0).why_not_virtual();
    EXPECT_EQ(why.find("its program for virtual time could not be built: "), 0U) << why;
    EXPECT_NE(why.find("fake.log"), std::string::npos) << why;
    write_file(fake.installed / "other", "");
    EXPECT_EQ(libraries().at(0).why_not_virtual(), "");
}

TEST_F(VirtualProgram, is_the_same_where_no_other_is_named) {
    const Library fake = libraries().at(0);
    EXPECT_EQ(fake.virtual_start().words, fake.start().words);
    change("manifest.json", R"("options")", R"("no_clock": "it asks the kernel", "options")");
    EXPECT_EQ(libraries().at(0).why_not_virtual(), "it asks the kernel");
}

}  // namespace
}  // namespace locklab::virtual_program_test
