// Trials of drivers: the fake works, what is wrong with it is found, and every library that happens
// to be installed works.

#include "harness/foreign/library_trial.h"

#include <algorithm>

#include "harness/foreign/install.h"
#include "tests/core/places.h"
#include "tests/foreign/fake_library.h"

namespace locklab::library_trial_test {
namespace {

constexpr Duration kTtl = std::chrono::milliseconds(300);
constexpr const char* kAcquire = "self.token, \"NX\", \"PX\", self.ttl_ms";

class LibraryTrialTest : public FakeLibraryTest {
protected:
    Trial tried() const {
        EXPECT_EQ(install(fake(), "1 of 1", Watcher{}).end, InstallEnd::done);
        return try_library(fake(), kTtl, Watcher{});
    }
    /// What is wrong with a fake that has this in place of that.
    std::string wrong(const std::string& right, const std::string& with) const {
        change("driver.py", right, with);
        const Trial trial = tried();
        EXPECT_TRUE(trial.known) << trial.wrong;
        return trial.wrong;
    }
};

std::vector<Library> known() {
    const std::filesystem::path source = source_dir();
    return read_libraries(source / "drivers", source / "build/libraries");
}

/// The fake, and every one that happens to be installed.
std::vector<std::string> installed() {
    std::vector<std::string> names{"fake"};
    for (const Library& library : known()) {
        const bool runs = library.is_installed() && library.missing().empty();
        if (runs) names.push_back(library.name);
    }
    return names;
}

class InstalledLibraryTest : public LibraryTrialTest,
                             public ::testing::WithParamInterface<std::string> {};

TEST_P(InstalledLibraryTest, works) {
    const std::vector<Library> all = known();
    const bool is_fake = GetParam() == "fake";
    const Trial trial =
        is_fake ? tried() : try_library(require_library(all, GetParam()), kTtl, Watcher{});
    EXPECT_EQ(trial.wrong, "");
    const std::vector<std::string> least{"says what its manifest says", "excludes", "releases",
                                         "expires"};
    ASSERT_GE(trial.shown.size(), least.size());
    EXPECT_TRUE(std::equal(least.begin(), least.end(), trial.shown.begin()));
    EXPECT_EQ(trial.shown.back(), "ends");
}

INSTANTIATE_TEST_SUITE_P(Libraries, InstalledLibraryTest, ::testing::ValuesIn(installed()),
                         [](const auto& each) {
                             std::string name = each.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST_F(LibraryTrialTest, one_that_is_not_installed_is_not_tried) {
    const Trial trial = try_library(fake(), kTtl, Watcher{});
    EXPECT_FALSE(trial.known);
    EXPECT_EQ(trial.wrong, "it is not installed: ./locklab libraries install fake");
}

TEST_F(LibraryTrialTest, one_that_always_grants) {
    EXPECT_EQ(wrong("!= b\"+OK\"", "== b\"never\""), "a lock that is held is granted to another");
}

TEST_F(LibraryTrialTest, one_that_never_expires) {
    EXPECT_EQ(wrong(kAcquire, "self.token, \"NX\""),
              "a lock is not granted to another after its TTL");
}

TEST_F(LibraryTrialTest, one_that_does_not_release) {
    EXPECT_EQ(wrong("EVAL\", DELETE, 1, self.key, self.token) == b\":1\"", "PING\") == b\"+PONG\""),
              "a lock that was released is not granted to another");
}

TEST_F(LibraryTrialTest, one_that_does_not_extend) {
    EXPECT_EQ(wrong("self.command(*words) == b\":1\"", "True"),
              "a lock that was extended is granted to another");
}

TEST_F(LibraryTrialTest, one_that_grants_what_is_not_answered) {
    EXPECT_EQ(wrong("(OSError, Refused) as error:\n        said = {",
                    "(OSError, Refused) as error:\n        said = {\"granted\": True} if 1 else {"),
              "it grants what no server has answered");
}

TEST_F(LibraryTrialTest, one_that_claims_to_know_what_became_of_it) {
    EXPECT_NE(wrong("isinstance(error, Refused)}", "True}")
                  .find("it says that nothing has happened, and cannot know: "),
              std::string::npos);
}

TEST_F(LibraryTrialTest, one_that_is_not_what_its_manifest_says) {
    EXPECT_EQ(wrong("version=\"1\"", "version=\"2\""),
              "its 'hello' says version 2, and its manifest says version 1");
    EXPECT_EQ(wrong("waits=False", "waits=True"),
              "its 'hello' says waits true, and its manifest says waits false");
}

TEST_F(LibraryTrialTest, one_that_takes_several_servers_and_asks_the_first_alone) {
    change("manifest.json", "\"nodes\": \"one\"", "\"nodes\": \"many\"");
    const std::string found = wrong("nodes=\"one\"", "nodes=\"many\"");
    EXPECT_TRUE(found.starts_with("where one of three servers is down, it answers 'open' with: "))
        << found;
}

TEST_F(LibraryTrialTest, one_that_does_not_end) {
    EXPECT_EQ(wrong("if asked[\"op\"] == \"exit\":\n        break",
                    "if asked[\"op\"] == \"exit\":\n        time.sleep(1000)"),
              "The driver of fake does not end.");
}

TEST_F(LibraryTrialTest, one_that_cannot_begin) {
    EXPECT_EQ(wrong("import secrets", "raise ImportError('no such lock')"),
              "The driver of fake ended with code 1; it said last: ImportError: no such lock");
}

}  // namespace
}  // namespace locklab::library_trial_test
