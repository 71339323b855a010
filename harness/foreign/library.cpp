#include "harness/foreign/library.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

#include "harness/core/nearest.h"
#include "harness/core/sha1.h"
#include "harness/core/usage_error.h"
#include "harness/foreign/installed_files.h"
#include "harness/foreign/library_manifest.h"
#include "harness/foreign/program_in_path.h"
#include "harness/record/files.h"
#include "harness/record/home_folder.h"
#include "harness/record/json_line.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRow = "lib:";
/// For a file of a driver's folder: lock files are the longest.
constexpr std::size_t kMostFile = 4'000'000;
/// A line for each installed file: a node_modules/ may have ten thousand.
constexpr std::size_t kMostStamp = 32'000'000;
/// Variables by which runtimes find other modules, or run something before a driver. Empty, they
/// mean nothing.
constexpr std::array<const char*, 8> kLeadElsewhere{
    "PYTHONPATH",        "PYTHONHOME",    "NODE_PATH",        "NODE_OPTIONS",
    "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "PHP_INI_SCAN_DIR"};

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

/// A row for its manifest, or for what is wrong with it, and one for each variant.
std::vector<Library> rows_of(const fs::path& folder) {
    const std::string name = folder.filename().string();
    std::vector<Library> rows(1);
    try {
        rows = read_manifest(folder / "manifest.json");
    } catch (const FormatError& wrong) {
        rows[0].trouble = wrong.what();
    } catch (const FileError& wrong) {
        rows[0].trouble = wrong.what();
    }
    for (Library& row : rows) row.name = row.name.empty() ? name : name + ":" + row.name;
    return rows;
}

/// An installation goes on where only this program could not be built.
void note_lack_of_virtual_program(Library& library) {
    std::error_code error;
    const bool is_made = library.virtual_run.empty() ||
                         !fs::exists(install_stamp(library.installed), error) ||
                         fs::exists(library.installed / library.virtual_run.front(), error);
    if (is_made) return;
    library.no_virtual_time =
        "its program for virtual time could not be built: " + library.installed.string() +
        ".log says why";
}

}  // namespace

std::vector<Library::File> Library::files() const {
    std::vector<File> files;
    for (const std::string& each : shared) {
        files.push_back({folder.parent_path() / "shared" / each, each});
    }
    std::vector<fs::path> folders{folder};
    while (!folders.empty()) {
        const fs::path next = folders.back();
        folders.pop_back();
        for (const fs::path& entry : sorted_entries(next)) {
            if (entry.filename() == "__pycache__") continue;
            if (fs::is_directory(entry)) folders.push_back(entry);
            if (fs::is_regular_file(entry)) {
                files.push_back({entry, entry.lexically_relative(folder).generic_string()});
            }
        }
    }
    std::sort(files.begin(), files.end(),
              [](const File& one, const File& other) { return one.name < other.name; });
    return files;
}

std::string Library::digest() const {
    std::string all = installed.string() + "\n";
    for (const File& file : files()) {
        const std::string text = read_regular(file.from, kMostFile, "a driver's folder");
        all += file.name + " " + to_hex(sha1(text)) + "\n";
    }
    return to_hex(sha1(all));
}

std::string Library::why_not_installed() const {
    const fs::path stamp = install_stamp(installed);
    const std::string without = "is not installed";
    std::error_code error;
    if (!fs::exists(stamp, error)) return without;
    const std::string text = read_regular(stamp, kMostStamp, "a stamp");
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

DriverProcess::Start Library::started_by(const std::vector<std::string>& words) const {
    DriverProcess::Start start{words, {}, installed.string()};
    for (const char* variable : kLeadElsewhere) {
        if (std::getenv(variable) != nullptr) start.environment[variable] = "";
    }
    // What Python compiled would be no file that was installed, and Python runs it unasked.
    start.environment["PYTHONDONTWRITEBYTECODE"] = "1";
    return start;
}

std::vector<NeededProgram> Library::missing() const {
    std::vector<NeededProgram> missing;
    for (const NeededProgram& program : needs) {
        if (!program_in_path(program.name)) missing.push_back(program);
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
        for (Library& library : rows_of(folder)) {
            library.folder = folder;
            library.installed = fs::absolute(installed / folder.filename()).lexically_normal();
            note_lack_of_virtual_program(library);
            libraries.push_back(std::move(library));
        }
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
