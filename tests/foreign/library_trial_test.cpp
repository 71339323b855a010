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
    /// In its driver, as it is by now.
    void change_again(const std::string& right, const std::string& with) const {
        std::string text = read_text(file("driver.py"), 99'999, "driver.py");
        const std::size_t at = text.find(right);
        ASSERT_NE(at, std::string::npos) << right;
        write_file(file("driver.py"), text.replace(at, right.size(), with));
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
    const std::vector<std::string> least{"says what its manifest says", "excludes", "releases"};
    ASSERT_GE(trial.shown.size(), least.size());
    EXPECT_TRUE(std::equal(least.begin(), least.end(), trial.shown.begin()));
    EXPECT_EQ(trial.shown.back(), "ends");
}

INSTANTIATE_TEST_SUITE_P(Libraries, InstalledLibraryTest, ::testing::ValuesIn(installed()),
                         [](const auto& each) {
                             std::string name = each.param;
                             std::replace_if(
                                 name.begin(), name.end(),
                                 [](char c) { return c == '-' || c == ':'; }, '_');
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

TEST_F(LibraryTrialTest, one_that_changes_its_server) {
    const std::string begins = "        self.token = secrets.token_hex(8)\n";
    const std::string named = "The driver of fake changes its server: B sent ";
    EXPECT_EQ(wrong(begins, begins + "        self.command(\"SHUTDOWN\", \"NOSAVE\")\n")
                  .find(named + "SHUTDOWN NOSAVE"),
              0U);
    EXPECT_EQ(wrong(begins, begins + "        self.command(\"CLIENT\", \"PAUSE\", 1)\n")
                  .find(named + "CLIENT PAUSE"),
              0U);
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
    EXPECT_EQ(wrong("nodes=\"one\"", "nodes=\"many\""),
              "on three servers, only 1 has a key while the lock is held");
}

/// Its driver is as it should be.
TEST_F(LibraryTrialTest, one_that_cannot_do_with_a_server_that_is_down) {
    change("manifest.json", "\"nodes\": \"one\"", "\"nodes\": \"many\"");
    change("driver.py", "nodes=\"one\"", "nodes=\"many\"");
    change_again("lock = Lock(asked[\"nodes\"][0], asked[\"key\"], asked[\"ttl_ms\"])",
                 "lock = All([Lock(node, asked[\"key\"], asked[\"ttl_ms\"]) for node in "
                 "asked[\"nodes\"]])");
    change_again("class Lock:",
                 "class All:\n    def __init__(self, locks):\n        self.locks = locks\n\n"
                 "    def __getattr__(self, op):\n"
                 "        return lambda asked: [getattr(each, op)(asked) for each in "
                 "self.locks][-1]\n\n\nclass Lock:");
    const Trial trial = tried();
    EXPECT_EQ(trial.wrong, "");
    ASSERT_FALSE(trial.notes.empty());
    EXPECT_TRUE(trial.notes[0].starts_with(
        "where one of three servers is down, it answers 'open' with: ConnectionRefusedError"))
        << trial.notes[0];
}

TEST_F(LibraryTrialTest, one_that_waits_though_it_is_told_not_to) {
    const std::string found = wrong(
        "if self.command(\"SET\", self.key, self.token, \"NX\", \"PX\", self.ttl_ms) != b\"+OK\":",
        "while self.command(\"SET\", self.key, self.token, \"NX\", \"PX\", self.ttl_ms) != "
        "b\"+OK\":\n            time.sleep(0.005)\n        if 0:");
    EXPECT_TRUE(found.starts_with("a try that was told not to wait ('wait_ms' 0) took ")) << found;
}

/// It sleeps in each try and step, so that two tries take longer than a TTL.
TEST_F(LibraryTrialTest, one_that_is_slow_by_itself) {
    change("driver.py", "asked, called = json.loads(line), us()",
           "asked, called = json.loads(line), us()\n"
           "    time.sleep(0.15 if asked[\"op\"] in (\"acquire\", \"step\") else 0)");
    ASSERT_EQ(install(fake(), "1 of 1", Watcher{}).end, InstallEnd::done);
    const Trial trial = try_library(fake(), std::chrono::milliseconds(100), Watcher{});
    EXPECT_TRUE(trial.wrong.starts_with("it is slow by itself, and this machine is not busy: "))
        << trial.wrong;
}

TEST_F(LibraryTrialTest, one_that_lasts_until_its_client_is_gone) {
    change("manifest.json", "\"default_ttl_ms\": 0,", "\"default_ttl_ms\": 0, \"ttl\": \"none\",");
    const Trial trial = tried();
    EXPECT_EQ(trial.wrong, "a lock that is held is granted to another after two TTLs");
}

/// Its holder is told of a loss as its key is gone, by a step that asks, or after so many of these.
class TellingLibraryTest : public LibraryTrialTest {
protected:
    Trial told(const std::string& from_step) const {
        std::string manifest =
            read_text(source() / "tests/data/drivers/fake/manifest.json", 9'999, "a manifest");
        for (const char* word : {"\"renews\": ", "\"tells\": "}) {
            manifest.replace(manifest.find(word) + std::string(word).size(), 5, "true");
        }
        write_file(file("manifest.json"), manifest);
        change("driver.py", "renews=False", "renews=True");
        change_again("tells=False", "tells=True");
        change_again("asked[\"ttl_ms\"])", "1000000 if asked[\"renew\"] else asked[\"ttl_ms\"])");
        change_again("return {\"ok\": True, \"lost\": False}",
                     "gone = self.command(\"EXISTS\", self.key) == b\":0\"\n"
                     "        self.seen = getattr(self, \"seen\", 0) + gone\n"
                     "        return {\"ok\": True, \"lost\": self.seen > " +
                         from_step + "}");
        return tried();
    }
};

TEST_F(TellingLibraryTest, one_that_tells_of_a_loss) {
    const Trial trial = told("0");
    EXPECT_EQ(trial.wrong, "");
    EXPECT_EQ(std::ranges::count(trial.shown, "tells of a loss"), 1);
}

TEST_F(TellingLibraryTest, one_that_tells_of_a_loss_late) {
    const Trial trial = told("30");
    EXPECT_EQ(trial.wrong, "");
    EXPECT_EQ(std::ranges::count(trial.shown, "tells of a loss"), 0);
    const auto is_late = [](const std::string& note) {
        return note.starts_with("a holder whose key is gone is told late: after ") &&
               note.ends_with("and not within 300ms, as 'tells_within' in its manifest says");
    };
    EXPECT_EQ(std::ranges::count_if(trial.notes, is_late), 1);
}

TEST_F(LibraryTrialTest, one_that_cannot_run) {
    change("manifest.json", "\"options\"", "\"cannot_run\": \"it needs a sun\", \"options\"");
    const Trial trial = tried();
    EXPECT_FALSE(trial.known);
    EXPECT_EQ(trial.wrong, "it cannot run: it needs a sun");
}

TEST_F(LibraryTrialTest, one_that_does_not_end) {
    EXPECT_EQ(wrong("if asked[\"op\"] == \"exit\":\n        break",
                    "if asked[\"op\"] == \"exit\":\n        time.sleep(1000)"),
              "The driver of fake does not end.");
}

TEST_F(LibraryTrialTest, one_that_does_nothing_is_not_waited_for) {
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(wrong("lock = None\n", "lock = None\ntime.sleep(1000)\n"),
              "it does not answer 'hello', and has done nothing for 5s");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(40));
}

TEST_F(LibraryTrialTest, one_that_changes_its_limit_of_locks) {
    change("manifest.json", "[\"python3\", \"driver.py\"]",
           "[\"prlimit\", \"--locks=5\", \"python3\", \"driver.py\"]");
    EXPECT_NE(tried().wrong.find("has changed its limit of file locks"), std::string::npos);
}

TEST_F(LibraryTrialTest, one_that_cannot_begin) {
    EXPECT_EQ(wrong("import secrets", "raise ImportError('no such lock')"),
              "The driver of fake ended with code 1; it said last: ImportError: no such lock");
    EXPECT_TRUE(try_library(fake(), kTtl, Watcher{}).stderr_text.starts_with("Traceback"))
        << "all of what it said";
}

}  // namespace
}  // namespace locklab::library_trial_test
