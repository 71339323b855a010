// A fresh folder that is removed, with all that is in it, when its owner is. One whose process was
// killed stays, until the next process that looks for such folders removes it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace locklab {

/// What those are called in which a redis-server keeps its socket, and processes find their clocks.
inline constexpr const char* kRedisFolder = "locklab-redis";
inline constexpr const char* kTimeFolder = "locklab-time";

class TempFolder {
public:
    /// Throws std::system_error if no folder can be made.
    explicit TempFolder(const std::string& name);
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Removes those of this user whose name begins so and whose process is dead: a file in each
    /// names it. One that has named none for a minute is removed too. Returns what was removed.
    static std::vector<std::filesystem::path> remove_dead(const std::string& name);

private:
    std::filesystem::path path_;
};

}  // namespace locklab
