// Arguments of a child's exec, made before the fork: between fork and exec nothing may be
// allocated.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace locklab {

class ExecArguments {
public:
    /// `words`: the program, searched in PATH, and its arguments. `environment`: added to the
    /// present one.
    ExecArguments(std::vector<std::string> words,
                  const std::map<std::string, std::string>& environment);
    ExecArguments(const ExecArguments&) = delete;
    ExecArguments& operator=(const ExecArguments&) = delete;

    /// Call it in the child. If the program cannot be run, writes why to the file `report`, and
    /// ends.
    [[noreturn]] void run(int report) const;
    /// Writes the present errno to the file, and ends.
    [[noreturn]] static void fail(int report);

private:
    std::vector<std::string> words_;
    std::vector<std::string> pairs_;
    std::vector<char*> arguments_;
    std::vector<char*> variables_;
};

}  // namespace locklab
