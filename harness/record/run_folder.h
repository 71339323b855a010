// The folder of a run: its own. Nobody else has written into it, and nobody else does meanwhile.
#pragma once

#include <filesystem>

namespace locklab {

/// A folder that is locked (flock) for as long as this lives, whatever becomes of the process.
class RunFolder {
public:
    /// Makes the folder; one that is there and empty will do. Throws UsageError if something is in
    /// it, if another process writes to it, or if it cannot be written to.
    static RunFolder made(const std::filesystem::path& folder);
    /// Makes `usual`, or, where that is taken, the same with -2, -3, ... after it.
    static RunFolder made_near(const std::filesystem::path& usual);
    /// One that a run has left. Throws UsageError if it has no manifest.json, or if another process
    /// writes to it.
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
