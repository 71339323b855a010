#include "harness/record/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <iterator>
#include <string>

namespace locklab::files_test {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
protected:
    Files() : folder_(fs::path(testing::TempDir()) / ("locklab_" + std::to_string(getpid()))) {
        fs::create_directory(folder_);
    }
    ~Files() override { fs::remove_all(folder_); }

    std::string content(const fs::path& path) {
        std::ifstream in = open_to_read(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::size_t entries() {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    fs::path folder_;
};

std::string error_of(auto action) {
    try {
        action();
    } catch (const FileError& error) {
        return error.what();
    }
    return "no error";
}

TEST_F(Files, are_written_and_written_over) {
    write_file(folder_ / "a", "first, and longer");
    write_file(folder_ / "a", std::string("sec\0nd", 6));
    EXPECT_EQ(content(folder_ / "a"), std::string("sec\0nd", 6));
    EXPECT_EQ(entries(), 1U);
    const auto bits = fs::status(folder_ / "a").permissions();
    EXPECT_NE(bits & fs::perms::others_read, fs::perms::none);
}

TEST_F(Files, a_missing_folder_is_named) {
    const fs::path path = folder_ / "no" / "a";
    EXPECT_EQ(error_of([&] { write_file(path, "x"); }),
              "cannot write '" + path.string() + "': No such file or directory");
}

TEST_F(Files, a_folder_in_the_place_is_left_alone) {
    fs::create_directory(folder_ / "a");
    EXPECT_EQ(error_of([&] { write_file(folder_ / "a", "x"); }),
              "cannot write '" + (folder_ / "a").string() + "': Is a directory");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, a_disk_that_fills_up_leaves_the_old_file) {
    write_file(folder_ / "a", "old");
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 1000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string error = error_of([&] { write_file(folder_ / "a", std::string(5000, 'x')); });
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(error, "cannot write '" + (folder_ / "a").string() + "': File too large");
    EXPECT_EQ(content(folder_ / "a"), "old");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, what_cannot_be_read_is_named) {
    EXPECT_EQ(error_of([&] { open_to_read(folder_ / "a"); }),
              "cannot read '" + (folder_ / "a").string() + "': No such file or directory");
    EXPECT_EQ(error_of([&] { open_to_read(folder_); }),
              "cannot read '" + folder_.string() + "': Is a directory");
}

}  // namespace
}  // namespace locklab::files_test
