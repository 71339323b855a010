// What manifests say, and what is said of those that are wrong.

#include "harness/foreign/library.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <thread>

#include "harness/core/usage_error.h"
#include "harness/foreign/library_manifest.h"
#include "harness/foreign/program_in_path.h"
#include "harness/foreign/subject.h"
#include "harness/record/json_line.h"
#include "tests/core/places.h"
#include "tests/foreign/fake_library.h"

namespace locklab::library_test {
namespace {

namespace fs = std::filesystem;

class LibraryTest : public FakeLibraryTest {
protected:
    /// What is said of the fake's manifest, were this in place of that.
    std::string complaint(const std::string& right, const std::string& wrong) const {
        change("manifest.json", right, wrong);
        try {
            require_library(libraries(), "fake");
            return "";
        } catch (const FormatError& error) {
            return std::string(error.what()).substr(file("manifest.json").string().size());
        }
    }
};

TEST_F(LibraryTest, a_manifest_says_all_of_it) {
    const std::vector<Library> all = libraries();
    ASSERT_EQ(all.size(), 1U);
    const Library& fake = all[0];
    EXPECT_EQ(fake.row(), "lib:fake");
    EXPECT_EQ(fake.like, "set_nx_lua");
    EXPECT_EQ(fake.least_ttl, std::chrono::milliseconds(1));
    EXPECT_TRUE(fake.extends);
    EXPECT_FALSE(fake.renews);
    EXPECT_EQ(fake.options, "{}");
    EXPECT_EQ(fake.install.at(0).words.at(0), "python3");
    EXPECT_EQ(fake.start().folder, (folder_ / "installed/fake").string());
    EXPECT_FALSE(fake.is_installed());
}

TEST_F(LibraryTest, a_manifest_that_is_a_pipe_is_not_waited_for) {
    fs::remove(file("manifest.json"));
    ASSERT_EQ(mkfifo(file("manifest.json").c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(file("manifest.json")) << "{"; });
    EXPECT_EQ(libraries().at(0).trouble, file("manifest.json").string() + ": it is no file");
    const int reader = open(file("manifest.json").c_str(), O_RDONLY | O_NONBLOCK);
    writer.join();
    close(reader);
}

TEST_F(LibraryTest, no_pipe_among_its_files_is_waited_for) {
    const auto refused = [](const fs::path& pipe, const auto& reads) {
        fs::create_directories(pipe.parent_path());
        ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
        std::thread writer([&] { std::ofstream(pipe) << "{"; });
        std::string said = "nothing";
        try {
            reads();
        } catch (const FileError& error) {
            said = error.what();
        }
        EXPECT_EQ(said, "cannot read '" + pipe.string() + "': it is no file");
        const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
        writer.join();
        close(reader);
        fs::remove(pipe);
    };
    refused(fake().installed / ".installed", [&] { fake().why_not_installed(); });
    change("manifest.json", "\"options\"", "\"shared\": [\"pipe.py\"], \"options\"");
    refused(folder_ / "drivers/shared/pipe.py", [&] { fake().digest(); });
}

TEST_F(LibraryTest, a_manifest_says_how_the_key_is_made) {
    EXPECT_EQ(Subject(fake()).keys_of("k"), std::vector<std::string>{"k"});
    const std::string right = "\"nodes\": \"one\"";
    change("manifest.json", right, right + ", \"key\": \"mutex:{key}\"");
    EXPECT_EQ(Subject(fake()).keys_of("k"), std::vector<std::string>{"mutex:k"});
    change("manifest.json", right, right + ", \"key\": [\"{{key}}:a\", \"b\\n{key}\"]");
    EXPECT_EQ(Subject(fake()).keys_of("k"), (std::vector<std::string>{"{k}:a", "b\nk"}));
    EXPECT_EQ(complaint(right, right + ", \"key\": \"mutex\""),
              ":1: 'key' is 'mutex', without {key}; right would be \"mutex:{key}\", where {key} "
              "stands for the name that `open` has");
    EXPECT_EQ(complaint(right, right + ", \"key\": []"),
              ":1: 'key' is no list of words; right would be [\"node\", ...]");
}

TEST_F(LibraryTest, a_manifest_says_how_many_servers_it_is_given) {
    EXPECT_FALSE(Subject(fake()).takes_many_nodes());
    EXPECT_EQ(Subject(fake()).row().topology().masters, 1U);
    change("manifest.json", "\"one\"", "\"many\"");
    EXPECT_TRUE(Subject(fake()).takes_many_nodes());
    EXPECT_EQ(Subject(fake()).row().topology().masters, 1U);
    change("manifest.json", "\"one\"", "\"three\"");
    EXPECT_TRUE(Subject(fake()).takes_many_nodes());
    EXPECT_EQ(Subject(fake()).row().topology().masters, 3U);
}

/// A folder, an installation, several rows.
TEST_F(LibraryTest, a_variant_is_a_row_of_its_own) {
    EXPECT_EQ(complaint("\"options\": {}",
                        "\"options\": {}, \"variants\": {\"fair\": {\"library\": \"a fair fake\", "
                        "\"options\": {\"fair\": true}, \"run\": [\"python3\", \"driver.py\", "
                        "\"fair\"]}}"),
              "");
    const std::vector<Library> all = libraries();
    ASSERT_EQ(all.size(), 2U);
    const Library& fair = require_library(all, "lib:fake:fair");
    EXPECT_EQ(fair.row(), "lib:fake:fair");
    EXPECT_EQ(fair.library, "a fair fake");
    EXPECT_EQ(fair.run, (std::vector<std::string>{"python3", "driver.py", "fair"}));
    EXPECT_EQ(fair.options, "{\"fair\":true}");
    EXPECT_EQ(fair.folder_name(), "fake");
    EXPECT_EQ(fair.installed, all[0].installed);
    EXPECT_EQ(fair.digest(), all[0].digest());
    EXPECT_EQ(all[0].library, "a fake");
    EXPECT_EQ(all[0].options, "{}");
}

TEST_F(LibraryTest, a_bad_variant_is_one_sentence) {
    const auto of = [&](const std::string& variants) {
        return complaint("\"options\"", "\"variants\": " + variants + ", \"options\"");
    };
    EXPECT_EQ(of("[]"), ":1: 'variants' is no object");
    EXPECT_EQ(of("{\"A\": {\"waits\": true}}"),
              ":1: the variant 'A': its name has more than small letters, digits and '-'");
    EXPECT_EQ(of("{\"a\": {}}"),
              ":1: the variant 'a' says nothing; right would be the keys that differ, as "
              "{\"run\": [...]}");
    EXPECT_EQ(of("{\"a\": {\"install\": []}}"),
              ":1: the variant 'a' has 'install', which a folder has once");
    EXPECT_NE(of("{\"a\": {\"colour\": 1}}").find("unknown key 'colour'"), std::string::npos);
}

TEST_F(LibraryTest, what_a_lock_grants_and_for_how_long_has_words) {
    EXPECT_TRUE(libraries()[0].expires);
    EXPECT_EQ(complaint("\"renews\": false",
                        "\"renews\": \"always\", \"grants\": \"a job\", \"timeouts\": \"scaled\", "
                        "\"stubs\": [\"its clock\"], \"cannot_run\": \"it needs a sun\""),
              "");
    const Library job = libraries().at(0);
    EXPECT_TRUE(job.renews);
    EXPECT_TRUE(job.always_renews);
    EXPECT_TRUE(job.grants_job);
    EXPECT_TRUE(job.scales_timeouts);
    EXPECT_EQ(job.stubs, std::vector<std::string>{"its clock"});
    EXPECT_EQ(job.cannot_run, "it needs a sun");
    EXPECT_EQ(complaint("\"renews\": false", "\"renews\": \"often\""),
              ":1: 'renews' is not true, false or \"always\"");
    EXPECT_EQ(complaint("\"renews\": false", "\"renews\": true, \"ttl\": \"none\""),
              ":1: 'renews' is not false, and 'ttl' is \"none\": what has no TTL is not renewed");
    EXPECT_EQ(complaint("\"renews\": false", "\"renews\": false, \"ttl\": \"none\""), "");
    EXPECT_FALSE(libraries()[0].expires);
}

TEST_F(LibraryTest, its_servers_may_be_others_than_redis) {
    EXPECT_TRUE(libraries().at(0).servers.empty());
    EXPECT_EQ(complaint("\"options\"", "\"servers\": [\"./driver\", \"servers\"], \"options\""),
              "");
    EXPECT_EQ(libraries().at(0).servers, (std::vector<std::string>{"./driver", "servers"}));
    EXPECT_EQ(complaint("\"options\"", "\"servers\": [], \"options\""),
              ":1: 'servers' is no list of words; right would be [\"node\", ...]");
}

TEST_F(LibraryTest, a_row_may_be_extended_by_hand) {
    EXPECT_FALSE(libraries()[0].extended_by_hand);
    EXPECT_FALSE(Subject(fake()).row().renews);
    EXPECT_EQ(complaint("\"extends\": true", "\"extends\": \"by hand\""), "");
    const Library by_hand = libraries().at(0);
    EXPECT_TRUE(by_hand.extends);
    EXPECT_TRUE(by_hand.extended_by_hand);
    const Subject subject(by_hand);
    EXPECT_TRUE(subject.row().renews) << "its jobs may take longer than its TTL";
    EXPECT_FALSE(subject.renews_by_itself());
    EXPECT_EQ(complaint("\"extends\": true", "\"extends\": \"seldom\""),
              ":1: 'extends' is not true, false or \"by hand\"");
    EXPECT_EQ(
        complaint("\"extends\": true", "\"extends\": \"by hand\", \"ttl\": \"none\""),
        ":1: 'extends' is \"by hand\", and 'ttl' is \"none\": what has no TTL is not extended");
    EXPECT_EQ(complaint("\"renews\": false,\n  \"extends\": true",
                        "\"renews\": true, \"extends\": \"by hand\""),
              ":1: 'extends' is \"by hand\", and 'renews' is not false: what renews by itself "
              "needs no caller who extends");
}

TEST_F(LibraryTest, shared_files_and_folders_belong_to_it) {
    fs::create_directories(folder_ / "drivers/shared");
    write_file(folder_ / "drivers/shared/loop.py", "");
    fs::create_directories(file("defects"));
    write_file(file("defects/late.py"), "");
    EXPECT_EQ(complaint("\"options\"", "\"shared\": [\"loop.py\"], \"options\""), "");
    const Library fake = libraries().at(0);
    std::vector<std::string> names;
    for (const Library::File& each : fake.files()) names.push_back(each.name);
    EXPECT_EQ(names, (std::vector<std::string>{"defects/late.py", "driver.py", "loop.py",
                                               "manifest.json"}));
    const std::string before = fake.digest();
    write_file(folder_ / "drivers/shared/loop.py", "another");
    EXPECT_NE(fake.digest(), before);
    EXPECT_NE(complaint("\"options\"", "\"shared\": [\"../loop.py\"], \"options\"")
                  .find("'shared' names '../loop.py'"),
              std::string::npos);
}

/// Version managers put scripts there, which start the program.
TEST_F(LibraryTest, a_program_that_is_a_script_is_named) {
    const fs::path shim = folder_ / "shim";
    write_file(shim, "#!/usr/bin/env bash\nexec true\n");
    fs::permissions(shim, fs::perms::owner_all);
    EXPECT_EQ(what_script("./shim", folder_),
              "'./shim' is " + (folder_ / "./shim").string() + ", a script for /usr/bin/env bash");
    EXPECT_EQ(what_script("sh"), "");
    EXPECT_EQ(what_script("no-such-program"), "");
}

TEST_F(LibraryTest, it_is_installed_as_long_as_its_folder_is_what_it_was) {
    const Library fake = libraries().at(0);
    fs::create_directories(fake.installed);
    fake.note_installed();
    EXPECT_TRUE(fake.is_installed());
    std::ofstream(fake.folder / "requirements.txt") << "another version";
    EXPECT_FALSE(fake.is_installed());
}

TEST_F(LibraryTest, what_was_changed_after_it_was_installed_is_not_what_is_pinned) {
    const Library fake = libraries().at(0);
    const auto put = [&](const std::string& name, const std::string& text) {
        fs::create_directories((fake.installed / name).parent_path());
        std::ofstream(fake.installed / name) << text;
    };
    put("lib/lock.py", "right");
    put("lib/__pycache__/lock.pyc", "right");
    fs::create_symlink("lib", fake.installed / "link");
    fake.note_installed();
    EXPECT_EQ(fake.why_not_installed(), "");
    const auto changed = [&](const std::string& name) {
        EXPECT_EQ(fake.why_not_installed(), "was changed after it was installed ('" + name + "')");
        EXPECT_FALSE(fake.is_installed());
        fake.note_installed();
        EXPECT_TRUE(fake.is_installed());
    };
    // Python runs it if its time and size are those of the source.
    put("lib/__pycache__/driver.pyc", "3.11" + std::string(4, '\0') + "planted");
    changed("lib/__pycache__/driver.pyc");
    put("lib/lock.py", "wrong");
    changed("lib/lock.py");
    put("lib/__pycache__/lock.pyc", "wrong");
    changed("lib/__pycache__/lock.pyc");
    put("redis.py", "comes before the library of this name");
    changed("redis.py");
    fs::remove(fake.installed / "lib/lock.py");
    changed("lib/lock.py");
    fs::remove(fake.installed / "link");
    fs::create_symlink("elsewhere", fake.installed / "link");
    changed("link");
}

/// Digests say nothing of what comes before the library that they are of.
TEST_F(LibraryTest, nothing_of_the_environment_takes_its_place) {
    EXPECT_EQ(fake().start().environment.count("PYTHONPATH"), 0U);
    setenv("PYTHONPATH", "/somewhere", 1);
    setenv("NODE_OPTIONS", "--require /somewhere/else.js", 1);
    const auto environment = fake().start().environment;
    unsetenv("PYTHONPATH");
    unsetenv("NODE_OPTIONS");
    const std::map<std::string, std::string> right{
        {"NODE_OPTIONS", ""}, {"PYTHONDONTWRITEBYTECODE", "1"}, {"PYTHONPATH", ""}};
    EXPECT_EQ(environment, right);
}

TEST_F(LibraryTest, a_program_that_is_not_there_is_missing) {
    EXPECT_EQ(complaint("\"program\": \"python3\", \"package\": \"python3\"",
                        "\"program\": \"no-such-program\", \"package\": \"nosuch\""),
              "");
    const Library fake = libraries().at(0);
    ASSERT_EQ(fake.missing().size(), 1U);
    EXPECT_EQ(fake.missing()[0].package, "nosuch");
}

TEST_F(LibraryTest, a_bad_manifest_is_one_sentence) {
    EXPECT_EQ(complaint("\"library\"", "library"), ": it is not JSON");
    EXPECT_EQ(complaint("\"a fake\"", "\"\""), ":1: 'library' is empty");
    EXPECT_EQ(complaint("\"version\"", "\"verison\""),
              ":1: the key 'version' is missing; is 'verison' meant?");
    EXPECT_NE(complaint("set_nx_lua", "set_nx_lau").find("did you mean 'set_nx_lua'?"),
              std::string::npos);
    EXPECT_EQ(complaint("\"least_ttl_ms\": 1", "\"least_ttl_ms\": 0"),
              ":1: 'least_ttl_ms' is 0; the least is 1");
    EXPECT_NE(complaint("\"waits\": false", "\"waits\": 0").find("not true or false"),
              std::string::npos);
    EXPECT_NE(complaint("\"one\"", "\"two\"").find("unknown nodes 'two'"), std::string::npos);
    EXPECT_EQ(complaint("\"options\": {}", "\"options\": []"), ":1: 'options' is no object");
    // 8 bytes more than the text itself.
    const auto long_options = [](std::size_t text) {
        return "\"options\": {\"x\": \"" + std::string(text, 'a') + "\"}";
    };
    EXPECT_EQ(complaint("\"options\": {}", long_options(31'992)), "");
    EXPECT_EQ(complaint("\"options\": {}", long_options(31'993)),
              ":1: 'options' has 32001 bytes; right would be at most 32000, as a driver is told "
              "them in one line");
    EXPECT_EQ(complaint("[\"python3\", \"driver.py\"]", "[]"),
              ":1: 'run' is no list of words; right would be [\"node\", ...]");
    EXPECT_NE(complaint("\"step\"", "\"stop\"").find("'step' is missing"), std::string::npos);
    EXPECT_NE(complaint("\"run\"", "\"colour\": 1, \"run\"").find("unknown key 'colour'"),
              std::string::npos);
}

/// A program would get the words only as far as that byte.
TEST_F(LibraryTest, no_word_of_a_program_has_a_nul_byte) {
    const auto sentence = [](const std::string& key, const std::string& word) {
        return ":1: '" + key + "' has a NUL byte in '" + word +
               "', and no name of a file and no argument of a program has one; right would be to "
               "leave it out";
    };
    EXPECT_EQ(complaint("\"driver.py\"]\n}", "\"driver.py\\u0000x\"]\n}"),
              sentence("run", "driver.py?x"));
    EXPECT_EQ(complaint("\"-m\"", "\"-m\\u0000\""), sentence("words", "-m?"));
    EXPECT_EQ(complaint("\"program\": \"python3\"", "\"program\": \"\\u0000\""),
              sentence("program", "?"));
    EXPECT_EQ(complaint("\"options\"", "\"shared\": [\"a\\u0000b\"], \"options\""),
              sentence("shared", "a?b"));
    // A key of Redis may have any byte.
    EXPECT_EQ(complaint("\"options\"", "\"key\": \"a\\u0000{key}\", \"options\""), "");
}

TEST_F(LibraryTest, a_manifest_that_no_parser_should_be_given_is_one_sentence) {
    const std::string deep = std::string(400'000, '[') + std::string(400'000, ']');
    EXPECT_EQ(complaint("\"options\": {}", "\"options\": {\"a\": " + deep + "}"),
              ":1: it is nested more than 16 deep");
    EXPECT_EQ(complaint("\"version\": \"1\"", "\"version\": \"1\", \"version\": \"2\""),
              ":1: the key 'version' is given twice; give it once");
    EXPECT_EQ(complaint("driver.py", "dr\xffver.py"), ": it is not UTF-8");
    write_file(file("manifest.json"), deep);
    EXPECT_EQ(libraries().at(0).trouble,
              file("manifest.json").string() + ":1: it is nested more than 16 deep");
}

TEST_F(LibraryTest, a_name_that_is_none_has_a_nearest) {
    const std::vector<Library> all = libraries();
    EXPECT_EQ(&require_library(all, "lib:fake"), &all[0]);
    EXPECT_EQ(&require_library(all, "fake"), &all[0]);
    try {
        require_library(all, "lib:fkae");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "unknown library 'fkae'. Known: fake");
    }
}

TEST(Libraries, those_of_this_checkout_are_as_they_should_be) {
    const fs::path source = source_dir();
    const auto all = read_libraries(source / "drivers", source / "build/libraries");
    EXPECT_GE(all.size(), 4U);
    for (const Library& library : all) {
        EXPECT_FALSE(library.install.empty()) << library.name;
        EXPECT_EQ(library.documentation.substr(0, 8), "https://") << library.name;
    }
}

/// The README of drivers has a row for each: its version, and what has the programs that it needs.
TEST(Libraries, those_of_this_checkout_are_in_the_requirements) {
    const fs::path source = source_dir();
    const std::string text = read_text(source / "drivers/README.md", 1'000'000, "README");
    for (const Library& library : read_libraries(source / "drivers", source)) {
        if (library.name != library.folder_name()) continue;
        const std::string begin = "| `" + library.name + "` " + library.version;
        const std::size_t at = text.find(begin);
        ASSERT_NE(at, std::string::npos) << "no row begins with " << begin;
        const std::string row = text.substr(at, text.find('\n', at) - at);
        for (const NeededProgram& program : library.needs) {
            EXPECT_NE(row.find(program.package), std::string::npos) << row;
        }
    }
}

}  // namespace
}  // namespace locklab::library_test
