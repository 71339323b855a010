#include "harness/cli/run_python.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "harness/cli/command_line.h"
#include "harness/record/home_folder.h"

extern char** environ;

namespace locklab {

int run_python(const std::string& verb, Arguments words) {
    const char* chosen = std::getenv("LOCKLAB_PYTHON");
    const std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "/usr/bin/python3";
    const std::string script = home_folder() + "/plots/" + verb + ".py";
    if (!std::filesystem::exists(script)) {
        throw std::runtime_error("there is no " + script +
                                 " to run; LOCKLAB_HOME must name the folder "
                                 "of a checkout, as ./locklab makes it");
    }
    std::string again = "locklab " + verb;
    for (const std::string& word : words) again += " " + word;
    words.insert(words.begin(), {python, script});
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawnp(&child, python.c_str(), nullptr, nullptr, pointers.data(), environ) != 0) {
        throw std::runtime_error("there is no " + python + " to run " + script +
                                 "; install python3, python3-matplotlib and python3-jinja2, then "
                                 "run: " +
                                 again);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : kExitUnknown;
}

}  // namespace locklab
