// A value per client, created when the client is first met: a history need not announce how many
// clients there are.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/core/names.h"

namespace locklab {

template <class T>
class PerClient {
public:
    T& operator[](ClientId client) {
        if (client.value >= values_.size()) values_.resize(std::size_t{client.value} + 1);
        return values_[client.value];
    }
    const std::vector<T>& values() const { return values_; }
    std::vector<T>& all() { return values_; }

private:
    std::vector<T> values_;
};

}  // namespace locklab
