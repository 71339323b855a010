#include "harness/foreign/install.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include "harness/core/printable.h"
#include "harness/core/usage_error.h"
#include "harness/foreign/library_manifest.h"
#include "harness/record/files.h"
#include "harness/record/typed.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr Duration kLookEvery = std::chrono::milliseconds(100);
/// How much of the end of a tool's output is read.
constexpr std::uintmax_t kMostSaid = 200'000;

/// Messages of pip, npm, go, Maven and curl without a network.
constexpr std::array<std::string_view, 11> kNoNetwork{
    "Temporary failure in name resolution",
    "Name or service not known",
    "NewConnectionError",
    "ConnectTimeoutError",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ETIMEDOUT",
    "dial tcp",
    "Unknown host",
    "Connection refused",
};

std::string end_of(const fs::path& log, std::uintmax_t from) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(log, error);
    if (error || size <= from) return {};
    std::ifstream in(log, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(std::max(from, size - std::min(size, kMostSaid))));
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string last_line(const std::string& text) {
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) return {};
    const std::size_t before = text.find_last_of("\r\n", end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return printable(text.substr(begin, end + 1 - begin));
}

/// The first line that mentions an error, else the last one: tools end with advice.
std::string telling_line(const std::string& said) {
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
        std::string lower = line;
        std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        for (const char* word : {"error", "err!"}) {
            if (lower.find(word) != std::string::npos) return last_line(line);
        }
    }
    return last_line(said);
}

/// One installation of one library.
class Installation {
public:
    Installation(const Library& library, std::string place, const Watcher& watcher)
        : library_(library),
          place_(std::move(place)),
          watcher_(watcher),
          log_(install_log(library)) {}

    InstallResult run() {
        const InstallResult result = run_steps("");
        if (result.end == InstallEnd::done) library_.note_installed();
        return result;
    }

    InstallResult run_steps(const std::string& without) {
        copy_folder(without);
        std::ofstream(log_, std::ios::trunc).close();
        for (const InstallStep& step : library_.install) {
            const std::optional<InstallResult> ended = run_step(step);
            if (ended) return *ended;
        }
        return {InstallEnd::done, name() + " is installed"};
    }

private:
    std::string name() const { return library_.folder_name() + " " + library_.version; }

    void copy_folder(const std::string& without) const {
        std::error_code error;
        fs::remove_all(library_.installed, error);
        fs::create_directories(library_.installed, error);
        for (const Library::File& file : library_.files()) {
            if (file.name == without) continue;
            const fs::path to = library_.installed / file.name;
            if (!error) fs::create_directories(to.parent_path(), error);
            if (!error) fs::copy_file(file.from, to, error);
        }
        if (error) {
            throw FileError("cannot write '" + library_.installed.string() +
                            "': " + error.message());
        }
    }

    /// The shell stays, and holds its stdout open, until the step is over.
    DriverProcess::Start start_of(const InstallStep& step) const {
        DriverProcess::Start start{
            {"sh", "-c", R"("$@" >>"$0" 2>&1 </dev/null; exit $?)", fs::absolute(log_).string()}};
        start.words.insert(start.words.end(), step.words.begin(), step.words.end());
        start.folder = library_.installed.string();
        return start;
    }

    /// Nothing if all went well.
    std::optional<InstallResult> run_step(const InstallStep& step) {
        std::error_code ignored;
        const std::uintmax_t from = fs::file_size(log_, ignored);
        const std::string begin = place_ + ": " + library_.folder_name() + ": " + step.label;
        watcher_.show(begin);
        DriverProcess process(start_of(step));
        std::string line;
        while (process.hear(line, kLookEvery) != DriverProcess::Heard::end) {
            if (watcher_.stopped()) {
                process.kill();
                return InstallResult{InstallEnd::stopped, "stopped while it was installing " +
                                                              name() + "; it is not installed"};
            }
            const std::string said = last_line(end_of(log_, from));
            watcher_.show(begin + (said.empty() ? "" : ": " + said));
        }
        const std::string ended = process.how_it_ended();
        if (ended == "ended with code 0") return std::nullopt;
        return InstallResult{
            InstallEnd::failed,
            name() + " could not be installed: " + why(end_of(log_, from), step, ended) +
                " (what its tools said is in " + typed(log_) + ")"};
    }

    std::string why(const std::string& said, const InstallStep& step,
                    const std::string& ended) const {
        for (const InstallTrouble& trouble : library_.troubles) {
            if (said.find(trouble.says) != std::string::npos) return trouble.means;
        }
        for (const std::string_view each : kNoNetwork) {
            if (said.find(each) != std::string::npos) {
                return "no package server answers; is the network away?";
            }
        }
        const std::string line = telling_line(said);
        return "the step '" + step.label + "' " + ended +
               (line.empty() ? "" : "; it said: " + line.substr(0, 200));
    }

    const Library& library_;
    const std::string place_;
    const Watcher& watcher_;
    const fs::path log_;
};

}  // namespace

InstallFolder::InstallFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path file = folder / ".lock";
    lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock_ < 0) {
        throw FileError("cannot write '" + file.string() +
                        "': " + std::generic_category().message(errno));
    }
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
    close(lock_);
    throw UsageError("another locklab is installing libraries in '" + folder.string() +
                     "'; try again when it is done");
}

InstallFolder::~InstallFolder() { close(lock_); }

fs::path install_log(const Library& library) {
    return library.installed.parent_path() / (library.folder_name() + ".log");
}

std::string what_is_missing(const Library& library) {
    const std::vector<NeededProgram> missing = library.missing();
    std::string programs;
    std::string packages;
    for (const NeededProgram& program : missing) {
        programs += (programs.empty() ? "" : ", ") + program.name;
        if (packages.find(program.package) == std::string::npos) packages += " " + program.package;
    }
    if (missing.empty()) return {};
    return programs + (missing.size() == 1 ? " is" : " are") +
           " not in PATH (Debian, Ubuntu: apt-get install" + packages + ")";
}

InstallResult run_steps(const Library& library, const std::string& without,
                        const std::string& place, const Watcher& watcher) {
    return Installation(library, place, watcher).run_steps(without);
}

InstallResult install(const Library& library, const std::string& place, const Watcher& watcher) {
    if (library.is_installed()) {
        return {InstallEnd::current,
                library.folder_name() + " " + library.version + " is installed already"};
    }
    const std::string missing = what_is_missing(library);
    if (!missing.empty()) {
        return {InstallEnd::lacks, library.folder_name() + " is left out: " + missing};
    }
    return Installation(library, place, watcher).run();
}

}  // namespace locklab
