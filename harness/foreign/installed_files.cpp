#include "harness/foreign/installed_files.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "harness/core/sha1.h"
#include "harness/foreign/library_manifest.h"
#include "harness/record/files.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// The largest files are programs and Java archives.
constexpr std::size_t kLargestInstalled = 500'000'000;
constexpr std::size_t kDigestSize = 40;

std::string digest_of(const fs::directory_entry& entry) {
    const std::string content =
        entry.is_symlink() ? "link " + fs::read_symlink(entry.path()).string()
                           : read_text(entry.path(), kLargestInstalled, "an installed library");
    return to_hex(sha1(content));
}

/// Digests by file name in the folder.
std::map<std::string, std::string> files_of(const fs::path& installed) {
    std::map<std::string, std::string> files;
    try {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(installed)) {
            if (entry.path() == install_stamp(installed)) continue;
            if (!entry.is_symlink() && !entry.is_regular_file()) continue;
            files[entry.path().lexically_relative(installed).string()] = digest_of(entry);
        }
    } catch (const fs::filesystem_error& error) {
        throw FileError("cannot read '" + installed.string() + "': " + error.code().message());
    }
    return files;
}

}  // namespace

std::string list_of_files(const fs::path& installed) {
    std::string list;
    for (const auto& [name, digest] : files_of(installed)) {
        list.append(digest).append(" ").append(name).append("\n");
    }
    return list;
}

std::string changed_file(const fs::path& installed, std::string_view list) {
    std::map<std::string, std::string> files = files_of(installed);
    while (list.size() > kDigestSize) {
        const std::string_view line = list.substr(0, list.find('\n'));
        list.remove_prefix(std::min(line.size() + 1, list.size()));
        if (line.size() <= kDigestSize) continue;
        const std::string name(line.substr(kDigestSize + 1));
        const auto found = files.find(name);
        if (found == files.end() || found->second != line.substr(0, kDigestSize)) return name;
        files.erase(found);
    }
    return files.empty() ? "" : files.begin()->first;
}

}  // namespace locklab
