// Starts a driver: code between fork and exec allocates nothing.

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "harness/core/printable.h"
#include "harness/driver/driver_process.h"
#include "harness/live/exec_arguments.h"

namespace locklab {

namespace {

constexpr int kReport = 3;

}  // namespace

DriverProcess::Pipe DriverProcess::make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        throw std::runtime_error(std::string("A driver cannot be started: ") +
                                 std::strerror(errno) + ".");
    }
    return {ends[0], ends[1]};
}

void DriverProcess::fail_to_start(const std::string& program, int error) {
    throw std::runtime_error("The driver cannot be started: " + printable(program) + ": " +
                             std::strerror(error) + ".");
}

void DriverProcess::launch(const Start& start) {
    Pipe in = make_pipe();
    Pipe out = make_pipe();
    Pipe err = make_pipe();
    // A successful exec closes the pipe, so that reading it shows whether there was one.
    Pipe report = make_pipe();
    const ExecArguments arguments(start.words, start.environment);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        setpgid(0, 0);
        mark_.put_on();
        std::signal(SIGPIPE, SIG_DFL);
        const bool connected = dup2(in.read, 0) >= 0 && dup2(out.write, 1) >= 0 &&
                               dup2(err.write, 2) >= 0 &&
                               dup3(report.write, kReport, O_CLOEXEC) >= 0;
        if (!connected) ExecArguments::fail(report.write);
        close_range(kReport + 1, ~0U, 0);
        if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) ExecArguments::fail(kReport);
        arguments.run(kReport);
    }
    int error = errno;
    for (int* end : {&in.read, &out.write, &err.write, &report.write}) close_file(*end);
    in_ = in.write;
    out_ = out.read;
    err_ = err.read;
    ssize_t got = 0;
    if (pid_ > 0) {
        setpgid(pid_, pid_);
        // glibc 2.36 declares pidfd_open() only for C.
        handle_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
        while ((got = read(report.read, &error, sizeof error)) < 0 && errno == EINTR) {
        }
    }
    close_file(report.read);
    if (pid_ > 0 && got != sizeof error) return;
    if (pid_ > 0) kill();
    for (int* end : {&in_, &out_, &err_, &handle_}) close_file(*end);
    fail_to_start(start.words.front(), error);
}

}  // namespace locklab
