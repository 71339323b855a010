// The folder of one run, into which no other process writes.
#pragma once

#include <filesystem>

namespace locklab {

/// A folder that is locked (flock) as long as this lives; the lock ends with the process.
class RunFolder {
public:
    /// Makes the folder, or uses an empty one. Throws UsageError if it is not empty, if another
    /// process writes to it, or if it cannot be written to.
    static RunFolder made(const std::filesystem::path& folder);
    /// Makes `usual`, or, if that is taken, the same with -2, -3, ... after it.
    static RunFolder made_near(const std::filesystem::path& usual);
    /// The folder of an earlier run. Throws UsageError if it has no manifest.json, or if another
    /// process writes to it.
    static RunFolder reopened(const std::filesystem::path& folder);

    RunFolder(RunFolder&& other) noexcept;
    RunFolder& operator=(RunFolder&&) = delete;
    ~RunFolder();

    const std::filesystem::path& path() const { return path_; }

private:
    RunFolder(std::filesystem::path path, int lock);

    std::filesystem::path path_;
    int lock_;
};

}  // namespace locklab
