// Files that a user hands over: traces and histories, whole, foreign, edited and broken.

#include "tests/check/history_cases.h"
#include "tests/cli/cli_run.h"

namespace locklab::cli_input_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCalm = R"({"t_us":10,"client":0,"event":"granted"}
{"t_us":20,"client":0,"event":"leaving"}
{"t_us":30,"client":1,"event":"granted"}
{"t_us":40,"client":1,"event":"released"}
)";
constexpr const char* kOverlap = R"({"t_us":10,"client":0,"event":"granted"}
{"t_us":20,"client":1,"event":"granted"}
{"t_us":30,"client":0,"event":"leaving"}
{"t_us":40,"client":1,"event":"leaving"}
)";
constexpr const char* kStuck = R"({"format":"locklab-history","version":1,"patience_us":100}
{"t_us":10,"client":0,"event":"granted"}
{"t_us":20,"client":0,"event":"fault","hazard":"crash"}
{"t_us":30,"client":1,"event":"wants"}
{"event":"end","t_us":500}
)";

class CliInputTest : public CliTest {
protected:
    /// A trace of a short run, as the program writes it.
    Json trace() {
        const Ran ran = run({"campaign", "setnx_expire", "--faults", "pause=1", "--grants", "200",
                             "--grants-per-run", "10", "--traces", "found"});
        EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
        for (const auto& file : fs::directory_iterator(here_ / "found")) {
            text_ = content_of(file.path());
        }
        return parsed(text_);
    }
    void expect_refused_trace(const std::string& text, const Words& words) {
        SCOPED_TRACE(text.substr(0, 600));
        put_file(here_ / "a trace", text);
        Words named{"a trace:1: "};
        named.insert(named.end(), words.begin(), words.end());
        expect_refused({"replay", "a trace", "--history", "out"}, named);
    }
    void expect_verdict(const char* history, int code, const std::string& verdict) {
        put_file(here_ / "a history", history);
        const Ran text = run({"check", "a history"});
        EXPECT_EQ(text.code, code) << text.err;
        EXPECT_EQ(text.out.rfind(verdict + ": ", 0), 0U) << text.out;
        const Ran json = run({"check", "a history", "--json"});
        EXPECT_EQ(json.code, code);
        EXPECT_EQ(parsed(json.out).at("verdict"), verdict);
        options_.input = history;
        const Ran piped = run({"check", "-", "--json"});
        EXPECT_EQ(piped.code, code);
        EXPECT_EQ(piped.out, json.out);
        options_.input.clear();
    }

    std::string text_;
};

/// A history in which a command was this script.
std::string history_of_script(const std::string& lua) {
    const Json command{"EVAL", lua, "1", "k"};
    return R"({"format": "locklab-history", "version": 1, "patience_us": 60000000, "key": "k"}
{"t_us": 0, "client": 0, "event": "wants"}
{"t_us": 10, "client": 0, "event": "executed", "sent_us": 4, "reply": 1, "command": )" +
           command.dump() + R"(}
{"t_us": 900, "client": 0, "event": "granted", "lease_us": 30000000}
{"event": "end", "t_us": 1000}
)";
}

/// Else all is counted, and then no JSON can say where it is.
TEST_F(CliInputTest, names_that_are_no_utf8_are_refused_before_the_work) {
    const Words campaign{"campaign", "setnx_expire", "--faults",
                         "pause=1",  "--grants",     "999999999"};
    for (const char* option : {"--traces=\xff", "--traces=a\xc0\x80"}) {
        Words words = campaign;
        words.emplace_back(option);
        expect_refused(words, {"is no UTF-8; right would be", "'--traces="});
    }
    expect_refused({"check", "\xff"}, {"'\\xff' is no UTF-8"});
    const Ran ran = run({"campaign", "setnx_expire", "--grants", "100", "--traces", "\xc3\xa4"});
    EXPECT_NE(ran.code, 64) << ran.err;
}

TEST_F(CliInputTest, check_does_not_run_a_script_without_end) {
    put_file(here_ / "h", history_of_script("while true do end"));
    expect_refused({"check", "h"}, {"h:3: scripts of more than 50,000,000 instructions"});
    put_file(here_ / "h", history_of_script("return string.rep('x', 1e9)"));
    expect_refused({"check", "h"}, {"h:3: scripts that hold more than 64 MB"});
}

/// Lua 5.1 tries a pattern by recursion, and its stack has an end; Redis itself dies of this one.
TEST_F(CliInputTest, check_outlives_a_script_that_crashes_lua) {
    const char* const lua = "return string.find(string.rep('a', 900000), string.rep('a?', 900000))";
    put_file(here_ / "h", history_of_script(lua));
    const Ran ran = run({"check", "h"});
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err.rfind("locklab: h:3: judging it ", 0), 0U) << ran.err;
    EXPECT_NE(ran.code, 0);
}

