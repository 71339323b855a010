// `locklab explore` in ranks that mpirun starts, on one machine.
#pragma once

#include "tests/cli/cli_run.h"

namespace locklab {

class CliMpirunTest : public CliTest {
protected:
    CliMpirunTest();

    /// What mpirun is to start: so many ranks of a program with these words.
    static Words ranks_of(int count, const Words& words);
    Ran mpirun(const Words& words);
    Ran explore_in(int ranks, Words words);

    /// The one JSON object of these words is that of one process, but for its times.
    void expect_as_in_one_process(const Words& words, const std::vector<int>& ranks);
    /// All ranks end, with that exit code, and one sentence of ours that has these words.
    void expect_one_sentence(const Ran& ran, int code, const Words& words);
    /// How many processes have this word on their command line.
    static int running(const std::string& word);
};

}  // namespace locklab
