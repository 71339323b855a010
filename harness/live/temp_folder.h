// A fresh folder that is removed, with its contents, with its owner. If its process was killed, it
// stays until the next process that looks for such folders removes it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace locklab {

/// Names of the folders with a redis-server's socket, with the clocks of processes, and with the
/// data of servers that are not Redis.
inline constexpr const char* kRedisFolder = "locklab-redis";
inline constexpr const char* kTimeFolder = "locklab-time";
inline constexpr const char* kServersFolder = "locklab-servers";

class TempFolder {
public:
    /// Throws std::system_error if no folder can be made.
    explicit TempFolder(const std::string& name);
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Removes this user's folders whose name begins with `name` and whose process is dead: a file
    /// in each names it. One that has named none for a minute is removed too. Returns what was
    /// removed.
    static std::vector<std::filesystem::path> remove_dead(const std::string& name);

private:
    std::filesystem::path path_;
};

}  // namespace locklab
