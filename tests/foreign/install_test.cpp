// Installations with shells for tools: what is done once, and the sentence of each failure.

#include "harness/foreign/install.h"

#include <atomic>
#include <thread>

#include "harness/core/usage_error.h"
#include "harness/foreign/library_manifest.h"
#include "tests/foreign/fake_library.h"

namespace locklab::install_test {
namespace {

namespace fs = std::filesystem;

class InstallTest : public FakeLibraryTest {
protected:
    /// The fake, with these words for a shell in place of its only step.
    InstallResult install_with(const std::string& script) const {
        change("manifest.json", "[\"python3\", \"-m\", \"py_compile\", \"driver.py\"]",
               "[\"sh\", \"-c\", \"" + script + "\"]");
        return install(fake(), "1 of 1", Watcher{});
    }
    std::string failure_of(const std::string& script) const {
        const InstallResult result = install_with(script);
        EXPECT_EQ(result.end, InstallEnd::failed);
        EXPECT_FALSE(fake().is_installed());
        const std::string begin = "fake 1 could not be installed: ";
        EXPECT_TRUE(result.sentence.starts_with(begin)) << result.sentence;
        const std::size_t log = result.sentence.find(" (what its tools said is in ");
        EXPECT_NE(log, std::string::npos) << result.sentence;
        return result.sentence.substr(begin.size(), log - begin.size());
    }
};

TEST_F(InstallTest, it_is_done_once) {
    const InstallResult first = install_with("echo done >made; echo 'it says so' >&2");
    EXPECT_EQ(first.end, InstallEnd::done);
    EXPECT_EQ(first.sentence, "fake 1 is installed");
    EXPECT_TRUE(fake().is_installed());
    EXPECT_TRUE(fs::exists(fake().installed / "made"));
    EXPECT_FALSE(fs::exists(file("made"))) << "nothing is written beside the driver";
    EXPECT_EQ(read_text(install_log(fake()), 100, "a log"), "it says so\n");
    std::ofstream(install_log(fake()), std::ios::trunc).close();
    EXPECT_EQ(install(fake(), "1 of 1", Watcher{}).end, InstallEnd::current);
    EXPECT_EQ(read_text(install_log(fake()), 100, "a log"), "");
}

TEST_F(InstallTest, a_driver_that_has_changed_is_installed_again) {
    install_with("true");
    write_file(file("requirements.txt"), "another");
    EXPECT_EQ(install(fake(), "1 of 1", Watcher{}).end, InstallEnd::done);
    EXPECT_TRUE(fs::exists(fake().installed / "requirements.txt"));
}

TEST_F(InstallTest, folders_travel) {
    fs::create_directories(file("defects"));
    write_file(file("defects/late.py"), "text");
    install_with("true");
    EXPECT_EQ(read_text(fake().installed / "defects/late.py", 10, "a file"), "text");
    write_file(fake().installed / "defects/late.py", "more");
    EXPECT_EQ(fake().why_not_installed(), "was changed after it was installed ('defects/late.py')");
}

TEST_F(InstallTest, what_was_changed_afterwards_is_installed_again) {
    install_with("echo right >made");
    write_file(fake().installed / "made", "wrong\n");
    EXPECT_EQ(install(fake(), "1 of 1", Watcher{}).end, InstallEnd::done);
    EXPECT_EQ(read_text(fake().installed / "made", 100, "a file"), "right\n");
}

TEST_F(InstallTest, a_failure_is_one_sentence) {
    EXPECT_EQ(failure_of("echo 'npm ERR! code X' >&2; echo advice; exit 7"),
              "the step 'looks at it' ended with code 7; it said: npm ERR! code X");
    EXPECT_EQ(failure_of("exit 3"), "the step 'looks at it' ended with code 3");
    EXPECT_EQ(failure_of("echo 'SyntaxError: x'; exit 1"), "its driver is no Python");
    EXPECT_EQ(failure_of("echo 'dial tcp: lookup x: no such host'; exit 1"),
              "no package server answers; is the network away?");
    EXPECT_EQ(failure_of("kill -9 $$"),
              "the step 'looks at it' ended with code 137; it said: "
              "Killed");
}

TEST_F(InstallTest, a_failure_leaves_nothing_installed) {
    install_with("true");
    EXPECT_EQ(install_with("exit 1").end, InstallEnd::failed);
    EXPECT_FALSE(fake().is_installed());
}

TEST_F(InstallTest, a_toolchain_that_is_not_there_is_named) {
    change("manifest.json", "{\"program\": \"python3\", \"package\": \"python3\"}",
           "{\"program\": \"no-such-go\", \"package\": \"golang-go\"}");
    const InstallResult result = install(fake(), "1 of 1", Watcher{});
    EXPECT_EQ(result.end, InstallEnd::lacks);
    EXPECT_EQ(result.sentence,
              "fake is left out: no-such-go is not in PATH (Debian, Ubuntu: apt-get install "
              "golang-go)");
    EXPECT_FALSE(fs::exists(fake().installed));
}

TEST_F(InstallTest, it_can_be_stopped_and_leaves_nothing_running) {
    std::atomic<bool> stop{false};
    Watcher watcher;
    watcher.stop = &stop;
    std::vector<std::string> shown;
    const fs::path pid = folder_ / "pid";
    watcher.on_show = [&](std::string_view text) {
        shown.emplace_back(text);
        if (fs::exists(pid) && fs::file_size(pid) > 0) stop = true;
    };
    change("manifest.json", "[\"python3\", \"-m\", \"py_compile\", \"driver.py\"]",
           "[\"sh\", \"-c\", \"echo half; sleep 1000 & echo $! >" + pid.string() + "; wait\"]");
    const InstallResult result = install(fake(), "2 of 4", watcher);
    EXPECT_EQ(result.end, InstallEnd::stopped);
    EXPECT_EQ(result.sentence, "stopped while it was installing fake 1; it is not installed");
    EXPECT_EQ(shown.front(), "2 of 4: fake: looks at it");
    EXPECT_FALSE(fake().is_installed());
    const pid_t left = std::stoi(read_text(pid, 100, "a number"));
    for (int i = 0; i < 1000 && kill(left, 0) == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_NE(kill(left, 0), 0);
}

TEST_F(InstallTest, one_at_a_time) {
    const InstallFolder alone(folder_ / "installed");
    EXPECT_THROW(InstallFolder(folder_ / "installed"), UsageError);
}

}  // namespace
}  // namespace locklab::install_test
