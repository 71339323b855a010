#include "harness/proxy/socket.h"

#include <poll.h>

#include <array>
#include <memory>
#include <string>

#include "harness/core/assert.h"

namespace locklab {

/// Lives until libuv has closed it; by then its socket may be gone.
struct Socket::Handle {
    union {
        uv_handle_t any;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    };
    Socket* socket = nullptr;
    bool is_pipe = false;

    static Handle& of(void* handle) {
        return *static_cast<Handle*>(static_cast<uv_handle_t*>(handle)->data);
    }
};

struct Socket::Write {
    uv_write_t request{};
    std::string bytes;
};

struct Socket::Connect {
    uv_connect_t request{};

    static void done(uv_connect_t* request, int error) {
        const std::unique_ptr<Connect> connect(static_cast<Connect*>(request->data));
        if (Socket* socket = Handle::of(request->handle).socket) {
            socket->owner_.connected(*socket, error);
        }
    }
};

Socket::Handle& Socket::make(uv_loop_t* loop, bool is_pipe) {
    LOCKLAB_ASSERT(handle_ == nullptr);
    handle_ = new Handle{};
    handle_->socket = this;
    handle_->is_pipe = is_pipe;
    LOCKLAB_ASSERT(
        (is_pipe ? uv_pipe_init(loop, &handle_->pipe, 0) : uv_tcp_init(loop, &handle_->tcp)) == 0);
    handle_->any.data = handle_;
    return *handle_;
}

bool Socket::accept(uv_loop_t* loop, uv_stream_t* listener) {
    Handle& handle = make(loop, false);
    if (uv_accept(listener, &handle.stream) != 0) {
        close();
        return false;
    }
    uv_tcp_nodelay(&handle.tcp, 1);
    return true;
}

void Socket::connect(uv_loop_t* loop, const Endpoint& endpoint) {
    const bool is_pipe = !endpoint.socket_path.empty();
    Handle& handle = make(loop, is_pipe);
    auto connect = std::make_unique<Connect>();
    connect->request.data = connect.get();
    if (is_pipe) {
        uv_pipe_connect(&connect.release()->request, &handle.pipe, endpoint.socket_path.c_str(),
                        Connect::done);
        return;
    }
    sockaddr_storage address{};
    auto* v4 = reinterpret_cast<sockaddr_in*>(&address);
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&address);
    if (uv_ip4_addr(endpoint.host.c_str(), endpoint.port, v4) != 0) {
        LOCKLAB_ASSERT(uv_ip6_addr(endpoint.host.c_str(), endpoint.port, v6) == 0);
    }
    const int error = uv_tcp_connect(&connect->request, &handle.tcp,
                                     reinterpret_cast<sockaddr*>(&address), Connect::done);
    if (error != 0) return owner_.connected(*this, error);
    static_cast<void>(connect.release());
    uv_tcp_nodelay(&handle.tcp, 1);
}

void Socket::read(bool on) {
    if (handle_ == nullptr || on == reads_) return;
    reads_ = on;
    if (!on) {
        uv_read_stop(&handle_->stream);
        return;
    }
    // All sockets of a thread read into the same memory, one after the other.
    const auto allocate = [](uv_handle_t*, std::size_t, uv_buf_t* buffer) {
        static thread_local std::array<char, 65'536> bytes;
        *buffer = uv_buf_init(bytes.data(), bytes.size());
    };
    const auto came = [](uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
        Socket* socket = Handle::of(stream).socket;
        if (socket == nullptr || count == 0) return;
        if (count > 0) {
            socket->owner_.came(*socket, {buffer->base, static_cast<std::size_t>(count)});
            return;
        }
        socket->read(false);
        socket->owner_.ended(*socket, count == UV_EOF ? 0 : static_cast<int>(count));
    };
    uv_read_start(&handle_->stream, allocate, came);
}

void Socket::write(std::string_view bytes) {
    if (handle_ == nullptr || ends_ || bytes.empty()) return;
    if (pending_ == 0) {
        const uv_buf_t buffer =
            uv_buf_init(const_cast<char*>(bytes.data()), static_cast<unsigned>(bytes.size()));
        const int written = uv_try_write(&handle_->stream, &buffer, 1);
        // Other errors show when reading.
        if (written < 0 && written != UV_EAGAIN) return;
        if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
        if (bytes.empty()) return;
    }
    auto* write = new Write{{}, std::string(bytes)};
    write->request.data = write;
    pending_ += bytes.size();
    const uv_buf_t buffer =
        uv_buf_init(write->bytes.data(), static_cast<unsigned>(write->bytes.size()));
    // A failed write shows when reading; drained() lets the owner begin to read again.
    const auto done = [](uv_write_t* request, int) {
        const std::unique_ptr<Write> written(static_cast<Write*>(request->data));
        Socket* socket = Handle::of(request->handle).socket;
        if (socket == nullptr) return;
        socket->pending_ -= written->bytes.size();
        if (socket->pending_ == 0) socket->owner_.drained(*socket);
    };
    LOCKLAB_ASSERT(uv_write(&write->request, &handle_->stream, &buffer, 1, done) == 0);
}

void Socket::end() {
    if (handle_ == nullptr || ends_) return;
    ends_ = true;
    auto* request = new uv_shutdown_t{};
    const auto done = [](uv_shutdown_t* ended, int) { delete ended; };
    if (uv_shutdown(request, &handle_->stream, done) != 0) delete request;
}

void Socket::forget() {
    handle_->socket = nullptr;
    handle_ = nullptr;
    pending_ = 0;
}

void Socket::close() {
    if (handle_ == nullptr) return;
    uv_close(&handle_->any, [](uv_handle_t* closed) { delete &Handle::of(closed); });
    forget();
}

bool Socket::is_hung_up() const {
    if (handle_ == nullptr) return true;
    pollfd its{};
    if (uv_fileno(&handle_->any, &its.fd) != 0) return true;
    its.events = POLLRDHUP;
    return poll(&its, 1, 0) > 0;
}

void Socket::reset() {
    if (handle_ == nullptr) return;
    const auto closed = [](uv_handle_t* handle) { delete &Handle::of(handle); };
    const bool is_reset =
        !handle_->is_pipe && !ends_ && uv_tcp_close_reset(&handle_->tcp, closed) == 0;
    is_reset ? forget() : close();
}

}  // namespace locklab
