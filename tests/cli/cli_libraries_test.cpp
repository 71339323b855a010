// locklab libraries from outside, with a library that needs nothing but Python.

#include "harness/record/files.h"
#include "tests/cli/cli_run.h"
#include "tests/core/places.h"

namespace locklab::cli_libraries_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStep = "[\"python3\", \"-m\", \"py_compile\", \"driver.py\"]";

class CliLibrariesTest : public CliTest {
protected:
    CliLibrariesTest() {
        fs::copy(fs::path(source_dir()) / "tests/data/drivers", home_ / "drivers",
                 fs::copy_options::recursive);
    }
    void change(const std::string& right, const std::string& wrong) const {
        const fs::path manifest = home_ / "drivers/fake/manifest.json";
        std::string text = content_of(manifest);
        const std::size_t at = text.find(right);
        ASSERT_NE(at, std::string::npos);
        put_file(manifest, text.replace(at, right.size(), wrong));
    }
};

TEST_F(CliLibrariesTest, are_listed) {
    const Ran ran = run({"libraries", "list"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out,
              "Libraries (locklab libraries install NAME):\n"
              "  name      library   language  like\n"
              "  lib:fake  a fake 1  Python    set_nx_lua  not installed\n");
    const Json row = parsed(run({"libraries", "list", "--json"}).out).at("libraries").at(0);
    EXPECT_EQ(row.at("name"), "lib:fake");
    EXPECT_EQ(row.at("installed"), false);
    EXPECT_EQ(row.at("missing"), "");
    EXPECT_EQ(parsed(run({"list", "--json"}).out).at("libraries").at(0), row);
}

TEST_F(CliLibrariesTest, are_installed_and_tried) {
    const Ran first = run({"libraries", "install"});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(first.out, "fake 1 is installed\n");
    EXPECT_EQ(first.err, "");
    const Ran again = run({"libraries", "install", "--json"});
    EXPECT_EQ(again.code, 0);
    EXPECT_EQ(again.err, "fake 1 is installed already\n");
    EXPECT_EQ(parsed(again.out).at("libraries").at(0).at("installed"), true);
    const Ran tried = run({"libraries", "test", "lib:fake"});
    EXPECT_EQ(tried.code, 0) << tried.out;
    EXPECT_TRUE(tried.out.starts_with("fake 1 works: says what its manifest says, excludes, "))
        << tried.out;
    EXPECT_TRUE(temp_is_empty());
}

TEST_F(CliLibrariesTest, that_are_not_as_they_should_be_are_told_so) {
    change("\"version\": \"1\"", "\"version\": \"2\"");
    const Ran untried = run({"libraries", "test"});
    EXPECT_EQ(untried.code, 2);
    EXPECT_EQ(untried.out,
              "fake 2 was not tried: it is not installed: ./locklab libraries install fake\n");
    EXPECT_EQ(run({"libraries", "install"}).code, 0);
    const Ran tried = run({"libraries", "test"});
    EXPECT_EQ(tried.code, 1);
    EXPECT_EQ(tried.out,
              "fake 2 is not as it should be: its 'hello' says version 1, and its manifest says "
              "version 2\n");
}

TEST_F(CliLibrariesTest, are_not_tried_without_a_redis_server) {
    EXPECT_EQ(run({"libraries", "install"}).code, 0);
    options_.environment["PATH"] = here_.string();
    const Ran tried = run({"libraries", "test"});
    EXPECT_EQ(tried.code, 2);
    EXPECT_TRUE(tried.out.starts_with("fake 1 was not tried: redis-server was not found: "))
        << tried.out;
}

TEST_F(CliLibrariesTest, whose_toolchain_is_not_there_are_left_out) {
    change("\"program\": \"python3\"", "\"program\": \"no-such-python\"");
    const Ran all = run({"libraries", "install"});
    EXPECT_EQ(all.code, 0) << "nothing else depends on it";
    EXPECT_EQ(all.out,
              "fake is left out: no-such-python is not in PATH (Debian, Ubuntu: apt-get install "
              "python3)\n1 of 1 left out; nothing else depends on them\n");
    EXPECT_EQ(run({"libraries", "install", "fake"}).code, 2) << "it was asked for";
}

TEST_F(CliLibrariesTest, that_fail_to_be_installed_say_why) {
    change(kStep, "[\"sh\", \"-c\", \"echo getaddrinfo ENOTFOUND x; exit 1\"]");
    const Ran ran = run({"libraries", "install"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(
        ran.out.starts_with("fake 1 could not be installed: no package server answers; is "
                            "the network away? (what its tools said is in "))
        << ran.out;
}

TEST_F(CliLibrariesTest, can_be_interrupted_while_they_are_installed) {
    change(kStep, "[\"sh\", \"-c\", \"echo >begun; sleep 1000\"]");
    Process process(built_program(), {"libraries", "install"}, options_);
    ASSERT_TRUE(await([&] { return fs::exists(home_ / "build/libraries/fake/begun"); }));
    process.interrupt();
    const Ran ran = process.wait();
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "stopped while it was installing fake 1; it is not installed\n");
}

TEST_F(CliLibrariesTest, bad_words_and_manifests_are_one_sentence) {
    expect_sentence(run({"libraries"}), 64, {"right would be: locklab libraries list"});
    expect_sentence(run({"libraries", "instal"}), 64, {"'instal'", "did you mean 'install'?"});
    expect_sentence(run({"libraries", "test", "fak"}), 64,
                    {"unknown library 'fak'", "did you mean 'fake'?"});
    change("\"like\"", "\"lik\"");
    expect_sentence(run({"libraries", "list", "fake"}), 64,
                    {"fake/manifest.json", "'like' is missing"});
    for (const char* verb : {"install", "test"}) {
        expect_sentence(run({"libraries", verb}), 2,
                        {"lib:fake is left out: ", "'like' is missing"});
    }
    fs::remove_all(home_ / "drivers");
    expect_sentence(run({"libraries", "list"}), 64, {"there are no libraries", "LOCKLAB_HOME"});
}

/// Neither verbs that name none, nor other libraries, depend on it.
TEST_F(CliLibrariesTest, a_bad_manifest_is_that_librarys_alone) {
    fs::copy(home_ / "drivers/fake", home_ / "drivers/good", fs::copy_options::recursive);
    change("\"like\"", "\"lik\"");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"libraries", "list"}, {"list", "libraries"}}) {
        const Ran ran = run(words);
        EXPECT_EQ(ran.code, 0);
        EXPECT_NE(ran.err.find("lib:fake is left out: "), std::string::npos) << ran.err;
        EXPECT_NE(ran.out.find("lib:good"), std::string::npos) << ran.out;
        EXPECT_EQ(ran.out.find("lib:fake"), std::string::npos) << ran.out;
    }
    EXPECT_EQ(run({"libraries", "install", "good"}).code, 0);
    EXPECT_EQ(run({"libraries", "test"}).code, 2);
    const Ran other = run({"scenario", "no_waiting", "--algorithm", "lib:fak", "--world", "live"});
    expect_sentence(other, 64, {"unknown library 'fak'"});
}

}  // namespace
}  // namespace locklab::cli_libraries_test
