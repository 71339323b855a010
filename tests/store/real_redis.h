// A private redis-server, or Valkey, with a clock that the test sets. It lives in a temporary
// folder, keeps nothing, expires keys only when they are looked up, and dies with its owner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/core/reply.h"
#include "harness/core/time.h"
#include "harness/live/server_program.h"

struct redisContext;

namespace locklab::test {

class RealRedis {
public:
    /// Throws std::runtime_error, with a sentence that says what to do, where it cannot start.
    explicit RealRedis(ServerProgram program);
    ~RealRedis();
    RealRedis(const RealRedis&) = delete;
    RealRedis& operator=(const RealRedis&) = delete;

    void set_clock(WallTime now);
    /// Over one of the connections, each of which opens on its first use. Throws std::runtime_error
    /// if the server does not answer.
    Reply execute(std::span<const std::string> words, std::size_t connection = 0);
    Reply execute(const std::vector<std::string>& words, std::size_t connection = 0) {
        return execute(std::span<const std::string>(words), connection);
    }
    void close(std::size_t connection);

private:
    void make_clock();
    void start();
    redisContext* connect();
    redisContext*& connection(std::size_t number);
    void stop();

    const ServerProgram program_;
    std::string folder_;
    int process_ = -1;
    volatile std::int64_t* clock_us_ = nullptr;
    std::vector<redisContext*> connections_;
};

}  // namespace locklab::test
