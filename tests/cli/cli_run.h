// The program as its user sees it: started, watched from outside, perhaps interrupted.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/live/temp_folder.h"

namespace locklab {

using Words = std::vector<std::string>;
using Json = nlohmann::ordered_json;

/// How a program is started. Paths may have spaces, and here they do.
struct ProcessOptions {
    std::filesystem::path folder;  ///< in which it runs
    std::map<std::string, std::string> environment;
    std::string input;  ///< on stdin
    std::filesystem::path out;
    std::filesystem::path err;
    rlim_t file_limit = RLIM_INFINITY;    ///< bytes that a file may have
    rlim_t memory_limit = RLIM_INFINITY;  ///< bytes of addresses
};

struct Ran {
    int code = -1;  ///< minus the signal's number, if one ended it
    std::string out;
    std::string err;
};

/// A program under way, in a process group of its own. It is killed with this.
class Process {
public:
    Process(const std::string& program, const Words& arguments, const ProcessOptions& options);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    /// As Ctrl-C does.
    void interrupt();
    bool running();
    Ran wait();
    /// The first redis-server that it has started; 0 if there is none.
    pid_t redis() const;

private:
    pid_t pid_ = 0;
    int status_ = 0;
    ProcessOptions options_;
};

/// Looks until it is so. False after five minutes.
bool await(const std::function<bool()>& so);

std::string content_of(const std::filesystem::path& file);
void put_file(const std::filesystem::path& file, const std::string& content);
/// Fails the test if the text is not one JSON object and nothing else.
Json parsed(const std::string& text);

class CliTest : public testing::Test {
protected:
    CliTest();

    /// Runs locklab with these words, to its end.
    Ran run(const Words& arguments);
    /// The same of what is live, until it comes to a verdict: what this machine disturbed is
    /// unknown, and says nothing. The last of some tries.
    Ran run_to_a_verdict(const Words& arguments);
    /// What a shell makes of a line, run in the same folder.
    Ran paste(const std::string& line);
    /// Takes the sources, with the report's Python, for LOCKLAB_HOME.
    void use_sources();

    /// One sentence on stderr that has all of `words`, nothing on stdout, nothing written.
    void expect_refused(const Words& arguments, const Words& words);
    /// The sentence of a run that ended with `code`.
    void expect_sentence(const Ran& ran, int code, const Words& words);
    /// Files and folders below the working folder and the home, without those put there.
    std::vector<std::filesystem::path> written() const;
    bool temp_is_empty() const { return std::filesystem::is_empty(temp_); }

    TempFolder root_;
    std::filesystem::path here_;  ///< where it runs
    std::filesystem::path home_;  ///< has ./locklab and scenarios/
    std::filesystem::path temp_;  ///< for its temporary files
    ProcessOptions options_;
};

}  // namespace locklab
