#include "harness/record/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

namespace locklab {

namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
    throw FileError(std::string(what) + " '" + path.string() +
                    "': " + std::generic_category().message(error));
}

/// A temporary file next to its target, removed unless it replaces the target.
class Draft {
public:
    explicit Draft(const std::filesystem::path& target)
        : target_(target), name_(target.string() + ".XXXXXX") {
        descriptor_ = mkstemp(name_.data());
        if (descriptor_ < 0) fail("cannot write", target_, errno);
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() {
        if (descriptor_ >= 0) close(descriptor_);
        if (!name_.empty()) unlink(name_.c_str());
    }

    void write(std::string_view content) {
        while (!content.empty()) {
            const ssize_t written = ::write(descriptor_, content.data(), content.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) fail("cannot write", target_, written < 0 ? errno : ENOSPC);
            content.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    void put_in_place() {
        // mkstemp makes files that only their owner can read; results are for all users.
        if (fchmod(descriptor_, 0644) != 0 || fsync(descriptor_) != 0) {
            fail("cannot write", target_, errno);
        }
        if (close(std::exchange(descriptor_, -1)) != 0) fail("cannot write", target_, errno);
        if (std::rename(name_.c_str(), target_.c_str()) != 0) fail("cannot write", target_, errno);
        name_.clear();
    }

private:
    const std::filesystem::path& target_;
    std::string name_;
    int descriptor_ = -1;
};

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view content) {
    Draft draft(path);
    draft.write(content);
    draft.put_in_place();
}

std::string read_text(const std::filesystem::path& path, std::size_t most,
                      const std::string& what) {
    std::ifstream in = open_to_read(path);
    std::string text;
    std::array<char, 1 << 16> piece;
    while (in && text.size() <= most) {
        in.read(piece.data(), piece.size());
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (in.bad()) fail("cannot read", path, EIO);
    if (text.size() <= most) return text;
    throw FileError("cannot read '" + path.string() + "': it has more than " +
                    std::to_string(most) + " bytes, too many for " + what);
}

std::string read_regular(const std::filesystem::path& path, std::size_t most,
                         const std::string& what) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw FileError("cannot read '" + path.string() + "': it is no file");
    }
    return read_text(path, most, what);
}

std::ifstream open_to_read(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) fail("cannot read", path, EISDIR);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) fail("cannot read", path, errno != 0 ? errno : EIO);
    return in;
}

}  // namespace locklab
