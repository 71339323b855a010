#include "harness/live/temp_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace locklab::temp_folder_test {
namespace {

namespace fs = std::filesystem;

TEST(TempFolder, is_removed_with_its_owner) {
    fs::path path;
    {
        const TempFolder folder("locklab-temp");
        path = folder.path();
        std::ofstream(path / "file") << "content";
        EXPECT_TRUE(fs::is_directory(path));
    }
    EXPECT_FALSE(fs::exists(path));
}

/// The folder of a process that is killed while it has one.
fs::path left_by_the_dead() {
    int tell[2];
    EXPECT_EQ(pipe(tell), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        const TempFolder folder("locklab-dead");
        const std::string path = folder.path().string();
        [[maybe_unused]] const ssize_t told = write(tell[1], path.data(), path.size());
        kill(getpid(), SIGKILL);
    }
    waitpid(pid, nullptr, 0);
    char text[256];
    const ssize_t size = read(tell[0], text, sizeof text);
    close(tell[0]);
    close(tell[1]);
    return std::string(text, size > 0 ? static_cast<std::size_t>(size) : 0);
}

TEST(TempFolder, of_the_dead_is_removed_by_the_next) {
    const fs::path dead = left_by_the_dead();
    ASSERT_TRUE(fs::is_directory(dead));
    const TempFolder living("locklab-dead");
    const fs::path strange = dead.string() + "x";
    fs::create_directory(strange);
    const auto removed = TempFolder::remove_dead("locklab-dead");
    EXPECT_EQ(removed, std::vector<fs::path>{dead});
    EXPECT_FALSE(fs::exists(dead));
    EXPECT_TRUE(fs::exists(living.path()));
    EXPECT_TRUE(fs::exists(strange)) << "it has no owner that could be dead";
    EXPECT_TRUE(TempFolder::remove_dead("locklab-dead").empty());
    fs::remove(strange);
}

TEST(TempFolder, that_never_named_its_owner_is_removed_after_a_minute) {
    const TempFolder parent("locklab-old");
    const fs::path young = parent.path().string() + "-young";
    const fs::path old = parent.path().string() + "-old";
    for (const fs::path& folder : {young, old}) fs::create_directory(folder);
    fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::minutes(2));
    const auto removed = TempFolder::remove_dead(parent.path().filename());
    EXPECT_EQ(removed, std::vector<fs::path>{old});
    EXPECT_TRUE(fs::exists(young)) << "its process may be about to write its name";
    fs::remove(young);
}

}  // namespace
}  // namespace locklab::temp_folder_test
