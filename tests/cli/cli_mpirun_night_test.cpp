// Searches of millions of states, in ranks and in one process.

#include "tests/cli/cli_mpirun.h"

namespace locklab::cli_mpirun_night_test {
namespace {

TEST_F(CliMpirunTest, millions_of_states_are_those_of_one_process) {
    expect_as_in_one_process({"set_nx_lua", "--faults", "crash=1,lose_reply=1,retry=1", "--clients",
                              "4", "--rounds", "1", "--attempts", "3"},
                             {2, 4});
}

}  // namespace
}  // namespace locklab::cli_mpirun_night_test
