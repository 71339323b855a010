// Plays in virtual time do not depend on how busy the machine is: those of one seed are the same to
// the byte at rest and on a processor that many others want.

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/registry.h"
#include "harness/foreign/library.h"
#include "harness/foreign/play_drives.h"
#include "harness/foreign/search_threads.h"
#include "harness/foreign/virtual_play.h"
#include "harness/live/processors.h"
#include "harness/record/history_json.h"
#include "tests/core/places.h"
#include "tests/core/told_number.h"
#include "tests/foreign/python_library.h"

namespace locklab::virtual_load_test {
namespace {

/// So many processes that want the processor on which they were started, and do nothing with it.
class Load {
public:
    explicit Load(int processes) {
        for (int i = 0; i < processes; ++i) {
            const pid_t pid = fork();
            if (pid == 0) spin();
            EXPECT_GT(pid, 0);
            pids_.push_back(pid);
        }
    }
    ~Load() {
        for (const pid_t pid : pids_) kill(pid, SIGKILL);
        for (const pid_t pid : pids_) waitpid(pid, nullptr, 0);
    }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

private:
    [[noreturn]] static void spin() {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (std::atomic<std::uint64_t> turns{0};;) ++turns;
    }

    std::vector<pid_t> pids_;
};

/// Its lease is renewed by a thread.
Library threaded_library() {
    Library library = python_library("");
    library.run = {"/usr/bin/python3", source_dir() + "/tests/foreign/threaded_driver.py"};
    library.renews = true;
    library.tells = true;
    return library;
}

/// One of ours, what virtual time reaches of the libraries that are installed, and one with
/// threads.
std::vector<Library> subjects() {
    std::vector<Library> found{threaded_library()};
    const std::filesystem::path source = source_dir();
    for (const Library& library : read_libraries(source / "drivers", source / "build/libraries")) {
        const bool reached = library.language == "Python" || library.language == "JavaScript";
        if (reached && library.is_installed()) found.push_back(library);
    }
    return found;
}

/// Of each play its history and its transcript.
std::vector<std::string> plays_of(const Subject& subject, std::uint64_t plays) {
    PlaySpec spec;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    spec.faults[Hazard::pause] = 1;
    spec.faults[Hazard::lose_reply] = 1;
    spec.faults[Hazard::freeze] = 1;
    VirtualWorld world(subject, spec.clients);
    std::vector<std::string> texts;
    for (std::uint64_t play = 0; play < plays; ++play) {
        RandomDrive drive(1, play);
        const PlayResult made = play_virtually(world, subject, spec, drive, play);
        std::ostringstream text;
        write_history(text, made.history);
        texts.push_back(text.str() + made.transcript);
    }
    return texts;
}

int how_many_processors() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    return CPU_COUNT(&allowed);
}

/// Else what was sent may arrive after its receiver has looked.
TEST(VirtualWorld, keeps_its_processes_and_itself_on_one_processor) {
    const Library library = subjects().front();
    const Subject subject(library);
    const int all = how_many_processors();
    {
        const VirtualWorld world(subject, 1);
        EXPECT_EQ(how_many_processors(), 1);
    }
    EXPECT_EQ(how_many_processors(), all);
}

class VirtualLoadTest : public ::testing::TestWithParam<Library> {};

TEST_P(VirtualLoadTest, the_same_plays_are_the_same_on_a_busy_processor) {
    const KeptOn one(processor_of(0));
    const Subject subject(GetParam());
    const std::uint64_t plays = told_number("LOCKLAB_PLAYS", 8);
    const int busy = static_cast<int>(told_number("LOCKLAB_LOAD", 20));
    const std::vector<std::string> at_rest = plays_of(subject, plays);
    std::vector<std::string> loaded;
    {
        const Load load(busy);
        loaded = plays_of(subject, plays);
    }
    std::size_t differ = 0;
    for (std::size_t play = 0; play < plays; ++play) {
        if (at_rest[play] == loaded[play] || ++differ > 1) continue;
        EXPECT_EQ(at_rest[play], loaded[play]) << "play " << play;
    }
    EXPECT_EQ(differ, 0U);
}

INSTANTIATE_TEST_SUITE_P(Subjects, VirtualLoadTest, ::testing::ValuesIn(subjects()),
                         [](const auto& each) {
                             std::string name = each.param.name;
                             for (char& c : name) c = std::isalnum(c) ? c : '_';
                             return name;
                         });

}  // namespace
}  // namespace locklab::virtual_load_test
