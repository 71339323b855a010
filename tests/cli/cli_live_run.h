// What tests of the program's live runs share: somebody's Redis, and Ctrl-C.
#pragma once

#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <sstream>

#include "harness/live/sync_connection.h"
#include "tests/cli/cli_run.h"
#include "tests/core/places.h"

namespace locklab {

/// A socket that listens on a free port of this machine.
class Listener {
public:
    Listener() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* const raw = reinterpret_cast<sockaddr*>(&address);
        socklen_t size = sizeof address;
        const bool ready = bind(socket_, raw, size) == 0 && listen(socket_, 8) == 0 &&
                           getsockname(socket_, raw, &size) == 0;
        EXPECT_TRUE(ready);
        port_ = ntohs(address.sin_port);
    }
    ~Listener() { close(socket_); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    /// Takes one connection and answers its first words with `answer`.
    void serve_once(std::string_view answer) const {
        const int peer = accept(socket_, nullptr, nullptr);
        char words[256];
        EXPECT_GT(read(peer, words, sizeof words), 0);
        EXPECT_GT(write(peer, answer.data(), answer.size()), 0);
        close(peer);
    }
    std::uint16_t port() const { return port_; }

private:
    int socket_;
    std::uint16_t port_ = 0;
};

class CliLiveTest : public CliTest {
protected:
    /// Somebody's Redis, on a port of its own.
    void start_redis(const Words& more = {}) {
        endpoint_.host = "127.0.0.1";
        endpoint_.port = free_port();
        ProcessOptions options = options_;
        options.folder = temp_;
        options.out = options.err = root_.path() / "redis.log";
        Words words{"--port", std::to_string(endpoint_.port), "--save", "", "--appendonly", "no"};
        words.insert(words.end(), more.begin(), more.end());
        redis_ = std::make_unique<Process>("redis-server", words, options);
        ASSERT_TRUE(await([&] { return !ask("PING").is_unknown(); })) << content_of(options.out);
    }
    /// A node of a cluster also listens 10,000 ports above its own, and there is none above 65,535.
    static std::uint16_t free_port() {
        std::uint16_t port = 0;
        do port = Listener().port();
        while (port > 55'535);
        return port;
    }
    template <class... Arguments>
    Reply ask(Arguments... words) const {
        SyncConnection connection(endpoint_, std::chrono::seconds(5));
        return connection.command(Command::of(words...));
    }
    std::string address() const { return to_string(endpoint_); }
    bool has_keys() const { return ask("DBSIZE").as_integer() > 0; }

    /// Starts a verb, interrupts it when `ready` says so, and expects it to end well.
    Ran interrupted(const Words& words, const std::function<bool(Process&)>& ready) {
        Process process(built_program(), words, options_);
        EXPECT_TRUE(await([&] { return !process.running() || ready(process); }));
        EXPECT_TRUE(process.running()) << content_of(options_.err);
        const pid_t redis = process.redis();
        // The folder is there before its server is, so that the other way round says nothing.
        EXPECT_TRUE(redis == 0 || !temp_is_empty());
        process.interrupt();
        Ran ran = process.wait();
        ran.err = without_notes(ran.err);
        expect_sentence(ran, 2, {"interrupted"});
        EXPECT_TRUE(redis == 0 || kill(redis, 0) != 0) << "its redis-server still runs";
        EXPECT_TRUE(temp_is_empty());
        return ran;
    }

    /// What stderr says beside where the report is, and what cannot be done live.
    static std::string without_notes(const std::string& err) {
        std::istringstream lines(err);
        std::string left;
        for (std::string line; std::getline(lines, line);) {
            const bool note =
                line.starts_with("report: ") || line.find(" is left out: ") != std::string::npos;
            if (!note) left += line + "\n";
        }
        return left;
    }

    Endpoint endpoint_;
    std::unique_ptr<Process> redis_;
};

}  // namespace locklab
