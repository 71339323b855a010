#include "harness/live/redis_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "harness/core/printable.h"
#include "harness/live/server_program.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

/// Far longer than a start takes, even on a busy machine.
constexpr auto kStartLimit = std::chrono::seconds(20);
constexpr auto kKillLimit = std::chrono::seconds(5);
constexpr int kReport = 3;

[[noreturn]] void cannot_start(int error) { throw std::runtime_error(why_not_started(error)); }

}  // namespace

std::vector<std::filesystem::path> RedisProcess::remove_dead_folders() {
    return TempFolder::remove_dead(kRedisFolder);
}

std::uint16_t RedisProcess::free_port() {
    const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    const bool bound = bind(probe, raw, size) == 0 && getsockname(probe, raw, &size) == 0;
    const int error = errno;
    close(probe);
    if (!bound) cannot_start(error);
    return ntohs(address.sin_port);
}

RedisProcess::RedisProcess(Listen listen, std::map<std::string, std::string> environment,
                           const std::string& sentinel)
    : folder_(kRedisFolder),
      environment_(std::move(environment)),
      port_(listen == Listen::on_port_too ? free_port() : 0) {
    endpoint_.socket_path = (folder_.path() / "redis.sock").string();
    log_path_ = (folder_.path() / "redis.log").string();
    if (!sentinel.empty()) {
        sentinel_file_ = (folder_.path() / "sentinel.conf").string();
        std::ofstream(sentinel_file_) << sentinel;
    }
    try {
        launch();
        await_ready();
    } catch (...) {
        kill_process();
        mark_.kill_bearers();
        throw;
    }
}

RedisProcess::~RedisProcess() {
    kill_process();
    mark_.kill_bearers();
}

/// Kills its process group too: the program may be a script that starts the server, and waits for
/// it.
void RedisProcess::kill_process() {
    static_cast<void>(answered_meanwhile());
    if (pid_ == 0) return;
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    // Other processes of the group are locklab's children now.
    while (waitpid(-pid_, nullptr, 0) >= 0 || errno == EINTR) {
    }
    pid_ = 0;
}

/// Searching for everything that it started takes some milliseconds, and is seldom needed.
void RedisProcess::kill() {
    kill_process();
    if (!listens()) return;
    mark_.kill_bearers();
    // Its threads may end a moment after the process seems to be gone.
    const auto limit = std::chrono::steady_clock::now() + kKillLimit;
    while (std::chrono::steady_clock::now() < limit) {
        if (!listens()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    throw std::runtime_error(
        "redis-server was killed, and its socket is served all the same: the process that serves "
        "it was not started by 'redis-server'; right would be a redis-server that is one process.");
}

/// Redis loads the snapshot from its data file. It also writes that file for replication, so a file
/// that is left must go.
void RedisProcess::launch(const ServerSnapshot& with) {
    kill();
    with.write(data_file());
    // A successful exec closes the pipe, so that reading it shows whether there was one.
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) cannot_start(errno);
    const ExecArguments arguments(words(), environment_);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        run_server(report[1], arguments);
    }
    const int fork_error = errno;
    close(report[1]);
    int error = 0;
    ssize_t got = 0;
    if (pid_ > 0) {
        while ((got = read(report[0], &error, sizeof error)) < 0 && errno == EINTR) {
        }
    }
    close(report[0]);
    if (pid_ < 0) {
        pid_ = 0;
        cannot_start(fork_error);
    }
    if (got == sizeof error) {
        kill_process();
        cannot_start(error);
    }
}

std::vector<std::string> RedisProcess::words() const {
    std::vector<std::string> words{server_program().file};
    if (!sentinel_file_.empty()) words.insert(words.end(), {sentinel_file_, "--sentinel"});
    words.insert(words.end(), {"--bind",
                               "127.0.0.1",
                               "--port",
                               std::to_string(port_),
                               "--unixsocket",
                               endpoint_.socket_path,
                               "--unixsocketperm",
                               "700",
                               "--dir",
                               folder_.path().string(),
                               "--dbfilename",
                               data_file().filename().string(),
                               "--save",
                               "",
                               "--appendonly",
                               "no",
                               "--daemonize",
                               "no",
                               "--logfile",
                               "",
                               "--tcp-backlog",
                               "4096"});
    return words;
}

