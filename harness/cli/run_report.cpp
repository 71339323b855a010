#include "harness/cli/run_report.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "harness/cli/command_line.h"

extern char** environ;

namespace locklab {

int run_report(const std::string& run_folder) {
    const char* chosen = std::getenv("LOCKLAB_PYTHON");
    std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "/usr/bin/python3";
    std::string script = home_folder() + "/plots/report.py";
    std::string folder = run_folder;
    if (!std::filesystem::exists(script)) {
        throw std::runtime_error("there is no " + script +
                                 " to draw the report with; LOCKLAB_HOME must name the folder "
                                 "of a checkout, as ./locklab makes it");
    }
    char* words[] = {python.data(), script.data(), folder.data(), nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, python.c_str(), nullptr, nullptr, words, environ) != 0) {
        throw std::runtime_error("there is no " + python +
                                 " to draw the report; install python3, python3-matplotlib and "
                                 "python3-jinja2, then run: locklab report " +
                                 folder);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : kExitUnknown;
}

}  // namespace locklab
