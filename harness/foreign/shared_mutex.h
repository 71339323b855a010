// A mutex among processes that the kernel releases when its owner dies: the oracle of a
// perfect_lock driver. It is a socket name in the abstract namespace, which only one process can
// bind and which leaves no file.
#pragma once

#include <string>

namespace locklab {

class SharedMutex {
public:
    explicit SharedMutex(std::string name) : name_(std::move(name)) {}
    ~SharedMutex() { give(); }
    SharedMutex(const SharedMutex&) = delete;
    SharedMutex& operator=(const SharedMutex&) = delete;

    /// False: it is taken, perhaps by this process.
    bool take();
    /// False: this process does not hold it.
    bool give();

private:
    const std::string name_;
    int socket_ = -1;
};

}  // namespace locklab
