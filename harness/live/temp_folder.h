// A fresh folder that is removed, with all that is in it, when its owner is.
#pragma once

#include <filesystem>
#include <string>

namespace locklab {

class TempFolder {
public:
    /// Throws std::system_error if no folder can be made.
    explicit TempFolder(const std::string& name);
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace locklab
