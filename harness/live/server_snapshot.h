// The data in all databases of a redis-server at one instant, and the file from which a server
// starts with it: so a server comes back with old data, and no client sees it without that data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/live/endpoint.h"

namespace locklab {

class ServerSnapshot {
public:
    /// An empty snapshot.
    ServerSnapshot() = default;
    /// The server's present data, all of one instant. Throws std::runtime_error with one sentence
    /// if it does not answer.
    explicit ServerSnapshot(const Endpoint& server);

    /// Writes an RDB file in place of any other; an empty snapshot leaves no file. A server that
    /// starts from it drops what has expired by its own clock. Throws std::runtime_error.
    void write(const std::filesystem::path& file) const;

    bool empty() const { return entries_.empty(); }

private:
    struct Entry {
        std::uint8_t database;
        std::string key;
        std::string value;         ///< as DUMP returns it
        std::int64_t deadline_ms;  ///< by the server's clock; 0: it never expires
    };
    std::vector<Entry> entries_;
};

}  // namespace locklab
