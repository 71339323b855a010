// Reads that may block: of a pipe or socket in blocking mode. And reads of random bytes, which
// follow from the seed.

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "harness/virtual/shim.h"

namespace {

using namespace locklab::shim;

/// Sets the deadline of a blocking read; false: it does not block.
bool may_wait(int file, std::int64_t& deadline) {
    if (!is_virtual()) return false;
    const int error = errno;
    const long flags = syscall(SYS_fcntl, file, F_GETFL);
    struct stat status {};
    const bool waits = flags >= 0 && (flags & O_NONBLOCK) == 0 && fstat(file, &status) == 0 &&
                       (S_ISSOCK(status.st_mode) || S_ISFIFO(status.st_mode));
    deadline = locklab::kNoDeadline;
    timeval limit{};
    socklen_t size = sizeof limit;
    if (waits && S_ISSOCK(status.st_mode) &&
        getsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, &size) == 0 &&
        (limit.tv_sec != 0 || limit.tv_usec != 0)) {
        deadline = after({limit.tv_sec, limit.tv_usec * 1000});
    }
    errno = error;
    return waits;
}

/// Returns when there is something to read. False: there is nothing, and errno says why.
bool await_input(int file) {
    std::int64_t deadline = 0;
    if (!may_wait(file, deadline)) return true;
    pollfd asked{file, POLLIN, 0};
    pollfd files[2] = {{file, POLLIN, 0}, {}};
    const int found = wait([&] { return LOCKLAB_NEXT(poll)(&asked, 1, 0); }, files, 1, deadline);
    if (found == 0) errno = EAGAIN;
    return found > 0;
}

}  // namespace

LOCKLAB_EXPORT ssize_t read(int file, void* bytes, std::size_t count) {
    if (is_random(file) && draw(bytes, count)) return static_cast<ssize_t>(count);
    return await_input(file) ? LOCKLAB_NEXT(read)(file, bytes, count) : -1;
}

LOCKLAB_EXPORT ssize_t readv(int file, const iovec* parts, int count) {
    return await_input(file) ? LOCKLAB_NEXT(readv)(file, parts, count) : -1;
}

LOCKLAB_EXPORT ssize_t recv(int file, void* bytes, std::size_t count, int flags) {
    if ((flags & MSG_DONTWAIT) == 0 && !await_input(file)) return -1;
    return LOCKLAB_NEXT(recv)(file, bytes, count, flags);
}

LOCKLAB_EXPORT ssize_t recvfrom(int file, void* bytes, std::size_t count, int flags, sockaddr* from,
                                socklen_t* size) {
    if ((flags & MSG_DONTWAIT) == 0 && !await_input(file)) return -1;
    return LOCKLAB_NEXT(recvfrom)(file, bytes, count, flags, from, size);
}

LOCKLAB_EXPORT ssize_t recvmsg(int file, msghdr* message, int flags) {
    if ((flags & MSG_DONTWAIT) == 0 && !await_input(file)) return -1;
    return LOCKLAB_NEXT(recvmsg)(file, message, flags);
}

LOCKLAB_EXPORT ssize_t __read_chk(int file, void* bytes, std::size_t count, std::size_t) {
    return read(file, bytes, count);
}

LOCKLAB_EXPORT ssize_t __recv_chk(int file, void* bytes, std::size_t count, std::size_t,
                                  int flags) {
    return recv(file, bytes, count, flags);
}

LOCKLAB_EXPORT ssize_t __recvfrom_chk(int file, void* bytes, std::size_t count, std::size_t,
                                      int flags, sockaddr* from, socklen_t* size) {
    return recvfrom(file, bytes, count, flags, from, size);
}