TEST_F(CliInputTest, check_runs_no_bytecode) {
    put_file(here_ / "h", history_of_script("return loadstring(string.dump(function() end))()"));
    const Ran ran = run({"check", "h"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("1 command of which the replies do not tell"), std::string::npos);
}

/// Its words clear a terminal, set its title, and turn the direction of writing.
constexpr const char* kOdd = R"(x \u001b[2J\u001b]0;mine\u0007\u009b\u007f \u202e y)";

void expect_obeyed_by_nobody(const Ran& ran) {
    for (const std::string& text : {ran.out, ran.err}) {
        EXPECT_EQ(text.find_first_of("\x1b\x07\r\b"), std::string::npos) << text;
        EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos) << text;
        EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos) << text;
    }
}

std::string with_odd_words(std::string text) {
    for (std::size_t at = 0; (at = text.find("ODD", at)) != std::string::npos;) {
        text.replace(at, 3, kOdd);
    }
    return text;
}

TEST_F(CliInputTest, no_word_of_a_scenario_is_obeyed_by_a_terminal) {
    put_file(here_ / "odd.yaml", with_odd_words(R"(title: "ODD"
source: "ODD"
hits: "ODD"
says: "ODD"
means: "ODD"
verdict_on_source: "ODD"
ttl: 10s
cast: [A, B]
script: [A acquires, A crashes, B acquires, B releases]
expect: {set_nx_lua: {stuck: {B: until_ttl}, why: "ODD", fix: "ODD"}}
)"));
    for (const Words& more : {Words{}, Words{"--algorithm", "set_nx_lua"}, Words{"--json"}}) {
        Words words{"scenario", "odd.yaml"};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run(words);
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_NE(ran.out.find("[2J"), std::string::npos) << ran.out;
        expect_obeyed_by_nobody(ran);
        if (more == Words{"--json"}) {
            EXPECT_TRUE(parsed(ran.out).is_object());
        }
    }
}

TEST_F(CliInputTest, no_word_of_any_file_is_obeyed_by_a_terminal) {
    put_file(here_ / "rules.yaml",
             with_odd_words("links:\n  - {client: \"ODD\", node: \"ODD\"}\n"));
    expect_obeyed_by_nobody(run({"proxy", "--rules", "rules.yaml"}));
    put_file(here_ / "odd.yaml", with_odd_words("title: \"ODD\"\n\"ODD\": 1\n"));
    expect_obeyed_by_nobody(run({"scenario", "odd.yaml"}));
    put_file(here_ / "h", with_odd_words(R"({"format":"locklab-history","version":1,"key":"ODD",)"
                                         R"("algorithm":"ODD","world":"ODD","not_modelled":"ODD"})"
                                         "\n"
                                         R"({"event":"end","t_us":1})"
                                         "\n"));
    expect_obeyed_by_nobody(run({"check", "h"}));
    put_file(here_ / "t", with_odd_words(R"({"format":"ODD","ODD":"ODD"})"));
    expect_obeyed_by_nobody(run({"replay", "t"}));
    for (const char* const verb : {"explore", "scenario", "campaign", "check", "replay", "bench"}) {
        expect_obeyed_by_nobody(run({verb, "x\x1b[2J\xE2\x80\xAE"}));
    }
}

TEST_F(CliInputTest, a_closed_stdout_is_said_at_once) {
    const std::string command = "'" + built_program() + "' list >&-";
    options_.out = here_ / "out";
    options_.err = here_ / "err";
    Process process("sh", {"-c", command}, options_);
    expect_sentence(process.wait(), 2, {"stdout is closed"});
}

/// A tenth of the histories that the checkers are tested on.
TEST_F(CliInputTest, check_finds_what_is_said_of_a_history) {
    const std::map<std::string, int> codes{
        {"holds", 0}, {"violated", 1}, {"stuck", 1}, {"unknown", 2}};
    const std::vector<HistoryCase> cases = history_cases();
    ASSERT_GT(cases.size(), 100U);
    for (std::size_t i = 0; i < cases.size(); i += 10) {
        SCOPED_TRACE(cases[i].name);
        put_file(here_ / "a history", cases[i].text);
        const Ran ran = run({"check", "a history", "--json"});
        const nlohmann::json found = parsed(ran.out);
        EXPECT_EQ(ran.code, codes.at(cases[i].says["verdict"]));
        for (const auto& [key, value] : cases[i].says.items()) {
            if (!found.contains(key)) continue;
            EXPECT_EQ(named_of(found[key], value), value) << key;
        }
    }
}

TEST_F(CliInputTest, foreign_histories_are_judged) {
    expect_verdict(kCalm, 0, "holds");
    expect_verdict(kOverlap, 1, "violated");
    expect_verdict(kStuck, 1, "stuck");
    expect_verdict(R"({"t_us":10,"client":0,"event":"wants"})", 2, "unknown");
}

TEST_F(CliInputTest, histories_that_are_not_understood_are_errors_with_file_and_line) {
    const auto expect = [&](const std::string& text, const Words& words) {
        SCOPED_TRACE(text);
        put_file(here_ / "h", text);
        expect_refused({"check", "h"}, words);
        expect_refused({"check", "h", "--json"}, words);
    };
    expect("", {"h:1: ", "empty"});
    expect("nonsense", {"h:1: ", "not JSON"});
    expect(std::string(kCalm) + R"({"t_us":50,"client":0,"event":"gran)", {"h:5: ", "not JSON"});
    expect(std::string(kCalm) + R"({"t_us":50,"client":0,"event":"grantd"})",
           {"h:5: ", "'grantd'", "'granted'"});
    expect(std::string(kCalm) + R"({"t_us":5,"client":0,"event":"wants"})", {"h:5: ", "backwards"});
    expect(std::string(kCalm) + R"({"t_us":50,"client":-1,"event":"wants"})", {"h:5: ", "-1"});
    expect(std::string(kCalm) + R"({"t_us":50,"cliend":0,"event":"wants"})",
           {"h:5: ", "'client'", "'cliend'"});
    expect(R"({"format":"locklab-history","version":2})", {"h:1: ", "version 2", "version 1"});
    expect(R"({"format":"locklab-trace","version":1})", {"h:1: ", "locklab-trace"});
    const std::string without_end(kStuck, std::string_view(kStuck).rfind("{\"event\":\"end\""));
    expect(without_end, {"h:4: ", "cut short", "end"});
    options_.input = "nonsense";
    expect_refused({"check", "-"}, {"stdin:1: "});
}

TEST_F(CliInputTest, files_that_are_not_there_are_errors) {
    for (const char* verb : {"check", "replay"}) {
        expect_refused({verb, "no such file"}, {"cannot read 'no such file'", "No such file"});
        expect_refused({verb, "."}, {"cannot read '.'", "directory"});
        expect_refused({verb, ""}, {"cannot read ''"});
    }
}

TEST_F(CliInputTest, broken_traces_are_errors_with_file_and_line) {
    const Json whole = trace();
    expect_refused_trace("", {"empty"});
    expect_refused_trace("nonsense", {"not JSON"});
    expect_refused_trace("[]", {"not a JSON object"});
    for (std::size_t size = 1; size < 8; ++size) {
        expect_refused_trace(text_.substr(0, text_.size() * size / 8), {"not JSON"});
    }
    const auto expect = [&](const char* key, const Json& value, const Words& words) {
        Json edited = whole;
        edited[key] = value;
        expect_refused_trace(edited.dump(), words);
    };
    expect("format", "locklab-history", {"locklab-trace"});
    expect("version", 2, {"version must be 1"});
    expect("algorithm", "setnx_expir", {"'setnx_expir'"});
    expect("clients", 0, {"clients must be at least 1"});
    expect("clients", 10'001, {"'clients'", "10000"});
    expect("clients", 4'294'967'296, {"'clients'", "10000"});
    expect("grants", 1'000'001, {"'grants'", "1000000"});
    expect("faults", "paus=1", {"'paus'", "'pause'"});
    expect("faults", "pause=1,", {"pause=1,"});
    expect("latency", "slow", {"'slow'", "constant:200us"});
    expect("wait", "patient", {"'patient'", "jitter"});
    expect("picks", {1, -1}, {"pick 1 "});
    expect("picks", {4'294'967'296}, {"pick 0 "});
    expect("pick", 1, {"'pick'"});
    for (const char* time : {"job_most_us", "think_most_us", "scale_us", "patience_us", "ttl_us"}) {
        expect(time, 100'000'000'000'000, {time, "at most"});
    }
    expect("clock_unit_us", 0, {"clock_unit_us must be above zero"});
    expect("wait_us", 1, {"wait_us"});
}

TEST_F(CliInputTest, no_key_of_a_trace_can_be_missing_or_of_another_type) {
    const Json whole = trace();
    for (const auto& [key, value] : whole.items()) {
        Json edited = whole;
        edited.erase(key);
        expect_refused_trace(edited.dump(), {"'" + key + "' is missing"});
        Json wrong{nullptr, true, Json::object()};
        wrong.insert(wrong.end(), {-1, 1.5, 1e300, "x"});
        for (const Json& other : wrong) {
            edited[key] = other;
            expect_refused_trace(edited.dump(), {});
        }
    }
}

TEST_F(CliInputTest, a_trace_that_was_edited_sensibly_is_run) {
    Json edited = trace();
    edited["picks"] = Json::array();
    edited["faults"] = "none";
    put_file(here_ / "edited", edited.dump(2));  // spread over lines, as an editor leaves it
    const Ran ran = run({"replay", "edited", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(parsed(ran.out).at("verdict"), "holds");
}

TEST_F(CliInputTest, a_report_of_no_run_is_an_error) {
    use_sources();
    for (const char* folder : {"nowhere", "."}) {
        const Ran ran = run({"report", folder});
        EXPECT_EQ(ran.code, 64) << ran.err;
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        EXPECT_EQ(ran.out, "");
    }
}

}  // namespace
}  // namespace locklab::cli_input_test
