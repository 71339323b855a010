// Connections on this machine: data written to one has arrived when the call returns, without any
// timer of the kernel.

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>

#include "harness/virtual/shim.h"

LOCKLAB_EXPORT int connect(int file, const sockaddr* address, socklen_t size) {
    using namespace locklab::shim;
    if (is_virtual() && address != nullptr && address->sa_family == AF_INET) {
        const int error = errno;
        const int on = 1;
        // Some congestion control algorithms hold packets back for a while; this one never does.
        setsockopt(file, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
        setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        errno = error;
    }
    return LOCKLAB_NEXT(connect)(file, address, size);
}
