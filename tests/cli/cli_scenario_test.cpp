// The verb `scenario` from outside: what it prints, the traces it leaves, and what it refuses.

#include "algorithms/registry.h"
#include "tests/cli/cli_run.h"
#include "tests/core/places.h"

namespace locklab::cli_scenario_test {
namespace {

namespace fs = std::filesystem;

const std::string kLate = "slow_holder_deletes_anothers_lock";
const fs::path kLibrary = fs::path(source_dir()) / "scenarios";

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(kLibrary)) {
        if (entry.path().extension() == ".yaml") all.push_back(entry.path().stem());
    }
    std::sort(all.begin(), all.end());
    return all;
}

void expect_has(const std::string& text, const Words& words) {
    for (const std::string& word : words) {
        EXPECT_NE(text.find(word), std::string::npos) << "no '" << word << "' in:\n" << text;
    }
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

class CliScenarioTest : public CliTest {
protected:
    Ran play(Words more) {
        more.insert(more.begin(), "scenario");
        return run(more);
    }
    /// What it prints, as it should be.
    std::string played(const Words& more) {
        const Ran ran = play(more);
        EXPECT_EQ(ran.code, 0) << ran.out;
        EXPECT_EQ(ran.err, "");
        return ran.out;
    }
    /// A copy of a file of the library with one word for another; a path as one types it.
    std::string copy(const std::string& name, const std::string& from, const std::string& to) {
        std::string text = content_of(kLibrary / (name + ".yaml"));
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        if (at != std::string::npos) text.replace(at, from.size(), to);
        put_file(here_ / "a copy.yaml", text);
        return "./a copy.yaml";
    }
};

TEST_F(CliScenarioTest, a_scenario_is_told_with_the_lock_that_it_breaks_and_the_one_that_mends_it) {
    const std::string text = played({kLate});
    expect_has(text, {"000, 002, 004: ", "set_nx_del: violated", "set_nx_lua", "A deletes the key",
                      "expected  A and B inside together", "observed  A and B inside together",
                      "why       The TTL", "fix       set_nx_lua"});
    EXPECT_EQ(count(text, "  as expected  "), 10U) << text;
    EXPECT_EQ(text, played({kLate})) << "the same bytes every time";
}

TEST_F(CliScenarioTest, one_lock_is_told_alone) {
    const std::string text = played({kLate, "--algorithm", "setnx_del"});
    expect_has(text, {"setnx_del: holds", "expected  nothing goes wrong"});
    EXPECT_EQ(text.find("set_nx_del"), std::string::npos);
    // Of this one the file says nothing.
    const std::string silent = played({kLate, "--algorithm", "no_lock"});
    expect_has(silent, {"no_lock: violated", "observed  A and B inside together"});
    EXPECT_EQ(silent.find("expected  "), std::string::npos);
}

TEST_F(CliScenarioTest, all_are_told_in_a_line_each_and_a_matrix) {
    const std::string text = "\n" + played({"all"});
    for (const std::string& name : names()) {
        EXPECT_EQ(count(text, "\nok      " + name + " "), 1U) << name;
        EXPECT_EQ(count(text, "\n" + name + " "), 1U) << name << ": its row of the matrix";
    }
    for (const Algorithm& algorithm : algorithms()) expect_has(text, {std::string(algorithm.name)});
    EXPECT_EQ(count(text, "NOT OK"), 0U);
}

TEST_F(CliScenarioTest, json_has_one_object_for_each_play) {
    for (const std::string& which : {kLate, std::string("all")}) {
        const Json json = parsed(played({which, "--json"}));
        EXPECT_EQ(json.size(), 1U);
        std::set<std::string> seen;
        for (const Json& play : json.at("scenarios")) {
            const Words keys{"scenario", "algorithm", "world", "expected",
                             "observed", "ok",        "trace"};
            auto key = play.begin();
            for (const std::string& wanted : keys) EXPECT_EQ((key++).key(), wanted);
            EXPECT_EQ(play.at("world"), "sim");
            EXPECT_EQ(play.at("expected"), play.at("observed"));
            EXPECT_EQ(play.at("ok"), true);
            EXPECT_TRUE(play.at("trace").is_null());
            seen.insert(play.at("scenario"));
        }
        EXPECT_EQ(seen.size(), which == "all" ? names().size() : 1U);
    }
    const Json silent = parsed(played({kLate, "--algorithm", "no_lock", "--json"}));
    EXPECT_TRUE(silent.at("scenarios").at(0).at("expected").is_null());
    EXPECT_EQ(parsed(played({kLate, "--repeat", "3", "--json"})).at("scenarios").size(), 30U);
}

TEST_F(CliScenarioTest, pictures_are_all_that_is_printed) {
    // Of each, picture_test sees that it is drawn.
    const std::vector<std::string> all = names();
    for (std::size_t i = 0; i < all.size(); i += 9) {
        const std::string& name = all[i];
        EXPECT_TRUE(played({name, "--mermaid"}).starts_with("sequenceDiagram\n")) << name;
        const std::string svg = played({name, "--svg"});
        EXPECT_TRUE(svg.starts_with("<svg ")) << name;
        put_file(here_ / (name + ".svg"), svg);
    }
    const Ran ran = paste(
        "python3 -c 'import sys, xml.dom.minidom as xml; "
        "[xml.parse(file) for file in sys.argv[1:]]' *.svg");
    EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(CliScenarioTest, what_is_not_known_is_refused_with_the_nearest) {
    expect_refused({"scenario", "slow_holder_delete"}, {"'slow_holder_delete'", kLate});
    expect_refused({"scenario", "no_waitin"}, {"'no_waitin'", "did you mean 'no_waiting'"});
    expect_refused({"scenario", "../scenarios/no_waiting"}, {"'../scenarios/no_waiting'"});
    expect_refused({"scenario", ""}, {"scenario ''"});
    expect_refused({"scenario", kLate, "--algorithm", "set_nx_dell"},
                   {"'set_nx_dell'", "'set_nx_del'"});
    expect_refused({"scenario", kLate, "--world", "liv"}, {"'liv'", "'live'"});
    expect_refused({"scenario", kLate, "--mermaidd"}, {"'--mermaidd'", "'--mermaid'"});
    expect_refused({"scenario"}, {"locklab scenario NAME", "all"});
    expect_refused({"scenario", "a", "b"}, {"'b'"});
}

TEST_F(CliScenarioTest, what_means_nothing_together_is_refused) {
    expect_refused({"scenario", "all", "--svg"}, {"picture", "one play"});
    expect_refused({"scenario", "all", "--mermaid"}, {"picture", "one play"});
    expect_refused({"scenario", kLate, "--table"}, {"--table", "all"});
    expect_refused({"scenario", kLate, "--svg", "--json"}, {"--svg", "--json", "stdout"});
    expect_refused({"scenario", kLate, "--svg", "--mermaid"}, {"--svg", "--mermaid"});
    expect_refused({"scenario", kLate, "--svg", "--repeat", "2"}, {"--svg", "--repeat"});
    expect_refused({"scenario", kLate, "--redis", "127.0.0.1:1"}, {"--redis", "--world live"});
    for (const char* count : {"0", "-1", "x", "1000001"}) {
        expect_refused({"scenario", kLate, "--repeat", count}, {"--repeat", count, "from 1 to"});
    }
    expect_refused({"scenario", kLate, "--world", "live", "--ttl", "0s"}, {"--ttl", "'0s'"});
    expect_refused({"scenario", kLate, "--world", "live", "--ttl", "99ms"}, {"99ms", "100ms"});
    expect_refused({"scenario", "old_snapshot", "--world", "live", "--redis", "127.0.0.1:1"},
                   {"'old_snapshot'", "--redis"});
}

TEST_F(CliScenarioTest, a_bad_file_is_refused_with_line_column_and_word) {
    const auto refused = [&](const std::string& from, const std::string& to, const Words& words) {
        const std::string file = copy(kLate, from, to);
        SCOPED_TRACE(to);
        expect_refused({"scenario", file}, words);
    };
    refused("B tries", "B tris", {"./a copy.yaml:11:7: ", "'tris'", "'tries'"});
    refused("14s pass", "14 pass", {":10:5: ", "'14'", "10s"});
    refused("ttl:", "tll:", {":6:1: ", "'tll'", "'ttl'"});
    refused("setnx_expire:", "setnx_expired:", {":19:15: ", "'setnx_expired'", "'setnx_expire'"});
    refused("A+B, B+C", "A+B, B+D", {":20:", "'D'", "Known: A, B, C"});
    refused("title", "{title", {"./a copy.yaml:"});
    expect_refused({"scenario", "./none.yaml"}, {"none.yaml"});
    fs::create_directory(here_ / "folder.yaml");
    expect_refused({"scenario", "folder.yaml"}, {"folder.yaml"});
    put_file(here_ / "empty.yaml", "");
    expect_refused({"scenario", "empty.yaml"}, {"empty.yaml:1:1: ", "empty"});
    // A library that is none.
    options_.environment["LOCKLAB_HOME"] = here_;
    expect_refused({"scenario", "all"}, {"scenarios", "cannot be read"});
    expect_refused({"scenario", kLate}, {"there are no scenarios in"});
}

TEST_F(CliScenarioTest, ones_own_file_is_played_like_those_of_the_library) {
    const std::string file = copy(kLate, "", "");
    std::string text = played({file});
    EXPECT_EQ(text.rfind("a copy, set_nx_del, sim\n", 0), 0U) << text;
    text.replace(0, 6, kLate);
    const std::string library = played({kLate});
    EXPECT_EQ(text.substr(0, 2000), library.substr(0, 2000));
}

TEST_F(CliScenarioTest, a_play_that_is_not_as_expected_is_told_and_played_again) {
    struct Flip {
        std::string scenario, from, to, seen;
    };
    const std::vector<Flip> all{
        {kLate, "[A+B, B+C]", "[A+B]", "set_nx_del"},
        {kLate, "[B by A, C by B]", "[B by A]", "set_nx_del"},
        {"crash_leaves_the_lock", "B: for_ever", "B: until_ttl", "setnx_del"},
        {"crash_leaves_the_lock", "B: until_ttl", "B: for_ever", "set_nx_lua"},
        {"no_waiting", "kept_out: [B]", "kept_out: [C]", "watchdog_owned"},
        {"loser_moves_the_deadline", "[B by C]", "[A by C]", "setnx_getset_objects"},
        {"stale_holder_writes", "lost_updates: [", "extended: [A by B]\n    lost_updates: [", ""},
    };
    for (const Flip& flip : all) {
        SCOPED_TRACE(flip.scenario + ": " + flip.to);
        const std::string file = copy(flip.scenario, flip.from, flip.to);
        const Ran ran = play({file});
        EXPECT_EQ(ran.code, 1);
        EXPECT_EQ(ran.err, "");
        expect_has(ran.out, {"NOT AS EXPECTED    " + flip.seen});
        // The command that is printed shows the same again.
        const std::size_t at = ran.out.find("replay    ");
        ASSERT_NE(at, std::string::npos) << ran.out;
        const std::string command = ran.out.substr(at + 10, ran.out.find('\n', at) - at - 10);
        expect_has(command, {"'a copy.yaml' --algorithm "});
        EXPECT_EQ(paste(command).code, 1) << command;
        const Ran again = play({file, "--json"});
        EXPECT_EQ(again.code, 1);
        const Json json = parsed(again.out);
        std::size_t wrong = 0;
        for (const Json& row : json.at("scenarios")) wrong += row.at("ok") == false;
        EXPECT_GT(wrong, 0U);
    }
}

TEST_F(CliScenarioTest, a_trace_is_played_again_to_the_byte) {
    const Json json = parsed(played({kLate, "--traces", "some traces", "--json"}));
    std::size_t violated = 0;
    for (const Json& play : json.at("scenarios")) {
        const std::string trace = play.at("trace");
        EXPECT_EQ(trace,
                  "some traces/" + kLate + "." + play.at("algorithm").get<std::string>() + ".json");
        const Ran first = run({"replay", trace, "--history", "-"});
        const bool broken = play.at("verdict") == "violated";
        EXPECT_EQ(first.code, broken ? 1 : 0) << first.err;
        EXPECT_EQ(first.err, "");
        EXPECT_NE(first.out, "");
        EXPECT_EQ(run({"replay", trace, "--history", "-"}).out, first.out);
        violated += broken;
        // The history is judged like anybody's.
        put_file(here_ / "history.jsonl", first.out);
        EXPECT_EQ(run({"check", "history.jsonl"}).code, broken ? 1 : 0);
    }
    EXPECT_EQ(violated, 6U);
    const Ran told = run({"replay", "some traces/" + kLate + ".set_nx_del.json"});
    EXPECT_EQ(told.code, 1);
    expect_has(told.out, {kLate + ", set_nx_del", "A deletes the key of B", "violated: "});
}

TEST_F(CliScenarioTest, a_trace_plays_what_it_was_made_of_even_if_the_library_has_changed) {
    const std::string file = copy(kLate, "14s pass", "15s pass");
    played({file, "--traces", "."});
    fs::remove(here_ / "a copy.yaml");
    const Ran ran = run({"replay", "a copy.set_nx_del.json"});
    EXPECT_EQ(ran.code, 1);
    expect_has(ran.out, {"15.000"});
}

TEST_F(CliScenarioTest, a_trace_that_is_none_is_refused) {
    played({kLate, "--traces", ".", "--algorithm", "set_nx_del"});
    const fs::path file = here_ / (kLate + ".set_nx_del.json");
    const std::string text = content_of(file);
    const auto refused = [&](const std::string& from, const std::string& to, const Words& words) {
        std::string other = text;
        const std::size_t at = other.find(from);
        ASSERT_NE(at, std::string::npos);
        put_file(file, other.replace(at, from.size(), to));
        expect_refused({"replay", file}, words);
    };
    refused("set_nx_del\"", "set_nx_dell\"", {"'set_nx_dell'", "'set_nx_del'"});
    refused("A acquires", "A aquires", {"'aquires'", "'acquires'", "9:7"});
    refused("\"version\":1", "\"version\":2", {"version"});
    refused("\"yaml\"", "\"yml\"", {"yaml"});
}

TEST_F(CliScenarioTest, traces_that_cannot_be_written_are_refused_before_anything_is_played) {
    put_file(here_ / "file", "");
    expect_refused({"scenario", kLate, "--traces", "file/folder"}, {"file/folder", "--traces"});
    expect_refused({"scenario", kLate, "--traces", ""}, {"--traces", "empty"});
}

TEST_F(CliScenarioTest, list_names_every_scenario) {
    const std::string text = run({"list", "scenarios"}).out;
    const Json rows = parsed(run({"list", "--json"}).out).at("scenarios");
    const std::vector<std::string> all = names();
    ASSERT_EQ(rows.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(rows[i].at("name"), all[i]);
        EXPECT_NE(rows[i].at("title"), "");
        EXPECT_NE(rows[i].at("hits"), "");
        EXPECT_EQ(count(text, "\n  " + all[i] + " "), 1U) << all[i];
    }
}

}  // namespace
}  // namespace locklab::cli_scenario_test
