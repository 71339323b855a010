// A mutex among processes that the kernel keeps, and gives back when its owner dies: the oracle's,
// for a driver of perfect_lock. It is the name of a socket in the abstract namespace, which only
// one can have and which leaves no file.
#pragma once

#include <string>

namespace locklab {

class SharedMutex {
public:
    explicit SharedMutex(std::string name) : name_(std::move(name)) {}
    ~SharedMutex() { give(); }
    SharedMutex(const SharedMutex&) = delete;
    SharedMutex& operator=(const SharedMutex&) = delete;

    /// False: somebody has it, perhaps this one.
    bool take();
    /// False: this one does not have it.
    bool give();

private:
    const std::string name_;
    int socket_ = -1;
};

}  // namespace locklab
