// What a redis-server has in its first database, to be put back after a restart: a server comes
// back so from a snapshot that is some time old.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/live/endpoint.h"

namespace locklab {

class ServerSnapshot {
public:
    /// Nothing.
    ServerSnapshot() = default;
    /// What it has now. Throws std::runtime_error with one sentence if it does not say.
    explicit ServerSnapshot(const Endpoint& server);

    /// A server that has nothing has this then, but for what has expired by its clock. Throws as
    /// the constructor does.
    void put_back(const Endpoint& server) const;

private:
    struct Entry {
        std::string key;
        std::string value;         ///< as DUMP gives it
        std::int64_t deadline_ms;  ///< by the server's clock; 0: it never expires
    };
    std::vector<Entry> entries_;
};

}  // namespace locklab
