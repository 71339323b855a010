// One end of a connection, of libuv: it is written at once, as far as that goes, and what is left
// later.
#pragma once

#include <uv.h>

#include <cstddef>
#include <string_view>

#include "harness/live/endpoint.h"

namespace locklab {

class Socket {
public:
    /// Told from the loop. None of these may throw.
    class Owner {
    public:
        /// What connect() came to; nothing else is told before it.
        virtual void connected(Socket& socket, int error) = 0;
        virtual void came(Socket& socket, std::string_view bytes) = 0;
        /// The other side says no more. `error` is 0 where it closed its end as it should.
        virtual void ended(Socket& socket, int error) = 0;
        /// Nothing is kept for later any more: it is written, or cannot be.
        virtual void drained(Socket& socket) = 0;

    protected:
        ~Owner() = default;
    };

    explicit Socket(Owner& owner) : owner_(owner) {}
    /// Closes it.
    ~Socket() { close(); }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    /// Takes the connection that waits at a listener. False if there is none.
    bool accept(uv_loop_t* loop, uv_stream_t* listener);
    /// `endpoint` is resolved.
    void connect(uv_loop_t* loop, const Endpoint& endpoint);

    void read(bool on);
    /// What cannot be written at once is kept. Passed over where it is closed.
    void write(std::string_view bytes);
    /// Bytes that are kept.
    std::size_t pending() const { return pending_; }

    /// Says no more, once all is written; still hears.
    void end();
    void close();
    /// As a network does that lost the connection: the other side is told so.
    void reset();
    bool is_open() const { return handle_ != nullptr; }

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
