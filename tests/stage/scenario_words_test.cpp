// scenarios/README.md explains every sentence and every command that the reader knows, in the
// reader's words, and none besides.

#include <algorithm>
#include <fstream>
#include <iterator>

#include "harness/stage/sentence_pattern.h"
#include "tests/core/places.h"
#include "tests/core/readme.h"

namespace locklab::scenario_words_test {
namespace {

std::string readme() {
    std::ifstream file(source_dir() + "/scenarios/README.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ScenarioWords, its_sentences_are_the_readers) {
    EXPECT_EQ(first_column(between(readme(), "\n| sentence |", "\n\n")), sentences());
}

TEST(ScenarioWords, its_commands_are_the_readers) {
    std::vector<std::string> said =
        first_column(between(readme(), "What COMMAND may be:", "\n## "));
    std::vector<std::string> known(commands().begin(), commands().end());
    std::sort(said.begin(), said.end());
    std::sort(known.begin(), known.end());
    EXPECT_EQ(said, known);
}

}  // namespace
}  // namespace locklab::scenario_words_test
