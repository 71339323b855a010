#include "harness/foreign/shared_mutex.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace locklab {

bool SharedMutex::take() {
    if (socket_ >= 0) return false;
    const int fresh = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fresh < 0) return false;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    // A zero byte before the name puts it into the abstract namespace.
    const std::size_t size = std::min(name_.size(), sizeof address.sun_path - 1);
    std::copy_n(name_.data(), size, address.sun_path + 1);
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
    if (bind(fresh, reinterpret_cast<sockaddr*>(&address), length) != 0) {
        close(fresh);
        return false;
    }
    socket_ = fresh;
    return true;
}

bool SharedMutex::give() {
    if (socket_ < 0) return false;
    close(socket_);
    socket_ = -1;
    return true;
}

}  // namespace locklab
