// What is said of scenario files that are not as they should be, word by word.
#include <gtest/gtest.h>

#include "harness/stage/scenario_reader.h"

namespace locklab::scenario_errors_test {
namespace {

const std::vector<std::string_view> kAlgorithms{"set_nx_del", "set_nx_lua", "watchdog_owned"};

constexpr std::string_view kLeast = R"(title: A race
source: "000"
hits: any
ttl: 10s
cast: [A, B]
script:
  - A acquires
expect:
  set_nx_del:
    why: It holds
)";

/// What the reader says of this text; nothing if it is good.
std::string complaint(std::string_view text) {
    try {
        read_scenario(text, "f.yaml", kAlgorithms);
        return "";
    } catch (const ScenarioError& error) {
        return error.what();
    }
}

struct Bad {
    std::string_view part;  ///< of the file above
    std::string_view by;    ///< what it is replaced by
    std::string complaint;  ///< without the file's name
};

std::string replaced(std::string_view part, std::string_view by) {
    std::string text(kLeast);
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), by);
}

void expect_complaints(const std::vector<Bad>& all) {
    for (const Bad& bad : all) {
        EXPECT_EQ(complaint(replaced(bad.part, bad.by)), "f.yaml:" + bad.complaint) << bad.by;
    }
}

const std::string kKeys =
    "Known: title, source, says, means, verdict_on_source, hits, ttl, retry, timeout, locks, "
    "job_limit, "
    "topology, cast, sim_only, script, expect";
const std::string kVerbs =
    "Known: tries, acquires, waits, gives, takes, writes, releases, runs, pauses, resumes, "
    "crashes, is, reaches, learns";

TEST(ScenarioErrors, accepts_what_is_whole) {
    EXPECT_EQ(complaint(kLeast), "");
    EXPECT_EQ(complaint("\xEF\xBB\xBF" + std::string(kLeast)), "");
    EXPECT_EQ(complaint(replaced("title: A race\n", "title: A race\r\n")), "");
    EXPECT_EQ(complaint(replaced("why: It holds", "{why: x, kept_out: []}").replace(0, 0, "---\n")),
              "");
}

TEST(ScenarioErrors, refuses_keys) {
    const std::string duration = ", not a duration above nought; right would be like 10s or 250ms";
    expect_complaints({
        {"title:", "titel:", "1:1: unknown key 'titel'; did you mean 'title'? " + kKeys},
        {"expect:", "Expect:", "8:1: unknown key 'Expect'; did you mean 'expect'? " + kKeys},
        {"title: A race\n", "", "1:1: the scenario lacks the key 'title'"},
        {"ttl: 10s", "ttl: 10s\nttl: 5s", "5:1: the key 'ttl' is in line 4 already; give it once"},
        {"10s", "", "4:1: there is nothing after 'ttl'; give it a value, or leave it out"},
        {"A race", "~", "1:1: there is nothing after 'title'; give it a value, or leave it out"},
        {"A race", "''", "1:8: 'title' is empty; right would be a text"},
        {"\"000\"", "[0]", "2:9: 'source' is a list; right would be a text"},
        {"10s", "10", "4:6: 'ttl' is '10'" + duration},
        {"10s", "0s", "4:6: 'ttl' is '0s'" + duration},
        {"10s", "10s\nretry: -1s", "5:8: 'retry' is '-1s'" + duration},
        {"title: A race", "? [a]\n: b",
         "1:3: a key of the scenario is a list; right would be a word"},
    });
}

TEST(ScenarioErrors, refuses_a_cast) {
    const std::string list = "; right would be a list of clients like [A, B]";
    const std::string letter = " is no name for a client; right would be one capital letter";
    expect_complaints({
        {"[A, B]", "[]", "5:7: 'cast' is empty" + list},
        {"[A, B]", "A", "5:7: 'cast' is the text 'A'" + list},
        {"[A, B]", "[A, A]", "5:11: 'A' is in the cast already; name each client once"},
        {"[A, B]", "[A, b]", "5:11: 'b'" + letter},
        {"[A, B]", "[A, AB: {}]", "5:11: 'AB'" + letter},
        {"[A, B]", "[A, B, C, D, E, F, G, H, I]",
         "5:32: the cast has more than 8 clients; right would be fewer"},
        {"[A, B]", "[A, [B]]",
         "5:11: an entry of the cast is a list; right would be a capital letter, or a map like "
         "B: {clock: +3s, job: 12s}"},
        {"[A, B]", "[A, {B: {}, C: {}}]",
         "5:11: an entry of the cast has 2 keys; right would be one, the client's name"},
        {"[A, B]", "[A, B: 5]",
         "5:14: 'B' is the text '5'; right would be a map like {clock: +3s, job: 12s}"},
        {"[A, B]", "[A, B: {clok: +3s}]",
         "5:15: unknown key 'clok'; did you mean 'clock'? Known: clock, job, ttl, renewal, habit"},
        {"[A, B]", "[A, B: {clock: 3s}]",
         "5:22: 'clock' is '3s', not a time with its sign; right would be like +3s or -3s"},
        {"[A, B]", "[A, B: {job: 0s}]",
         "5:20: 'job' is '0s', not a duration above nought; right would be like 10s or 250ms"},
        {"[A, B]", "[A, B: {habit: always_release}]",
         "5:22: unknown habit 'always_release'; did you mean 'always_releases'? Known: "
         "always_releases"},
    });
}

