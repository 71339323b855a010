// What a child process needs for its exec, made before the fork: after that nothing may be
// allocated.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace locklab {

class ExecArguments {
public:
    /// `words`: the program, looked for in PATH, and its arguments. `environment`: beside the one
    /// there is.
    ExecArguments(std::vector<std::string> words,
                  const std::map<std::string, std::string>& environment);
    ExecArguments(const ExecArguments&) = delete;
    ExecArguments& operator=(const ExecArguments&) = delete;

    /// In the child. Where there is no such program, it tells the file `report` why, and ends.
    [[noreturn]] void run(int report) const;
    /// Tells the file the number of the error that just came, and ends.
    [[noreturn]] static void fail(int report);

private:
    std::vector<std::string> words_;
    std::vector<std::string> pairs_;
    std::vector<char*> arguments_;
    std::vector<char*> variables_;
};

}  // namespace locklab
