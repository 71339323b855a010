#include "harness/record/manifest.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

namespace locklab::manifest_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";
constexpr const char* kOther = "fedcba9876543210fedcba9876543210fedcba98";

class ManifestTest : public testing::Test {
protected:
    ManifestTest() {
        std::string name = fs::temp_directory_path() / "manifest_test-XXXXXX";
        EXPECT_NE(mkdtemp(name.data()), nullptr);
        home_ = name;
        if (const char* home = std::getenv("LOCKLAB_HOME")) before_ = home;
        setenv("LOCKLAB_HOME", home_.c_str(), 1);
    }
    ~ManifestTest() override {
        before_.empty() ? unsetenv("LOCKLAB_HOME") : setenv("LOCKLAB_HOME", before_.c_str(), 1);
        fs::remove_all(home_);
    }
    void put(const fs::path& file, const std::string& text) const {
        fs::create_directories((home_ / file).parent_path());
        std::ofstream(home_ / file) << text << "\n";
    }
    static std::string commit() { return machine_manifest().at("commit"); }

    fs::path home_;
    std::string before_;
};

TEST_F(ManifestTest, says_what_the_machine_is) {
    const nlohmann::ordered_json json = machine_manifest();
    EXPECT_NE(json.at("locklab"), "");
    EXPECT_TRUE(std::regex_search(json.at("compiler").get<std::string>(),
                                  std::regex("^(g\\+\\+|clang\\+\\+) [0-9]+\\.")));
    const auto& machine = json.at("machine");
    EXPECT_TRUE(machine.at("cpu").is_string());
    EXPECT_GE(machine.at("cores"), 1);
    EXPECT_GT(machine.at("memory_mib"), 100);
    EXPECT_EQ(machine.at("system").get<std::string>().find_first_of("\"="), std::string::npos);
    EXPECT_EQ(machine.at("kernel").get<std::string>().rfind("Linux ", 0), 0U);
    ASSERT_EQ(machine.at("load").size(), 3U);
    for (const auto& load : machine.at("load")) EXPECT_GE(load, 0);
}

TEST_F(ManifestTest, without_a_checkout_there_is_no_commit) { EXPECT_EQ(commit(), ""); }

TEST_F(ManifestTest, finds_the_commit_of_a_branch) {
    put(".git/HEAD", "ref: refs/heads/main");
    EXPECT_EQ(commit(), "");
    put(".git/refs/heads/main", kCommit);
    EXPECT_EQ(commit(), "0123456789ab");
}

TEST_F(ManifestTest, finds_the_commit_of_a_packed_branch) {
    put(".git/HEAD", "ref: refs/heads/main");
    put(".git/packed-refs", "# pack-refs with: peeled fully-peeled sorted\n" + std::string(kOther) +
                                " refs/heads/also/refs/heads/main\n" + kCommit +
                                " refs/heads/main");
    EXPECT_EQ(commit(), "0123456789ab");
    put(".git/refs/heads/main", kOther);
    EXPECT_EQ(commit(), "fedcba987654") << "what is not packed is newer";
}

TEST_F(ManifestTest, finds_the_commit_where_no_branch_is) {
    put(".git/HEAD", kCommit);
    EXPECT_EQ(commit(), "0123456789ab");
}

TEST_F(ManifestTest, finds_the_commit_of_a_second_work_tree) {
    put("repository/worktrees/second/HEAD", "ref: refs/heads/side");
    put("repository/worktrees/second/commondir", "../..");
    put("repository/refs/heads/side", kCommit);
    put(".git", "gitdir: " + (home_ / "repository/worktrees/second").string());
    EXPECT_EQ(commit(), "0123456789ab");
    put(".git", "gitdir: repository/worktrees/second");
    EXPECT_EQ(commit(), "0123456789ab");
}

TEST(UtcNowTest, is_a_time_as_iso_8601_writes_it) {
    EXPECT_TRUE(std::regex_match(
        utc_now(), std::regex("20\\d\\d-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-6]\\dZ")))
        << utc_now();
}

}  // namespace
}  // namespace locklab::manifest_test
