#include "harness/live/exec_arguments.h"

#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace locklab {

ExecArguments::ExecArguments(std::vector<std::string> words,
                             const std::map<std::string, std::string>& environment)
    : words_(std::move(words)) {
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string_view pair(*each);
        const std::string name(pair.substr(0, pair.find('=')));
        if (!environment.contains(name)) pairs_.emplace_back(pair);
    }
    for (const auto& [name, value] : environment) pairs_.push_back(name + "=" + value);
    for (std::string& word : words_) arguments_.push_back(word.data());
    for (std::string& pair : pairs_) variables_.push_back(pair.data());
    arguments_.push_back(nullptr);
    variables_.push_back(nullptr);
}

void ExecArguments::run(int report) const {
    execvpe(arguments_[0], arguments_.data(), variables_.data());
    fail(report);
}

void ExecArguments::fail(int report) {
    const int error = errno;
    [[maybe_unused]] const ssize_t ignored = write(report, &error, sizeof error);
    _exit(127);
}

}  // namespace locklab
