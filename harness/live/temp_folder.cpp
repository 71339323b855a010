#include "harness/live/temp_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace locklab {

namespace {

/// The path of a unix socket has 107 characters at most, and the socket lies in here.
constexpr std::size_t kLongestParent = 60;

std::filesystem::path parent() {
    std::error_code ignored;
    const std::filesystem::path usual = std::filesystem::temp_directory_path(ignored);
    const bool fits = !usual.empty() && usual.native().size() <= kLongestParent;
    return fits ? usual : std::filesystem::path("/tmp");
}

}  // namespace

TempFolder::TempFolder(const std::string& name) {
    std::string text = (parent() / (name + "-XXXXXX")).string();
    if (mkdtemp(text.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), "cannot make " + text);
    }
    path_ = text;
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace locklab
