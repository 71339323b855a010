// What a redis-server had at some instant, in all of its databases, as the file from which one
// starts: so a server comes back from a snapshot that is some time old, and nobody sees it without.
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
    /// What it has now, all of one instant. Throws std::runtime_error with one sentence if it does
    /// not say.
    explicit ServerSnapshot(const Endpoint& server);

    /// As a redis-server keeps it (an RDB file); none where there is nothing. What has expired by
    /// the clock of the server that starts from it is gone there. Throws std::runtime_error.
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
