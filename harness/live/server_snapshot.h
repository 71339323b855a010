// The data in the first database of a redis-server, to be put back after a restart: so a server
// comes back from an old snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/live/endpoint.h"

namespace locklab {

class ServerSnapshot {
public:
    /// An empty snapshot.
    ServerSnapshot() = default;
    /// The server's present data. Throws std::runtime_error with one sentence if it does not
    /// answer.
    explicit ServerSnapshot(const Endpoint& server);

    /// Writes the data to an empty server, except what has expired by its clock. Throws as the
    /// constructor does.
    void put_back(const Endpoint& server) const;

private:
    struct Entry {
        std::string key;
        std::string value;         ///< as DUMP returns it
        std::int64_t deadline_ms;  ///< by the server's clock; 0: it never expires
    };
    std::vector<Entry> entries_;
};

}  // namespace locklab
