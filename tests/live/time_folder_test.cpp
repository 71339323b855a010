// A machine that has no more of what it takes: an error in time, and nothing left behind.
#include "harness/live/time_folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <system_error>

namespace locklab::time_folder_test {

namespace {

/// Of this process, while it lives.
class Limit {
public:
    Limit(__rlimit_resource of, rlim_t most) : of_(of) {
        getrlimit(of_, &before_);
        rlimit limit = before_;
        limit.rlim_cur = most;
        setrlimit(of_, &limit);
    }
    ~Limit() { setrlimit(of_, &before_); }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

private:
    __rlimit_resource of_;
    rlimit before_{};
};

std::set<std::filesystem::path> folders() {
    std::set<std::filesystem::path> found;
    for (const auto& each : std::filesystem::directory_iterator("/tmp")) {
        if (each.path().filename().string().starts_with("locklab-time-")) found.insert(each.path());
    }
    return found;
}

TEST(TimeFolderTest, a_page_that_the_disk_has_no_room_for_is_an_error) {
    std::signal(SIGXFSZ, SIG_IGN);
    const auto before = folders();
    {
        const Limit limit(RLIMIT_FSIZE, 100);
        EXPECT_THROW(TimeFolder(1), std::system_error);
    }
    EXPECT_EQ(folders(), before);
}

TEST(TimeFolderTest, too_few_files_leave_no_folder) {
    const auto before = folders();
    {
        const Limit limit(RLIMIT_NOFILE, 12);
        EXPECT_THROW(TimeFolder(40), std::system_error);
    }
    EXPECT_EQ(folders(), before);
}

}  // namespace

}  // namespace locklab::time_folder_test
