#include "harness/live/temp_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "harness/live/process_name.h"

namespace locklab {

namespace {

/// The path of a unix socket has 107 characters at most, and the socket is in this folder.
constexpr std::size_t kLongestParent = 60;
/// Names the process that the folder belongs to.
constexpr const char* kOwner = ".owner";
/// A folder that names no process for this long was left by one killed before it could write that.
constexpr auto kNamedWithin = std::chrono::minutes(1);

std::filesystem::path parent() {
    std::error_code ignored;
    const std::filesystem::path usual = std::filesystem::temp_directory_path(ignored);
    const bool fits = !usual.empty() && usual.native().size() <= kLongestParent;
    return fits ? usual : std::filesystem::path("/tmp");
}

/// A folder itself, not a link to one, which could lead anywhere.
bool is_ours(const std::filesystem::path& path) {
    struct stat status {};
    return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
           status.st_uid == geteuid();
}

bool is_left(const std::filesystem::path& folder) {
    std::string owner;
    std::ifstream in(folder / kOwner);
    if (std::getline(in, owner)) return is_dead(owner);
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(folder, error);
    return !error && std::filesystem::file_time_type::clock::now() - changed > kNamedWithin;
}

}  // namespace

TempFolder::TempFolder(const std::string& name) {
    std::string text = (parent() / (name + "-XXXXXX")).string();
    if (mkdtemp(text.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), "cannot make " + text);
    }
    path_ = text;
    std::ofstream(path_ / kOwner) << this_process();
}

std::vector<std::filesystem::path> TempFolder::remove_dead(const std::string& name) {
    std::vector<std::filesystem::path> removed;
    std::error_code error;
    for (std::filesystem::directory_iterator each(parent(), error), end; !error && each != end;
         each.increment(error)) {
        const std::filesystem::path& path = each->path();
        if (!path.filename().string().starts_with(name + "-") || !is_ours(path)) continue;
        if (!is_left(path)) continue;
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
        if (!std::filesystem::exists(path, ignored)) removed.push_back(path);
    }
    return removed;
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace locklab
