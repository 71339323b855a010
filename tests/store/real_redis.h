// A private redis-server with a clock that the test sets. It lives in a temporary folder, keeps
// nothing, expires keys only when they are looked up, and dies with its owner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/core/reply.h"
#include "harness/core/time.h"

struct redisContext;

namespace locklab::test {

class RealRedis {
public:
    /// Throws std::runtime_error, with a sentence that says what to do, where it cannot start.
    RealRedis();
    ~RealRedis();
    RealRedis(const RealRedis&) = delete;
    RealRedis& operator=(const RealRedis&) = delete;

    void set_clock(WallTime now);
    /// Throws std::runtime_error if the server does not answer.
    Reply execute(std::span<const std::string> words);
    Reply execute(const std::vector<std::string>& words) {
        return execute(std::span<const std::string>(words));
    }

private:
    void make_clock();
    void start();
    void connect();
    void stop();

    std::string folder_;
    int process_ = -1;
    volatile std::int64_t* clock_us_ = nullptr;
    redisContext* connection_ = nullptr;
};

}  // namespace locklab::test
