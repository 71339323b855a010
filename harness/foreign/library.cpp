#include "harness/foreign/library.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "harness/core/nearest.h"
#include "harness/core/sha1.h"
#include "harness/core/usage_error.h"
#include "harness/foreign/installed_files.h"
#include "harness/foreign/library_manifest.h"
#include "harness/record/files.h"
#include "harness/record/home_folder.h"
#include "harness/record/json_line.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRow = "lib:";
/// Of a file of a driver's folder: lock files are the longest.
constexpr std::size_t kMostFile = 4'000'000;
/// A line for each file that is installed: a node_modules/ may have ten thousand.
constexpr std::size_t kMostStamp = 32'000'000;

bool is_in_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (true) {
        const std::size_t end = rest.find(':');
        const fs::path candidate = fs::path(rest.substr(0, end)) / program;
        std::error_code error;
        if (fs::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0) {
            return true;
        }
        if (end == std::string_view::npos) return false;
        rest.remove_prefix(end + 1);
    }
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        entries.push_back(each->path());
    }
    if (error) throw FileError("cannot read '" + folder.string() + "': " + error.message());
    std::sort(entries.begin(), entries.end());
    return entries;
}

}  // namespace

std::vector<fs::path> Library::files() const {
    std::vector<fs::path> files = sorted_entries(folder);
    std::erase_if(files, [](const fs::path& each) { return !fs::is_regular_file(each); });
    return files;
}

std::string Library::digest() const {
    std::string all = installed.string() + "\n";
    for (const fs::path& file : files()) {
        const std::string text = read_text(file, kMostFile, "a driver's folder");
        all += file.filename().string() + " " + to_hex(sha1(text)) + "\n";
    }
    return to_hex(sha1(all));
}

std::string Library::why_not_installed() const {
    const fs::path stamp = install_stamp(installed);
    const std::string without = "is not installed";
    std::error_code error;
    if (!fs::exists(stamp, error)) return without;
    const std::string text = read_text(stamp, kMostStamp, "a stamp");
    const std::string begin = digest() + "\n";
    if (!text.starts_with(begin)) return without;
    const std::string changed =
        changed_file(installed, std::string_view(text).substr(begin.size()));
    if (changed.empty()) return {};
    return "was changed after it was installed (" + in_quotes(changed) + ")";
}

void Library::note_installed() const {
    write_file(install_stamp(installed), digest() + "\n" + list_of_files(installed));
}

std::vector<NeededProgram> Library::missing() const {
    std::vector<NeededProgram> missing;
    for (const NeededProgram& program : needs) {
        if (!is_in_path(program.name)) missing.push_back(program);
    }
    return missing;
}

fs::path install_stamp(const fs::path& installed) { return installed / ".installed"; }

std::vector<Library> read_libraries(const fs::path& drivers, const fs::path& installed) {
    std::vector<Library> libraries;
    std::error_code absent;
    if (!fs::exists(drivers, absent)) return libraries;
    for (const fs::path& folder : sorted_entries(drivers)) {
        std::error_code error;
        if (!fs::exists(folder / "manifest.json", error)) continue;
        Library library;
        try {
            library = read_manifest(folder / "manifest.json");
        } catch (const FormatError& wrong) {
            library.trouble = wrong.what();
        } catch (const FileError& wrong) {
            library.trouble = wrong.what();
        }
        library.name = folder.filename().string();
        library.folder = folder;
        library.installed = fs::absolute(installed / library.name).lexically_normal();
        libraries.push_back(std::move(library));
    }
    return libraries;
}

std::vector<Library> known_libraries() {
    const fs::path home = home_folder();
    return read_libraries(home / "drivers", home / "build" / "libraries");
}

std::vector<Library> usable_libraries(const std::function<void(const std::string&)>& tell) {
    std::vector<Library> libraries = known_libraries();
    std::erase_if(libraries, [&](const Library& library) {
        if (!library.trouble.empty()) tell(library.row() + " is left out: " + library.trouble);
        return !library.trouble.empty();
    });
    return libraries;
}

bool is_library_row(std::string_view word) { return word.starts_with(kRow); }

const Library& require_library(const std::vector<Library>& libraries, std::string_view name) {
    const std::string_view word = is_library_row(name) ? name.substr(kRow.size()) : name;
    std::vector<std::string_view> names;
    for (const Library& library : libraries) {
        if (library.name == word && !library.trouble.empty()) throw FormatError(library.trouble);
        if (library.name == word) return library;
        names.push_back(library.name);
    }
    throw UsageError(unknown_word("library", word, names));
}

}  // namespace locklab
