// A client of plain sockets, and a node: they say bytes, and hear bytes.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>

#include "harness/live/endpoint.h"
#include "harness/proxy/resp_scanner.h"

namespace locklab {

/// A command as clients send it.
template <class... Words>
std::string resp(const Words&... words) {
    std::string bytes = "*" + std::to_string(sizeof...(words)) + "\r\n";
    const auto add = [&bytes](std::string_view word) {
        bytes += "$" + std::to_string(word.size()) + "\r\n" + std::string(word) + "\r\n";
    };
    (add(words), ...);
    return bytes;
}

class RawClient {
public:
    enum class State { open, closed, reset };

    /// One that is connected already, which it closes.
    explicit RawClient(int connected) : socket_(connected) {}
    explicit RawClient(const Endpoint& endpoint) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(endpoint.port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int on = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    }
    ~RawClient() { close(socket_); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    void say(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    /// Says it over and over, until nothing was taken for a while, or `most` bytes were. How many
    /// bytes were.
    std::size_t say_until_full(std::string_view bytes, std::size_t most) {
        const timeval limit{0, 300'000};
        setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        std::size_t said = 0;
        while (said < most) {
            const std::string_view rest = bytes.substr(said % bytes.size());
            const ssize_t sent = send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
            if (sent <= 0) break;
            said += static_cast<std::size_t>(sent);
        }
        return said;
    }
    void say_no_more() { shutdown(socket_, SHUT_WR); }

    /// The next frame; what there is of it if no more comes for so long.
    std::string hear(std::chrono::milliseconds patience = std::chrono::seconds(10)) {
        RespScanner scanner(RespScanner::Speaker::server);
        std::string frame;
        while (true) {
            const RespScanner::Step step = scanner.scan(kept_);
            frame += kept_.substr(0, step.used);
            kept_.erase(0, step.used);
            if (step.found == RespScanner::Found::frame || !read_more(patience)) return frame;
        }
    }
    /// All that comes until it has so many bytes, or no more come.
    std::string hear_bytes(std::size_t count) {
        while (kept_.size() < count && read_more(std::chrono::seconds(10))) {
        }
        const std::string bytes = kept_.substr(0, count);
        kept_.erase(0, count);
        return bytes;
    }
    std::string ask(std::string_view command) {
        say(command);
        return hear();
    }
    /// What the connection is in the end, if nothing more is heard.
    State state(std::chrono::milliseconds patience = std::chrono::milliseconds(100)) {
        read_more(patience);
        return state_;
    }

private:
    bool read_more(std::chrono::milliseconds patience) {
        const timeval limit{patience.count() / 1000, patience.count() % 1000 * 1000};
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        char buffer[65536];
        const ssize_t got = read(socket_, buffer, sizeof buffer);
        if (got > 0) kept_.append(buffer, static_cast<std::size_t>(got));
        if (got == 0) state_ = State::closed;
        if (got < 0 && errno == ECONNRESET) state_ = State::reset;
        return got > 0;
    }

    int socket_;
    std::string kept_;
    State state_ = State::open;
};

/// Listens at a port, and says and hears what a test wants.
class RawNode {
public:
    RawNode() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* any = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(bind(listener_, any, sizeof address), 0);
        EXPECT_EQ(listen(listener_, 16), 0);
        socklen_t size = sizeof address;
        EXPECT_EQ(getsockname(listener_, any, &size), 0);
        port_ = ntohs(address.sin_port);
    }
    ~RawNode() { close(listener_); }
    RawNode(const RawNode&) = delete;
    RawNode& operator=(const RawNode&) = delete;

    Endpoint endpoint() const { return {"", "127.0.0.1", port_}; }
    /// The next connection: the socket, for a RawClient.
    int next() const { return accept(listener_, nullptr, nullptr); }

private:
    int listener_;
    std::uint16_t port_ = 0;
};

}  // namespace locklab
