#include "harness/record/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "harness/core/usage_error.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr int kMostSuffixes = 1'000;

[[noreturn]] void cannot_write(const fs::path& folder, int error) {
    throw UsageError("results cannot be written to " + folder.string() + " (" +
                     std::generic_category().message(error) +
                     "); right would be --out FOLDER with a folder that can be written to");
}

[[noreturn]] void is_used(const fs::path& folder) {
    const bool is_run = fs::exists(folder / "manifest.json");
    throw UsageError(folder.string() + (is_run ? " has a run already" : " is not empty") +
                     ", and a run's folder is its own; right would be another --out" +
                     (is_run ? ", or --resume to go on with that run" : ""));
}

bool has_nothing(const fs::path& folder) {
    std::error_code error;
    const bool empty = fs::is_empty(folder, error);
    if (error) cannot_write(folder, error.value());
    return empty;
}

/// The folder's descriptor, which holds the lock: two processes may choose the same name at the
/// same time. On a file system without locks, goes on without: the folder is still new.
int locked(const fs::path& folder) {
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) cannot_write(folder, errno);
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return descriptor;
    close(descriptor);
    throw UsageError("another locklab writes to " + folder.string() +
                     " now; right would be another --out");
}

/// True: the folder is new. False: it exists, perhaps empty.
bool make(const fs::path& folder) {
    std::error_code error;
    if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
    if (mkdir(folder.c_str(), 0777) == 0) return true;
    const int problem = error ? error.value() : errno;
    if (problem != EEXIST) cannot_write(folder, problem);
    return false;
}

}  // namespace

RunFolder::RunFolder(fs::path path, int lock) : path_(std::move(path)), lock_(lock) {}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

RunFolder::~RunFolder() {
    if (lock_ >= 0) close(lock_);
}

RunFolder RunFolder::made(const fs::path& folder) {
    make(folder);
    std::error_code error;
    if (!fs::is_directory(folder, error)) cannot_write(folder, ENOTDIR);
    RunFolder own(folder, locked(folder));
    // Checked under the lock: another process may have finished a run here meanwhile.
    if (!has_nothing(folder)) is_used(folder);
    if (access(folder.c_str(), W_OK) != 0) cannot_write(folder, errno);
    return own;
}

RunFolder RunFolder::made_near(const fs::path& usual) {
    for (int number = 1; number <= kMostSuffixes; ++number) {
        const std::string suffix = number == 1 ? "" : "-" + std::to_string(number);
        const fs::path folder = usual.string() + suffix;
        if (make(folder)) return {folder, locked(folder)};
    }
    cannot_write(usual, EEXIST);
}

RunFolder RunFolder::reopened(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder / "manifest.json", error)) {
        throw UsageError(folder.string() +
                         " has no manifest.json, so no run can be resumed there; right would be "
                         "the --out of a suite that was interrupted");
    }
    return {folder, locked(folder)};
}

}  // namespace locklab
