#include "harness/live/redis_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <thread>

#include "harness/live/sync_connection.h"

namespace locklab::redis_process_test {
namespace {

using namespace std::chrono_literals;

Reply ask(const RedisProcess& server, const Command& command) {
    SyncConnection connection(server.endpoint(), 5s);
    return connection.command(command);
}

/// Dead, or dead and not yet waited for by whoever inherited it.
bool is_gone(pid_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return !(stat >> number >> name >> state) || state == "Z";
}

TEST(RedisProcess, is_gone_with_its_folder_after_its_owner) {
    pid_t pid = 0;
    std::filesystem::path folder;
    {
        RedisProcess server;
        pid = server.pid();
        folder = std::filesystem::path(server.endpoint().socket_path).parent_path();
        EXPECT_FALSE(is_gone(pid));
        EXPECT_TRUE(std::filesystem::exists(folder));
    }
    EXPECT_TRUE(is_gone(pid));
    EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(RedisProcess, comes_back_empty_on_the_same_socket) {
    RedisProcess server;
    const std::string socket = server.endpoint().socket_path;
    EXPECT_TRUE(ask(server, Command::of("SET", "k", "v")).is_ok());
    server.restart();
    EXPECT_EQ(server.endpoint().socket_path, socket);
    EXPECT_TRUE(ask(server, Command::of("GET", "k")).is_nil());
}

TEST(RedisProcess, does_not_answer_while_it_is_killed) {
    RedisProcess server;
    server.kill();
    EXPECT_TRUE(ask(server, Command::of("PING")).is_unknown());
    server.launch();
    server.await_ready();
    EXPECT_EQ(ask(server, Command::of("PING")).text(), "PONG");
}

/// What a locklab that is about to be killed leaves for the test to look at.
struct Orphan {
    pid_t pid = 0;
    char socket[108] = {};
};

TEST(RedisProcess, dies_with_a_parent_that_is_killed) {
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    const pid_t parent = fork();
    ASSERT_GE(parent, 0);
    Orphan orphan;
    if (parent == 0) {
        RedisProcess server;
        orphan.pid = server.pid();
        server.endpoint().socket_path.copy(orphan.socket, sizeof orphan.socket - 1);
        if (write(told[1], &orphan, sizeof orphan) != sizeof orphan) _exit(1);
        raise(SIGKILL);
    }
    close(told[1]);
    ASSERT_EQ(read(told[0], &orphan, sizeof orphan), static_cast<ssize_t>(sizeof orphan));
    close(told[0]);
    ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
    for (int i = 0; i < 1000 && !is_gone(orphan.pid); ++i) std::this_thread::sleep_for(10ms);
    EXPECT_TRUE(is_gone(orphan.pid));
    std::filesystem::remove_all(std::filesystem::path(orphan.socket).parent_path());
}

/// First in PATH, in place of redis-server: a script.
class ServerScript {
public:
    explicit ServerScript(const std::string& lines) {
        std::filesystem::create_directories(folder_);
        const std::filesystem::path script = folder_ / "redis-server";
        std::ofstream(script) << "#!/bin/sh\nPATH=" << path_ << "\n" << lines << "\nexit $?\n";
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
    }
    ~ServerScript() {
        setenv("PATH", path_.c_str(), 1);
        std::filesystem::remove_all(folder_);
    }
    ServerScript(const ServerScript&) = delete;
    ServerScript& operator=(const ServerScript&) = delete;

private:
    const std::string path_ = std::getenv("PATH");
    const std::filesystem::path folder_ =
        testing::TempDir() + "wrapped_" + std::to_string(getpid());
};

TEST(RedisProcess, a_full_disk_is_named) {
    const ServerScript full("echo Failed opening the RDB file: No space left on device; exit 1");
    try {
        const RedisProcess server;
        FAIL() << "it was started";
    } catch (const std::runtime_error& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("no space is left for its folder '"), std::string::npos) << said;
        EXPECT_TRUE(said.ends_with("'; right would be a TMPDIR that has some.")) << said;
    }
}

/// The script starts the server and waits for it.
class Wrapped : public testing::TestWithParam<const char*> {
    const ServerScript script_{GetParam()};
};

TEST_P(Wrapped, is_killed_with_the_server_that_it_started) {
    std::optional<RedisProcess> server(std::in_place);
    const std::string info = ask(*server, Command::of("INFO", "server")).text();
    const std::string name = "process_id:";
    const auto pid = static_cast<pid_t>(std::stol(info.substr(info.find(name) + name.size())));
    EXPECT_TRUE(ask(*server, Command::of("SET", "k", "v")).is_ok());
    server->restart();
    EXPECT_TRUE(is_gone(pid));
    EXPECT_TRUE(ask(*server, Command::of("GET", "k")).is_nil());
    const std::string again = ask(*server, Command::of("INFO", "server")).text();
    const auto next = static_cast<pid_t>(std::stol(again.substr(again.find(name) + name.size())));
    server.reset();
    EXPECT_TRUE(is_gone(next));
}

TEST_P(Wrapped, is_stopped_with_the_server_that_it_started) {
    RedisProcess server;
    ASSERT_TRUE(server.stop());
    EXPECT_TRUE(SyncConnection(server.endpoint(), 200ms).command(Command::of("PING")).is_unknown());
    server.go_on();
    EXPECT_EQ(ask(server, Command::of("PING")).text(), "PONG");
}

/// Nobody's child serves the socket, as in a container.
TEST(RedisProcess, whose_socket_is_served_while_it_is_stopped_is_told) {
    RedisProcess server;
    const int elsewhere = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    server.endpoint().socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
    std::filesystem::remove(server.endpoint().socket_path);
    ASSERT_EQ(bind(elsewhere, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(listen(elsewhere, 1), 0);
    ASSERT_TRUE(server.stop());
    const int client = accept(elsewhere, nullptr, nullptr);
    ASSERT_EQ(write(client, "+PONG\r\n", 7), 7);
    EXPECT_THROW(server.go_on(), std::runtime_error);
    close(client);
    close(elsewhere);
}

INSTANTIATE_TEST_SUITE_P(RedisProcess, Wrapped,
                         testing::Values("redis-server \"$@\"", "setsid -w redis-server \"$@\"",
                                         "env -i setsid -f redis-server \"$@\"; sleep 1000"));

TEST(RedisProcess, says_what_to_install) {
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nonexistent", 1);
    std::string text;
    try {
        RedisProcess server;
    } catch (const std::runtime_error& error) {
        text = error.what();
    }
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(text.find("redis-server was not found: install it"), std::string::npos) << text;
}

}  // namespace
}  // namespace locklab::redis_process_test
