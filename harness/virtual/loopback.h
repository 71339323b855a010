// What was sent on this machine's loopback has arrived: a busy kernel may put that off until after
// the call that sent it. It delivers in order on each processor, so a message to ourselves, sent
// afterwards on the same one, is behind it.
#pragma once

namespace locklab {

class Loopback {
public:
    /// Throws std::system_error.
    Loopback();
    ~Loopback();
    Loopback(const Loopback&) = delete;
    Loopback& operator=(const Loopback&) = delete;

    /// Returns when all has arrived, and what was answered to it at once: so many times in turn.
    void await_arrival(int hops);

private:
    int file_ = -1;
};

}  // namespace locklab
