// Processes in virtual time: their clocks stand still, and each of their waits ends when it is
// told.

#include "harness/virtual/virtual_time.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "harness/live/processors.h"
#include "tests/virtual/preloaded.h"

namespace locklab::virtual_time_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using enum VirtualTime::Rest;

constexpr Duration kLimit = seconds(10);

class VirtualTimeTest : public ::testing::Test {
protected:
    Preloaded& start(const std::string& script, std::size_t number = 0) {
        auto environment = time_.environment(number);
        if (seed_ != 0) time_.seed(number, seed_);
        processes_.push_back(std::make_unique<Preloaded>(script, std::move(environment)));
        time_.started(number, processes_.back()->process().pid());
        return *processes_.back();
    }
    VirtualTime::Rest rest(std::size_t number = 0) { return time_.await_rest(number, kLimit); }
    /// A thread is known from its first wait on: this one sleeps for a second first.
    void await_sleeping_thread() {
        const Instant up = time_.now() + seconds(1);
        while (rest() == at_rest && time_.deadline(0) != up) std::this_thread::yield();
        time_.move_to(up);
        time_.show(0);
        ASSERT_EQ(rest(), at_rest);
    }

    VirtualTime time_;
    std::vector<std::unique_ptr<Preloaded>> processes_;
    std::uint64_t seed_ = 0;
};

