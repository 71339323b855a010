// One end of a connection, with libuv: data is written at once as far as possible, and the rest
// later.
#pragma once

#include <uv.h>

#include <cstddef>
#include <string_view>

#include "harness/live/endpoint.h"

namespace locklab {

class Socket {
public:
    /// Called from the loop. None of these may throw.
    class Owner {
    public:
        /// Result of connect(); nothing else is called before it.
        virtual void connected(Socket& socket, int error) = 0;
        virtual void came(Socket& socket, std::string_view bytes) = 0;
        /// The other side sends no more. `error` is 0 if it closed properly.
        virtual void ended(Socket& socket, int error) = 0;
        /// No bytes are kept any more: they are written, or cannot be.
        virtual void drained(Socket& socket) = 0;

    protected:
        ~Owner() = default;
    };

    explicit Socket(Owner& owner) : owner_(owner) {}
    /// Closes it.
    ~Socket() { close(); }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    /// Accepts a connection that waits at a listener. False if there is none.
    bool accept(uv_loop_t* loop, uv_stream_t* listener);
    /// `endpoint` must be resolved.
    void connect(uv_loop_t* loop, const Endpoint& endpoint);

    void read(bool on);
    /// Keeps what cannot be written at once. No effect if the socket is closed.
    void write(std::string_view bytes);
    /// Bytes that are kept.
    std::size_t pending() const { return pending_; }

    /// Closes the sending side once all is written; still receives.
    void end();
    void close();
    /// Resets the connection, as a network that lost it would: the other side sees it.
    void reset();
    bool is_open() const { return handle_ != nullptr; }
    /// Whether the other side has closed the connection, though ended() may not have said so yet.
    bool is_hung_up() const;

private:
    struct Handle;
    struct Write;
    struct Connect;

    Handle& make(uv_loop_t* loop, bool is_pipe);
    void forget();

    Owner& owner_;
    Handle* handle_ = nullptr;
    std::size_t pending_ = 0;
    bool reads_ = false;
    bool ends_ = false;
};

}  // namespace locklab
