// A server of plain sockets that says whatever a test wants.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "harness/live/endpoint.h"

namespace locklab {

/// Serves each connection in a thread of its own, until it is destroyed or the other side hangs up.
class FakeServer {
public:
    /// One connection, as the server sees it.
    class Peer {
    public:
        Peer(int socket, const std::atomic<bool>& over) : socket_(socket), over_(over) {}

        /// False once there is nothing more to be had. What it says is thrown away.
        bool hear() {
            char buffer[4096];
            return read(socket_, buffer, sizeof buffer) > 0;
        }
        bool say(const std::string& words) {
            return !over_ && send(socket_, words.data(), words.size(), MSG_NOSIGNAL) > 0;
        }
        /// As slowly as that.
        bool drip(const std::string& words, std::chrono::milliseconds each) {
            for (const char c : words) {
                std::this_thread::sleep_for(each);
                if (!say(std::string(1, c))) return false;
            }
            return true;
        }

    private:
        int socket_;
        const std::atomic<bool>& over_;
    };
    using Serve = std::function<void(Peer& peer)>;

    explicit FakeServer(Serve serve) : serve_(std::move(serve)) {
        listening_ = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(bind(listening_, generic, size), 0);
        EXPECT_EQ(getsockname(listening_, generic, &size), 0);
        EXPECT_EQ(listen(listening_, 128), 0);
        endpoint_.host = "127.0.0.1";
        endpoint_.port = ntohs(address.sin_port);
        accepting_ = std::thread([this] { accept_all(); });
    }
    ~FakeServer() {
        over_ = true;
        shutdown(listening_, SHUT_RDWR);
        accepting_.join();
        close(listening_);
        for (const int peer : peers_) shutdown(peer, SHUT_RDWR);
        for (std::thread& thread : threads_) thread.join();
        for (const int peer : peers_) close(peer);
    }
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;

    const Endpoint& endpoint() const { return endpoint_; }

private:
    void accept_all() {
        for (;;) {
            const int socket = accept(listening_, nullptr, nullptr);
            if (socket < 0) return;
            peers_.push_back(socket);
            threads_.emplace_back([this, socket] {
                Peer peer(socket, over_);
                serve_(peer);
                shutdown(socket, SHUT_RDWR);
            });
        }
    }

    Serve serve_;
    int listening_ = -1;
    Endpoint endpoint_;
    std::atomic<bool> over_{false};
    std::vector<int> peers_;
    std::vector<std::thread> threads_;
    std::thread accepting_;
};

}  // namespace locklab
