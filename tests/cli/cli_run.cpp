#include "tests/cli/cli_run.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/core/places.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPatience = 300s;

void redirect(const char* file, int flags, int descriptor) {
    const int opened = open(file, flags, 0600);
    if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
}

[[noreturn]] void become(const std::string& program, const Words& arguments,
                         const ProcessOptions& options, const fs::path& input) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
    redirect(input.c_str(), O_RDONLY, STDIN_FILENO);
    redirect(options.out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(options.err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    if (chdir(options.folder.c_str()) != 0) _exit(126);
    const rlimit limit{options.file_limit, options.file_limit};
    setrlimit(RLIMIT_FSIZE, &limit);
    const rlimit memory{options.memory_limit, options.memory_limit};
    setrlimit(RLIMIT_AS, &memory);
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(program.c_str(), words.data());
    _exit(127);
}

/// The parent of a process, and its name, from /proc/PID/stat.
std::pair<pid_t, std::string> parent_and_name(const fs::path& process) {
    const std::string stat = content_of(process / "stat");
    const std::size_t open = stat.find('(');
    const std::size_t close = stat.rfind(')');
    if (open == std::string::npos || close == std::string::npos) return {0, ""};
    char state = 0;
    pid_t parent = 0;
    std::istringstream(stat.substr(close + 1)) >> state >> parent;
    return {parent, stat.substr(open + 1, close - open - 1)};
}

}  // namespace

Process::Process(const std::string& program, const Words& arguments, const ProcessOptions& options)
    : options_(options) {
    const fs::path input = options.err.string() + ".in";
    put_file(input, options.input);
    pid_ = fork();
    if (pid_ == 0) become(program, arguments, options, input);
    setpgid(pid_, pid_);
}

Process::~Process() {
    if (!running()) return;
    kill(-pid_, SIGKILL);
    wait();
}

void Process::interrupt() { kill(-pid_, SIGINT); }

bool Process::running() {
    if (pid_ != 0 && waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
    return pid_ != 0;
}

Ran Process::wait() {
    while (pid_ != 0 && waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    Ran ran;
    ran.code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
    ran.out = content_of(options_.out);
    ran.err = content_of(options_.err);
    return ran;
}

pid_t Process::redis() const {
    for (const auto& process : fs::directory_iterator("/proc")) {
        const std::string name = process.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const auto [parent, program] = parent_and_name(process.path());
        if (parent == pid_ && program == "redis-server") return std::stoi(name);
    }
    return 0;
}

bool await(const std::function<bool()>& so) {
    const auto limit = std::chrono::steady_clock::now() + kPatience;
    while (!so()) {
        if (std::chrono::steady_clock::now() > limit) return false;
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

std::string content_of(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return {};
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put_file(const fs::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
}

Json parsed(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    EXPECT_TRUE(json.is_object()) << text;
    return json;
}

CliTest::CliTest() : root_("locklab cli") {
    here_ = root_.path() / "here";
    home_ = root_.path() / "home";
    temp_ = root_.path() / "temp";
    for (const fs::path& folder : {here_, home_, temp_}) fs::create_directory(folder);
    fs::create_symlink(built_program(), home_ / "locklab");
    fs::create_directory_symlink(source_dir() + "/scenarios", home_ / "scenarios");
    options_.folder = here_;
    options_.environment = {{"LOCKLAB_HOME", home_}, {"TMPDIR", temp_}, {"LOCKLAB_REDIS", ""}};
    options_.out = root_.path() / "stdout";
    options_.err = root_.path() / "stderr";
}

Ran CliTest::run(const Words& arguments) {
    return Process(built_program(), arguments, options_).wait();
}

Ran CliTest::run_to_a_verdict(const Words& arguments) {
    constexpr int kUnknown = 2;
    constexpr int kTries = 20;
    Ran ran = run(arguments);
    for (int again = 1; again < kTries && ran.code == kUnknown; ++again) ran = run(arguments);
    return ran;
}

Ran CliTest::paste(const std::string& line) { return Process("sh", {"-c", line}, options_).wait(); }

void CliTest::use_sources() { options_.environment["LOCKLAB_HOME"] = source_dir(); }

namespace {

/// What a suite says on stderr without its progress: parts begun and verdicts as they are decided.
std::string without_progress(const std::string& err) {
    std::istringstream lines(err);
    std::string left;
    for (std::string line; std::getline(lines, line);) {
        const bool progress = line.starts_with("locklab: part ") || line.starts_with("  sim ") ||
                              line.starts_with("  live ");
        if (!progress) left += line + "\n";
    }
    return left;
}

}  // namespace

void CliTest::expect_sentence(const Ran& ran, int code, const Words& words) {
    const std::string said = without_progress(ran.err);
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_TRUE(said.starts_with("locklab: ")) << ran.err;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << ran.err;
    for (const std::string& word : words) {
        EXPECT_NE(said.find(word), std::string::npos) << "no " << word << " in: " << ran.err;
    }
}

void CliTest::expect_refused(const Words& arguments, const Words& words) {
    std::string line;
    for (const std::string& word : arguments) line += "[" + word + "] ";
    SCOPED_TRACE(line);
    const auto before = written();
    const Ran ran = run(arguments);
    expect_sentence(ran, 64, words);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(written(), before);
}

std::vector<fs::path> CliTest::written() const {
    std::vector<fs::path> all;
    for (const fs::path& folder : {here_, home_}) {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (!entry.is_symlink()) all.push_back(entry.path());
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace locklab