TEST(ScenarioErrors, refuses_a_script) {
    const std::string unknown = "unknown word 'aquires'; did you mean 'acquires'? " + kVerbs;
    const std::string sentence = "; right would be a sentence like 'A acquires'";
    const std::string list = "; right would be a list of sentences like 'A acquires'";
    expect_complaints({
        {"A acquires", "A aquires", "7:7: " + unknown},
        {"A acquires", "'A aquires'", "7:8: " + unknown},
        {"A acquires", "\"A  aquires\"", "7:9: " + unknown},
        {"A acquires", "\"A \\x61quires\"", "7:5: " + unknown},
        {"A acquires", "A\n    aquires", "7:5: " + unknown},
        {"A acquires", "|\n    A aquires", "7:5: " + unknown},
        {"A acquires", "Ä acquires",
         "7:5: unknown word '\?\?'. Known: A, B, the, DURATION, Redis, Redis', an"},
        {"A acquires", "A acquires ü ",
         "7:16: the sentence is whole before '\?\?'; right would be "
         "to end it after 'acquires'"},
        {"A acquires", "[A]", "7:5: a line of the script is a list" + sentence},
        {"A acquires", "A acquires: B", "7:5: a line of the script is a map" + sentence},
        {"A acquires", "", "7:3: a line of the script is nothing" + sentence},
        {"\n  - A acquires", " []", "6:9: 'script' is empty" + list},
        {"\n  - A acquires", " A acquires", "6:9: 'script' is the text 'A acquires'" + list},
        {"A acquires", "A crashes\n  - B tries\n  - A tries",
         "9:5: A crashed in line 7 and can do no more"},
        {"A acquires", "A's DEL arrives",
         "7:9: no DEL of A is delayed here; right would be 'A's next DEL is delayed' first"},
    });
}

TEST(ScenarioErrors, refuses_names_of_algorithms) {
    const std::string known = "Known: set_nx_del, set_nx_lua, watchdog_owned";
    const std::string map = "; right would be a map from names of algorithms to what they do";
    expect_complaints({
        {"set_nx_del", "set_nx_dell",
         "9:3: unknown algorithm 'set_nx_dell'; did you mean 'set_nx_del'? " + known},
        {"set_nx_del", "set_nx_del,, set_nx_lua", "9:14: unknown algorithm ''. " + known},
        {"set_nx_del", "set_nx_lua, set_nx_del, set_nx_lua",
         "9:27: what is expected of 'set_nx_lua' is in line 9 already; say it once"},
        {"  set_nx_del", "  set_nx_lua: {why: x}\n  set_nx_del , set_nx_lua",
         "10:16: what is expected of 'set_nx_lua' is in line 9 already; say it once"},
        {"  set_nx_del", "  set_nx_del: {why: x}\n  set_nx_del",
         "10:3: the key 'set_nx_del' is in line 9 already; give it once"},
        {"\n  set_nx_del:\n    why: It holds", " {}", "8:9: 'expect' is empty" + map},
        {"\n  set_nx_del:\n    why: It holds", " [a]", "8:9: 'expect' is a list" + map},
        {"\n    why: It holds", " yes",
         "9:15: 'set_nx_del' is the text 'yes'; right would be a map with a 'why'"},
    });
}

