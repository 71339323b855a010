#include "harness/foreign/library_kit.h"

#include <algorithm>
#include <system_error>

#include "harness/core/nearest.h"
#include "harness/core/usage_error.h"
#include "harness/record/files.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlaceholder = "@NAME@";
/// For a file of drivers/new/: lock files are the longest.
constexpr std::size_t kMostNewFile = 1'000'000;

/// Turns pip's report of what it would install into requirements with digests.
constexpr const char* kRequirements =
    "import json\n"
    "wanted = json.load(open('report.json'))['install']\n"
    "lines = sorted('%s==%s --hash=sha256:%s\\n' % (each['metadata']['name'], "
    "each['metadata']['version'], each['download_info']['archive_info']['hashes']['sha256']) "
    "for each in wanted)\n"
    "open('requirements.txt', 'w').writelines(lines)\n";

std::string lower(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return small;
}

void check_name(const fs::path& drivers, const std::string& name) {
    const bool right = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!right || name.front() == '-') {
        throw UsageError(in_quotes(name) +
                         " is no name of a library; right would be small letters, digits and '-'");
    }
    std::error_code error;
    if (fs::exists(drivers / name, error)) {
        throw UsageError("there is a folder " + in_quotes((drivers / name).string()) +
                         " already; right would be another name, or to remove it");
    }
}

std::string filled_in(std::string text, const std::string& name) {
    for (std::size_t at = text.find(kPlaceholder); at != std::string::npos;
         at = text.find(kPlaceholder, at + name.size())) {
        text.replace(at, kPlaceholder.size(), name);
    }
    return text;
}

std::string text_or_nothing(const fs::path& file) {
    std::error_code error;
    return fs::exists(file, error) ? read_text(file, kMostNewFile, "a lock file") : "";
}

}  // namespace

const std::vector<LibraryKit>& library_kits() {
    static const std::vector<LibraryKit> kits{
        {"Python",
         "python",
         "requirements.in",
         {"requirements.txt"},
         {{"makes a virtual environment", {"python3", "-m", "venv", "venv"}},
          {"asks what requirements.in needs",
           {"venv/bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--dry-run",
            "--ignore-installed", "--only-binary", ":all:", "--report", "report.json", "-r",
            "requirements.in"}},
          {"writes its digests", {"venv/bin/python", "-c", kRequirements}}}},
        {"JavaScript",
         "javascript",
         "package.json",
         {"package-lock.json"},
         {{"asks what package.json needs",
           {"npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund",
            "--omit-lockfile-registry-resolved"}}}},
        {"Go",
         "go",
         "go.mod",
         {"go.sum", "go.mod"},
         {{"asks what the driver imports", {"env", "GOTOOLCHAIN=local", "go", "mod", "tidy"}}}},
        {"Java",
         "java",
         "pom.xml",
         {"checksums.txt"},
         {{"downloads what pom.xml names",
           {"mvn", "--batch-mode", "--strict-checksums", "dependency:copy-dependencies"}},
          {"writes its digests",
           {"sh", "-c", "export LC_ALL=C; cd lib && sha256sum *.jar >../checksums.txt"}}}},
        {"Rust",
         "rust",
         "Cargo.toml",
         {"Cargo.lock"},
         {{"asks what Cargo.toml needs", {"cargo", "generate-lockfile"}}}}};
    return kits;
}

const LibraryKit& require_kit(std::string_view language) {
    std::vector<std::string_view> known;
    for (const LibraryKit& kit : library_kits()) {
        if (lower(kit.language) == lower(language)) return kit;
        known.push_back(kit.language);
    }
    throw UsageError(unknown_word("language", language, known));
}

std::vector<std::string> make_library(const fs::path& drivers, const std::string& name,
                                      const LibraryKit& kit) {
    check_name(drivers, name);
    const fs::path from = drivers / "new" / kit.folder;
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator each(from, error), end; !error && each != end;
         each.increment(error)) {
        names.push_back(each->path().filename().string());
    }
    if (error) throw FileError("cannot read " + in_quotes(from.string()) + ": " + error.message());
    std::sort(names.begin(), names.end());
    const fs::path to = drivers / name;
    fs::create_directory(to, error);
    if (error) throw FileError("cannot write " + in_quotes(to.string()) + ": " + error.message());
    for (const std::string& file : names) {
        write_file(to / file,
                   filled_in(read_text(from / file, kMostNewFile, "a driver's folder"), name));
    }
    return names;
}

InstallResult pin(const Library& library, const std::string& place, const Watcher& watcher) {
    const LibraryKit& kit = require_kit(library.language);
    std::error_code error;
    if (!fs::exists(library.folder / kit.wanted, error)) {
        throw UsageError(library.folder_name() + " has no " + std::string(kit.wanted) +
                         ", which names the packages and their releases");
    }
    if (const std::string missing = what_is_missing(library); !missing.empty()) {
        return {InstallEnd::lacks, library.folder_name() + " is left out: " + missing};
    }
    // Uses a separate folder: the installation stays as it is.
    Library apart = library;
    apart.installed += ".pin";
    apart.install = kit.pin;
    const std::vector<std::string> before = [&] {
        std::vector<std::string> texts;
        for (const std::string& lock : kit.locks)
            texts.push_back(text_or_nothing(library.folder / lock));
        return texts;
    }();
    const InstallResult result = run_steps(apart, kit.locks.front(), place, watcher);
    if (result.end != InstallEnd::done) {
        fs::remove_all(apart.installed, error);
        return result;
    }
    bool changed = false;
    for (std::size_t i = 0; i < kit.locks.size(); ++i) {
        const std::string text =
            read_text(apart.installed / kit.locks[i], kMostNewFile, "a lock file");
        if (text == before[i]) continue;
        changed = true;
        write_file(library.folder / kit.locks[i], text);
    }
    fs::remove_all(apart.installed, error);
    return {changed ? InstallEnd::done : InstallEnd::current,
            library.folder_name() + ": " + kit.locks.front() +
                (changed ? " is made; ./locklab libraries install " + library.folder_name() +
                               " takes what it pins"
                         : " is as it was")};
}

}  // namespace locklab
