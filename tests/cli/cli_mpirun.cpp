#include "tests/cli/cli_mpirun.h"

#include <algorithm>
#include <sstream>

#include "tests/core/places.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// What two runs of the same search do not share.
void forget_times(Json& json) {
    if (json.is_object()) json.erase("seconds");
    if (!json.is_structured()) return;
    for (Json& part : json) forget_times(part);
}

}  // namespace

CliMpirunTest::CliMpirunTest() {
    // mpirun keeps sockets there, whose names have little room.
    options_.environment["TMPDIR"] = fs::temp_directory_path();
    // It leaves memory to the end, which is no leak of ours.
    options_.environment["ASAN_OPTIONS"] = "detect_leaks=0";
}

Words CliMpirunTest::ranks_of(int count, const Words& words) {
    Words all{"-n", std::to_string(count)};
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

Ran CliMpirunTest::mpirun(const Words& words) {
    Words all{"--allow-run-as-root", "--oversubscribe"};
    all.insert(all.end(), words.begin(), words.end());
    return Process(locklab::mpirun(), all, options_).wait();
}

Ran CliMpirunTest::explore_in(int ranks, Words words) {
    words.insert(words.begin(), {built_program(), "explore"});
    return mpirun(ranks_of(ranks, words));
}

void CliMpirunTest::expect_as_in_one_process(const Words& words, const std::vector<int>& ranks) {
    Words alone{"explore", "--json"};
    alone.insert(alone.end(), words.begin(), words.end());
    const Ran one = run(alone);
    Json expected = parsed(one.out);
    forget_times(expected);
    for (const int count : ranks) {
        SCOPED_TRACE(words[0] + " in " + std::to_string(count) + " ranks");
        const Ran ran = explore_in(count, Words(alone.begin() + 1, alone.end()));
        EXPECT_EQ(ran.code, one.code) << ran.err;
        Json json = parsed(ran.out);
        forget_times(json);
        EXPECT_EQ(json, expected) << Json::diff(expected, json).dump(2);
    }
}

void CliMpirunTest::expect_one_sentence(const Ran& ran, int code, const Words& words) {
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_EQ(ran.out, "");
    std::string ours;
    std::istringstream lines(ran.err);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("locklab: ")) ours += line + "\n";
    }
    EXPECT_EQ(std::ranges::count(ours, '\n'), 1) << ran.err;
    for (const std::string& word : words) {
        EXPECT_NE(ours.find(word), std::string::npos) << "no " << word << " in: " << ran.err;
    }
}

int CliMpirunTest::running(const std::string& word) {
    int count = 0;
    for (const auto& process : fs::directory_iterator("/proc")) {
        const std::string program = content_of(process.path() / "cmdline");
        if (program.find(word) != std::string::npos) ++count;
    }
    return count;
}

}  // namespace locklab