TEST_F(VirtualTimeTest, a_long_sleep_takes_no_time) {
    Preloaded& sleeper = start(
        "import time\n"
        "print(time.time(), time.monotonic())\n"
        "time.sleep(100000)\n"
        "print(time.time(), time.monotonic())");
    ASSERT_EQ(rest(), at_rest);
    EXPECT_EQ(sleeper.said(), "1767225600.0 1000.0");
    ASSERT_EQ(time_.deadline(0), Instant(seconds(100'000)));
    time_.move_to(Instant(seconds(99'999)));
    time_.show(0);
    ASSERT_EQ(rest(), at_rest);
    EXPECT_FALSE(time_.is_due(0));
    time_.move_to(Instant(seconds(100'000)));
    EXPECT_TRUE(time_.is_due(0));
    time_.show(0);
    EXPECT_EQ(rest(), ended);
    EXPECT_EQ(sleeper.said(), "1767325600.0 101000.0");
}

TEST_F(VirtualTimeTest, each_kind_of_wait_has_its_deadline) {
    const std::vector<std::string> waits{
        "time.sleep(3)",
        "select.select([], [], [], 3)",
        "select.poll().poll(3000)",
        "select.epoll().poll(3)",
        "threading.Event().wait(3)",
        "sock[0].settimeout(3); sock[0].recv(1)",
    };
    for (const std::string& wait : waits) {
        SCOPED_TRACE(wait);
        start(
            "import select, socket, sys, threading, time\n"
            "sock = socket.socketpair()\n"
            "try:\n    " +
            wait +
            "\nexcept TimeoutError: pass\n"
            "print('over', time.monotonic())\n"
            "sys.stdin.readline()");
        const Instant begin = time_.now();
        ASSERT_EQ(rest(), at_rest);
        ASSERT_EQ(time_.deadline(0), begin + seconds(3));
        time_.move_to(begin + seconds(3));
        time_.show(0);
        ASSERT_EQ(rest(), at_rest);
        EXPECT_EQ(processes_.back()->said().substr(0, 4), "over");
        EXPECT_EQ(time_.deadline(0), std::nullopt);
        processes_.clear();
    }
}

TEST_F(VirtualTimeTest, one_that_is_at_rest_has_read_what_was_written) {
    Preloaded& echo = start("import sys\nfor line in sys.stdin: print(line.strip() * 2)");
    ASSERT_EQ(rest(), at_rest);
    for (int i = 0; i < 200; ++i) {
        time_.show(0);
        echo.say(std::to_string(i));
        ASSERT_EQ(rest(), at_rest);
        std::string line;
        ASSERT_EQ(echo.process().hear(line, Duration(0)), DriverProcess::Heard::line) << i;
        EXPECT_EQ(line, std::to_string(i) + std::to_string(i));
    }
}

TEST_F(VirtualTimeTest, each_kind_of_wait_of_a_thread_has_its_deadline) {
    for (const std::string wait : {"select.select([], [], [], 3)", "threading.Event().wait(3)"}) {
        SCOPED_TRACE(wait);
        Preloaded& waiter = start(
            "import select, sys, threading, time\n"
            "def run():\n"
            "    time.sleep(1)\n    " +
            wait +
            "\n    print('over', flush=True)\n"
            "threading.Thread(target=run).start()\n"
            "sys.stdin.readline()");
        await_sleeping_thread();
        const Instant due = time_.now() + seconds(3);
        ASSERT_EQ(time_.deadline(0), due);
        time_.move_to(due);
        time_.show(0);
        ASSERT_EQ(rest(), at_rest);
        EXPECT_EQ(waiter.said(), "over");
        EXPECT_EQ(time_.deadline(0), std::nullopt);
        processes_.clear();
    }
}

/// One end of a connection whose other end is a process'.
class Listener {
public:
    explicit Listener(const std::string& name) : file_(socket(AF_UNIX, SOCK_STREAM, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        name.copy(address.sun_path + 1, name.size());
        const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
        EXPECT_EQ(bind(file_, reinterpret_cast<const sockaddr*>(&address), size), 0);
        EXPECT_EQ(listen(file_, 1), 0);
    }
    ~Listener() {
        close(connection_);
        close(file_);
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    void accept_one() { connection_ = accept(file_, nullptr, nullptr); }
    void say(const std::string& text) {
        EXPECT_EQ(write(connection_, text.data(), text.size()), ssize_t(text.size()));
    }

private:
    const int file_;
    int connection_ = -1;
};

TEST_F(VirtualTimeTest, a_thread_that_reads_has_read_what_came_when_its_process_is_at_rest) {
    const std::string name = "locklab-test-" + std::to_string(getpid());
    Listener listener(name);
    Preloaded& echo = start(
        "import socket, sys, threading, time\n"
        "far = socket.socket(socket.AF_UNIX)\n"
        "far.connect('\\0" +
        name +
        "')\n"
        "def run():\n"
        "    time.sleep(1)\n"
        "    while True: print(far.recv(100).decode(), flush=True)\n"
        "threading.Thread(target=run, daemon=True).start()\n"
        "sys.stdin.readline()");
    listener.accept_one();
    await_sleeping_thread();
    for (int i = 0; i < 100; ++i) {
        const bool says = i % 2 == 0;
        time_.show(0);
        if (says) listener.say("something");
        ASSERT_EQ(rest(), at_rest) << i;
        std::string line;
        const auto heard = echo.process().hear(line, Duration(0));
        ASSERT_EQ(heard, says ? DriverProcess::Heard::line : DriverProcess::Heard::silence) << i;
    }
}

/// The thread that reads is woken by the kernel, and its process has no turn; the first thread
/// waits for another one.
TEST_F(VirtualTimeTest, what_came_before_its_turn_a_process_takes_in_its_turn) {
    const std::string name = "locklab-turn-" + std::to_string(getpid());
    Listener listener(name);
    Preloaded& echo = start(
        "import socket, sys, threading, time\n"
        "far = socket.socket(socket.AF_UNIX)\n"
        "far.connect('\\0" +
        name +
        "')\n"
        "def run():\n"
        "    while True: print(far.recv(100).decode(), flush=True)\n"
        "thread = threading.Thread(target=run)\n"
        "thread.start()\n"
        "thread.join()");
    ASSERT_EQ(rest(), at_rest);
    listener.accept_one();
    for (int i = 0; i < 30; ++i) {
        listener.say("something");
        std::string line;
        EXPECT_EQ(echo.process().hear(line, milliseconds(2)), DriverProcess::Heard::silence);
        ASSERT_EQ(rest(), at_rest);
        ASSERT_EQ(echo.process().hear(line, Duration(0)), DriverProcess::Heard::line) << i;
    }
}

TEST_F(VirtualTimeTest, the_order_of_threads_is_not_left_to_the_kernel) {
    std::set<std::string> seen;
    for (int i = 0; i < 10; ++i) {
        Preloaded& many = start(
            "import sys, threading\n"
            "order, lock = [], threading.Condition()\n"
            "def run(i):\n"
            "    for k in range(50):\n"
            "        with lock: order.append(i); lock.notify(); lock.wait(0.01)\n"
            "threads = [threading.Thread(target=run, args=(i,)) for i in range(5)]\n"
            "for each in threads: each.start()\n"
            "for each in threads: each.join()\n"
            "print(*order, flush=True)\n"
            "sys.stdin.readline()");
        while (rest() == at_rest && time_.deadline(0)) {
            time_.move_to(*time_.deadline(0));
            time_.show(0);
        }
        seen.insert(many.said());
        processes_.clear();
    }
    EXPECT_EQ(seen.size(), 1U);
    EXPECT_FALSE(seen.contains("nothing"));
}

TEST_F(VirtualTimeTest, who_is_not_shown_the_time_does_not_act) {
    Preloaded& sleeper = start("import time\ntime.sleep(5)\nprint('up')");
    ASSERT_EQ(rest(), at_rest);
    time_.move_to(Instant(seconds(50)));
    std::string line;
    EXPECT_EQ(sleeper.process().hear(line, milliseconds(30)), DriverProcess::Heard::silence);
    EXPECT_EQ(rest(), at_rest);
    time_.show(0);
    EXPECT_EQ(rest(), ended);
    EXPECT_EQ(sleeper.said(), "up");
}

TEST_F(VirtualTimeTest, what_is_drawn_by_chance_follows_from_the_seed) {
    const std::string script =
        "import os, random, uuid\n"
        "print(os.urandom(4).hex(), random.random(), uuid.uuid4(), hash('x'))";
    const auto drawn = [&](std::uint64_t seed) {
        seed_ = seed;
        return start(script).said();
    };
    const std::string first = drawn(7);
    EXPECT_EQ(drawn(7), first);
    EXPECT_NE(drawn(8), first);
    EXPECT_NE(first, "nothing");
}

TEST_F(VirtualTimeTest, one_with_a_timer_that_comes_as_a_signal_is_not_at_rest) {
    start("import signal, sys\nsignal.setitimer(signal.ITIMER_REAL, 0)\nsys.stdin.readline()");
    EXPECT_EQ(rest(), at_rest) << "it only stops what there is not";
    for (const char* timer : {"signal.setitimer(signal.ITIMER_REAL, 60)", "signal.alarm(60)"}) {
        processes_.clear();
        start("import signal, sys\n" + std::string(timer) + "\nsys.stdin.readline()");
        EXPECT_EQ(rest(), rung) << timer;
    }
}

/// Calls that go past the preloaded library: `c` is the C library itself, `system` its system call
/// by number, which may get `at`, a time.
const std::string kPastTheLibrary =
    "import ctypes, os, signal, sys, time\n"
    "class Time(ctypes.Structure): _fields_ = [('s', ctypes.c_long), ('part', ctypes.c_long)]\n"
    "at, c = Time(), ctypes.CDLL('libc.so.6', use_errno=True)\n"
    "def system(name, *given):\n"
    "    numbers = dict(x86_64=dict(clock_gettime=228, gettimeofday=96, time=201, nanosleep=35,\n"
    "                               clock_nanosleep=230),\n"
    "                   aarch64=dict(clock_gettime=113, gettimeofday=169, time=None,\n"
    "                                nanosleep=101, clock_nanosleep=115))\n"
    "    return c.syscall(numbers[os.uname().machine][name], *given)\n"
    "def clock(number):\n"
    "    return system('clock_gettime', number, ctypes.byref(at)), at.s, at.part\n"
    "def machine_is_elsewhere(): return abs(clock(0)[1] - 1767225600) > 1000\n";

TEST_F(VirtualTimeTest, a_clock_that_is_read_past_the_library_is_virtual_too) {
    Preloaded& reader =
        start(kPastTheLibrary +
              "print(*clock(0), *clock(1), *clock(4), *clock(7))\n"
              "print(system('gettimeofday', ctypes.byref(at), None), at.s, at.part)\n"
              "print(system('time', None) if os.uname().machine == 'x86_64' else 1767225600)\n"
              "print(c.clock_gettime(1, ctypes.byref(at)), at.s, c.time(None))\n"
              "print(c.gettimeofday(ctypes.byref(at), None), at.s)\n"
              "print(clock(2)[0], 0 < time.process_time() < 900, clock(99)[0])");
    EXPECT_EQ(reader.said(), "0 1767225600 0 0 1000 0 0 1000 0 0 1000 0");
    EXPECT_EQ(reader.said(), "0 1767225600 0");
    EXPECT_EQ(reader.said(), "1767225600");
    EXPECT_EQ(reader.said(), "0 1000 1767225600");
    EXPECT_EQ(reader.said(), "0 1767225600");
    EXPECT_EQ(reader.said(), "0 True -1");
}

TEST_F(VirtualTimeTest, a_sleep_past_the_library_has_its_deadline) {
    for (const char* sleep :
         {"system('nanosleep', ctypes.byref(at), None)",
          "system('clock_nanosleep', 1, 0, ctypes.byref(at), None)", "c.sleep(3)"}) {
        SCOPED_TRACE(sleep);
        const Instant begin = time_.now();
        Preloaded& sleeper = start(kPastTheLibrary + "at.s = 3\nprint(" + sleep +
                                   ", flush=True)\nsys.stdin.readline()");
        ASSERT_EQ(rest(), at_rest);
        ASSERT_EQ(time_.deadline(0), begin + seconds(3));
        time_.move_to(begin + seconds(3));
        time_.show(0);
        ASSERT_EQ(rest(), at_rest);
        EXPECT_EQ(sleeper.said(), "0");
        processes_.clear();
    }
}

/// Node.js sets all signals to their defaults as it begins; threads block all of them.
TEST_F(VirtualTimeTest, a_program_cannot_take_the_trap_away) {
    Preloaded& reader = start(kPastTheLibrary +
                              "signal.signal(signal.SIGSYS, signal.SIG_DFL)\nprint(clock(1)[1])\n"
                              "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n"
                              "print(clock(1)[1])");
    EXPECT_EQ(reader.said(), "1000");
    EXPECT_EQ(reader.said(), "1000");
}

/// A child lives in real time, also after it has become another program.
TEST_F(VirtualTimeTest, a_child_asks_the_machine_past_the_library) {
    Preloaded& parent = start(kPastTheLibrary +
                              "child = os.fork()\n"
                              "if child == 0: os._exit(7 if machine_is_elsewhere() else 8)\n"
                              "print(os.waitpid(child, 0)[1] >> 8)\n"
                              "child = os.fork()\n"
                              "if child == 0: os.execv('/bin/sleep', ['sleep', '0.01'])\n"
                              "print(os.waitpid(child, 0)[1])");
    EXPECT_EQ(parent.said(), "7");
    EXPECT_EQ(parent.said(), "0");
}

TEST_F(VirtualTimeTest, one_that_never_waits_is_restless) {
    start("while True: pass");
    EXPECT_EQ(time_.await_rest(0, milliseconds(400)), restless);
}

/// What it works takes less than the limit; that another has the processor meanwhile takes longer.
TEST_F(VirtualTimeTest, one_that_waits_for_a_processor_is_waited_for) {
    start("import time\ntime.sleep(1)\nfor i in range(3000000): pass\ntime.sleep(1)");
    ASSERT_EQ(rest(), at_rest);
    const pid_t pid = processes_.back()->process().pid();
    const KeptOn slow(processors().front(), pid);
    ASSERT_EQ(setpriority(PRIO_PROCESS, static_cast<id_t>(pid), 10), 0);
    const std::jthread other([](const std::stop_token& over) {
        const KeptOn beside(processors().front());
        while (!over.stop_requested()) continue;
    });
    time_.move_to(time_.now() + seconds(1));
    time_.show(0);
    EXPECT_EQ(time_.await_rest(0, milliseconds(200)), at_rest);
}

TEST_F(VirtualTimeTest, one_that_stops_itself_is_not_waited_for) {
    start("import os\nos.kill(os.getpid(), 19)");
    // It would be waited for until the test is ended.
    EXPECT_EQ(time_.await_rest(0, std::chrono::hours(1)), restless);
}

TEST_F(VirtualTimeTest, one_that_does_not_take_the_library_is_a_stranger) {
    auto environment = time_.environment(0);
    environment["LD_PRELOAD"] = "";
    Preloaded process("import time\ntime.sleep(100)", environment);
    time_.started(0, process.process().pid());
    EXPECT_EQ(time_.await_rest(0, milliseconds(400)), stranger);
}

}  // namespace
}  // namespace locklab::virtual_time_test
