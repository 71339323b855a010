// Waits until everything sent on this machine's loopback has arrived: a busy kernel may delay
// delivery beyond the call that sent it. Each processor delivers in order, so a message to
// ourselves, sent afterwards on the same one, arrives last.
#pragma once

namespace locklab {

class Loopback {
public:
    /// Throws std::system_error.
    Loopback();
    ~Loopback();
    Loopback(const Loopback&) = delete;
    Loopback& operator=(const Loopback&) = delete;

    /// Returns when everything has arrived, and what was sent at once in response: this many times
    /// in turn.
    void await_arrival(int hops);

private:
    int file_ = -1;
};

}  // namespace locklab
