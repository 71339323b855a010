#include "harness/live/probe.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"

namespace locklab::probe_test {
namespace {

using namespace std::chrono_literals;

/// Accepts one connection, says something that is not Redis's language, or nothing, and waits
/// for the other side to hang up.
class StrangeServer {
public:
    explicit StrangeServer(std::string words) : words_(std::move(words)) {
        listening_ = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(bind(listening_, generic, size), 0);
        EXPECT_EQ(getsockname(listening_, generic, &size), 0);
        EXPECT_EQ(listen(listening_, 1), 0);
        endpoint_.host = "127.0.0.1";
        endpoint_.port = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~StrangeServer() {
        shutdown(listening_, SHUT_RDWR);
        thread_.join();
        close(listening_);
    }

    const Endpoint& endpoint() const { return endpoint_; }

private:
    void serve() {
        const int peer = accept(listening_, nullptr, nullptr);
        if (peer < 0) return;
        char buffer[256];
        ssize_t got = read(peer, buffer, sizeof buffer);
        if (got > 0) got = send(peer, words_.data(), words_.size(), MSG_NOSIGNAL);
        while (got > 0) got = read(peer, buffer, sizeof buffer);
        if (words_.empty()) read(peer, buffer, sizeof buffer);
        close(peer);
    }

    std::string words_;
    int listening_ = -1;
    Endpoint endpoint_;
    std::thread thread_;
};

std::string complaint(const Endpoint& endpoint) {
    try {
        probe(endpoint);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Probe, tells_the_version) {
    RedisProcess server;
    const std::string version = probe(server.endpoint());
    EXPECT_TRUE(version.find('.') != std::string::npos) << version;
}

TEST(Probe, names_a_server_that_is_not_redis) {
    StrangeServer http("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(says(complaint(http.endpoint()), "answers, but is not Redis"));
    StrangeServer polite("+HELLO\r\n");
    EXPECT_TRUE(says(complaint(polite.endpoint()), "answers, but is not Redis"));
    StrangeServer mistaken("+PONG\r\n+PONG\r\n");
    EXPECT_TRUE(says(complaint(mistaken.endpoint()), "answers, but is not Redis"));
}

TEST(Probe, names_a_server_that_stays_silent) {
    StrangeServer silent("");
    EXPECT_TRUE(says(complaint(silent.endpoint()), "stays silent"));
}

TEST(Probe, names_a_server_that_is_not_there) {
    Endpoint nobody;
    nobody.host = "127.0.0.1";
    nobody.port = 1;
    const std::string refused = complaint(nobody);
    EXPECT_TRUE(says(refused, "127.0.0.1:1 cannot be reached")) << refused;
    nobody.host = "no-such-host.invalid";
    EXPECT_TRUE(says(complaint(nobody), "cannot be reached"));
}

TEST(Probe, names_a_server_that_wants_a_password) {
    RedisProcess server;
    SyncConnection connection(server.endpoint(), 5s);
    ASSERT_TRUE(connection.command(Command::of("CONFIG", "SET", "requirepass", "x")).is_ok());
    const std::string text = complaint(server.endpoint());
    EXPECT_TRUE(says(text, "wants a password")) << text;
}

}  // namespace
}  // namespace locklab::probe_test