TEST(ScenarioErrors, refuses_expectations) {
    const std::string_view why = "why: It holds";
    const std::string two = " does not name two clients; right would be like ";
    expect_complaints({
        {why, "fix: x\n    kept_out: [A]", "9:3: 'set_nx_del' lacks the key 'why'"},
        {why, "why: x\n    kept_out: [A]",
         "9:3: 'set_nx_del' lacks the key 'fix', and something goes wrong; right would be one "
         "sentence on what prevents it"},
        {why, "{why: x, fix: y, kept_out: []}",
         "10:14: there is a 'fix' where nothing goes wrong; leave it out, or say what does"},
        {why, "inside_togther: [A+B]",
         "10:5: unknown key 'inside_togther'; did you mean 'inside_together'? Known: "
         "inside_together, stuck, kept_out, failed, deleted, extended, lost_updates, why, fix"},
        {why, "inside_together: [A+C]", "10:25: unknown client 'C'. Known: A, B"},
        {why, "inside_together: [AB]", "10:23: 'AB'" + two + "A+B"},
        {why, "inside_together: [A+B, A+B]",
         "10:28: 'A+B' is in 'inside_together' already; give it once"},
        {why, "deleted: [B from A]", "10:15: 'B from A'" + two + "A by B"},
        {why, "extended: [B by c]", "10:21: unknown client 'c'. Known: A, B"},
        {why, "lost_updates: [[A]]",
         "10:20: an entry of 'lost_updates' is a list; right would be like A by B"},
        {why, "kept_out: A", "10:15: 'kept_out' is the text 'A'; right would be a list like [A]"},
        {why, "kept_out: [D]", "10:16: unknown client 'D'. Known: A, B"},
        {why, "stuck: [A]", "10:12: 'stuck' is a list; right would be a map like {A: for_ever}"},
        {why, "stuck: {A: forever}",
         "10:16: unknown kind of stuck 'forever'; did you mean 'for_ever'? Known: until_ttl, "
         "for_ever"},
        {why, "{stuck: {A: for_ever}, kept_out: [A]}",
         "10:28: A is stuck, and so not kept out too; right would be one of both"},
    });
}

TEST(ScenarioErrors, refuses_what_is_not_yaml) {
    const std::string alike =
        "(end of map not found); what belongs together is indented alike, and each key ends with "
        "': '";
    expect_complaints({
        {"A race", "A race: again",
         "1:14: it is not YAML at ':' (illegal map value); a text that has ': ' in it stands in "
         "quotes"},
        {"A race", "\"锁过期\" x", "1:14: it is not YAML at 'x' " + alike},
        {"A race", "[A race",
         "2:7: it is not YAML at ':' (end of sequence flow not found); what [ or { opens is closed "
         "by ] or }, with commas between"},
        {"A race", "@race",
         "1:8: it is not YAML at '@race' (unknown token); a text that begins with this character "
         "stands in quotes"},
        {"- A acquires", "- A acquires\n - B acquires", "8:2: it is not YAML at '-' " + alike},
        {"A race", "*a",
         "1:8: it is not YAML at '*a' (the referenced anchor is not defined); texts that begin "
         "with "
         "* or & stand in quotes"},
        {"A race", "\"\\é\"",
         "1:10: it is not YAML at '?\"' (unknown escape character: ?); a text with a backslash "
         "stands in single quotes"},
        {"A race", "&a A race", "1:8: an anchor stands here; right would be to leave it out"},
        {"A race", "!!str A race",
         "1:8: the tag 'tag:yaml.org,2002:str' stands here; right would be to leave it out"},
        {"A race", "A \x1b race",
         "1:10: the byte 0x1b is not text; a scenario is UTF-8 without controls"},
        {"A race", "caf\xe9",
         "1:11: the byte 0xe9 is not text; a scenario is UTF-8 without controls"},
        {"A race\n", "A race\n---\n",
         "2:1: a second document begins; right would be one for each "
         "file"},
    });
}

TEST(ScenarioErrors, refuses_what_is_no_scenario_at_all) {
    const std::string map = "; right would be a map that begins with 'title: '";
    const std::string deep = "it is nested more than 8 deep here; no scenario needs that";
    EXPECT_EQ(complaint(""), "f.yaml:1:1: the file is empty" + map);
    EXPECT_EQ(complaint("# nothing\n"), "f.yaml:1:1: the file is empty" + map);
    EXPECT_EQ(complaint("- a\n"), "f.yaml:1:1: the scenario is a list" + map);
    EXPECT_EQ(complaint("a"), "f.yaml:1:1: the scenario is the text 'a'" + map);
    EXPECT_EQ(complaint(std::string("a\0b", 3)),
              "f.yaml:1:2: the byte 0x00 is not text; a scenario is UTF-8 without controls");
    EXPECT_EQ(complaint("a: " + std::string(99, '[') + std::string(99, ']')),
              "f.yaml:1:11: " + deep);
    EXPECT_EQ(complaint(std::string(900'000, '-').insert(0, "- - - - - - - - - ")),
              "f.yaml:1:17: " + deep);
    EXPECT_EQ(complaint(std::string(1'000'001, '#')),
              "f.yaml:1:1: it has more than 1000000 bytes; right would be a scenario that people "
              "can read");
}

}  // namespace
}  // namespace locklab::scenario_errors_test