/// Runs in the child, where only calls that are safe between fork and exec are allowed.
void RedisProcess::run_server(int report, const ExecArguments& arguments) const {
    // A Ctrl-C is for locklab, which stops the server when it is done with it.
    setpgid(0, 0);
    mark_.put_on();
    // The server's output goes only into its log; without a log file it does not start.
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input < 0 || dup2(input, STDIN_FILENO) < 0) ExecArguments::fail(report);
    if (input > STDERR_FILENO) close(input);
    const int log = open(log_path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const bool logs = log >= 0 && dup2(log, STDOUT_FILENO) >= 0 && dup2(log, STDERR_FILENO) >= 0;
    if (!logs) ExecArguments::fail(report);
    // The server must not hold open the sockets of its clients.
    if (report != kReport && dup3(report, kReport, O_CLOEXEC) < 0) ExecArguments::fail(report);
    close_range(kReport + 1, ~0U, 0);
    arguments.run(kReport);
}

void RedisProcess::await_ready() {
    const auto limit = std::chrono::steady_clock::now() + kStartLimit;
    while (std::chrono::steady_clock::now() < limit) {
        SyncConnection connection(endpoint_, std::chrono::seconds(1));
        if (connection.command(Command::of("PING")).text() == "PONG") return;
        if (has_exited()) {
            throw std::runtime_error("redis-server stopped as soon as it was started: " +
                                     last_words());
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    throw std::runtime_error("redis-server was started but does not answer: " + last_words());
}

/// Negative if nobody listens.
int RedisProcess::connected() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    endpoint_.socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (connect(file, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return file;
    close(file);
    return -1;
}

bool RedisProcess::listens() const {
    const int file = connected();
    if (file >= 0) close(file);
    return file >= 0;
}

void RedisProcess::restart() {
    kill();
    launch();
    await_ready();
}

bool RedisProcess::stop() {
    if (pid_ == 0) return false;
    ::kill(-pid_, SIGSTOP);
    int status = 0;
    pid_t seen = 0;
    while ((seen = waitpid(pid_, &status, WUNTRACED)) < 0 && errno == EINTR) {
    }
    if (seen != pid_ || !WIFSTOPPED(status)) {
        pid_ = 0;
        return false;
    }
    signal_bearers(SIGSTOP);
    asked_ = connected();
    if (asked_ >= 0) static_cast<void>(send(asked_, "PING\r\n", 6, MSG_NOSIGNAL));
    return true;
}

/// Processes that it started may be in another group.
void RedisProcess::signal_bearers(int signal) const {
    for (const pid_t each : mark_.bearers()) ::kill(each, signal);
}

/// Whether it has answered what it was asked when it stopped.
bool RedisProcess::answered_meanwhile() {
    const int file = std::exchange(asked_, -1);
    char byte = 0;
    const bool answered = file >= 0 && recv(file, &byte, 1, MSG_DONTWAIT) > 0;
    if (file >= 0) close(file);
    return answered;
}

void RedisProcess::go_on() {
    if (pid_ == 0) return;
    const bool answered = answered_meanwhile();
    ::kill(-pid_, SIGCONT);
    signal_bearers(SIGCONT);
    int status = 0;
    while (waitpid(pid_, &status, WCONTINUED) < 0 && errno == EINTR) {
    }
    // Something else has killed it meanwhile.
    if (!WIFCONTINUED(status)) pid_ = 0;
    if (!answered) return;
    throw std::runtime_error(
        "redis-server was stopped, and answered all the same: the process that serves its socket "
        "was not started by 'redis-server'; right would be a redis-server that is one process.");
}

bool RedisProcess::has_exited() {
    if (pid_ != 0 && waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = 0;
    return pid_ == 0;
}

std::string RedisProcess::last_words() const {
    const std::string full = "no space is left for its folder '" + folder_.path().string() +
                             "'; right would be a TMPDIR that has some.";
    std::error_code unknown;
    const auto space = std::filesystem::space(folder_.path(), unknown);
    if (!unknown && space.available == 0) return full;
    std::ifstream log(log_path_);
    std::string last = "it says nothing.";
    for (std::string line; std::getline(log, line);) {
        if (line.find("No space left on device") != std::string::npos) return full;
        if (!line.empty()) last = line;
    }
    return printable(last);
}

}  // namespace locklab
