// locklab libraries: installs, lists and tries foreign libraries.

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/cli/command_line.h"
#include "harness/cli/library_table.h"
#include "harness/cli/progress.h"
#include "harness/core/nearest.h"
#include "harness/core/printable.h"
#include "harness/foreign/install.h"
#include "harness/foreign/library_json.h"
#include "harness/foreign/library_kit.h"
#include "harness/foreign/library_trial.h"
#include "harness/record/home_folder.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

constexpr Duration kTrialTtl = std::chrono::seconds(1);

/// The libraries asked for: by name, or all.
struct Asked {
    std::vector<Library> libraries;
    bool by_name = false;
    bool all_usable = true;  ///< no library is left out because of its manifest
};

Asked asked_for(const std::vector<std::string>& words) {
    const std::vector<Library> known = known_libraries();
    if (words.size() == 1) {
        std::vector<Library> usable = usable_libraries(tell_on_stderr);
        const bool all = usable.size() == known.size();
        return {std::move(usable), false, all};
    }
    Asked asked{{}, true, true};
    for (std::size_t i = 1; i < words.size(); ++i) {
        asked.libraries.push_back(require_library(known, words[i]));
    }
    return asked;
}

/// One line for each library, on stdout, or on stderr with --json.
void say(const CommandLine& line, ProgressLine& progress, const std::string& sentence) {
    progress.clear();
    (line.json() ? std::cerr : std::cout) << sentence << std::endl;
}

int end(const CommandLine& line, const Json& rows, int code) {
    if (line.json()) std::cout << Json{{"libraries", rows}}.dump(2) << "\n";
    return code;
}

/// A folder is installed once for all its variants.
std::vector<Library> one_of_each_folder(std::vector<Library> libraries) {
    std::vector<Library> folders;
    for (Library& library : libraries) {
        const bool is_new = std::none_of(folders.begin(), folders.end(), [&](const Library& other) {
            return other.folder == library.folder;
        });
        if (is_new) folders.push_back(std::move(library));
    }
    return folders;
}

int install_all(const CommandLine& line, const Asked& asked) {
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    if (asked.libraries.empty()) return end(line, Json::array(), kExitUnknown);
    const auto folder = std::filesystem::path(asked.libraries[0].installed).parent_path();
    const InstallFolder alone(folder);
    Json rows = Json::array();
    int code = asked.all_usable ? kExitHolds : kExitUnknown;
    std::size_t number = 0;
    std::size_t left_out = 0;
    const std::vector<Library> folders = one_of_each_folder(asked.libraries);
    for (const Library& library : folders) {
        const std::string place =
            std::to_string(++number) + " of " + std::to_string(folders.size());
        const InstallResult result = install(library, place, watcher);
        say(line, progress, result.sentence);
        Json row = library_json(library);
        row["sentence"] = result.sentence;
        rows.push_back(std::move(row));
        const bool lacks = result.end == InstallEnd::lacks;
        left_out += lacks ? 1 : 0;
        const bool failed = result.end == InstallEnd::failed || result.end == InstallEnd::stopped;
        if (failed || (lacks && asked.by_name)) code = kExitUnknown;
        if (result.end == InstallEnd::stopped) break;
    }
    if (left_out > 0) {
        say(line, progress,
            std::to_string(left_out) + " of " + std::to_string(folders.size()) +
                " left out; nothing else depends on them");
    }
    return end(line, rows, code);
}

std::string sentence_of(const Library& library, const Trial& trial) {
    std::string shown;
    for (const std::string& each : trial.shown) shown += (shown.empty() ? "" : ", ") + each;
    const std::string name = library.name + " " + library.version;
    if (trial.wrong.empty()) return name + " works: " + shown;
    return name + (trial.known ? " is not as it should be: " : " was not tried: ") + trial.wrong;
}

std::vector<std::string> printable_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(printable(line));
    return lines;
}

int try_all(const CommandLine& line, const Asked& asked) {
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    Json rows = Json::array();
    int code = asked.all_usable ? kExitHolds : kExitUnknown;
    for (const Library& library : asked.libraries) {
        if (watcher.stopped()) break;
        const Trial trial = try_library(library, kTrialTtl, watcher);
        say(line, progress, sentence_of(library, trial));
        for (const std::string& note : trial.notes) {
            say(line, progress, "  the library itself: " + note);
        }
        if (!trial.stderr_text.empty()) {
            say(line, progress, "  its drivers said on stderr:");
            for (const std::string& each : printable_lines(trial.stderr_text)) {
                say(line, progress, "    " + each);
            }
        }
        Json row = library_json(library);
        row["shown"] = trial.shown;
        row["notes"] = trial.notes;
        row["wrong"] = trial.wrong;
        if (!trial.stderr_text.empty()) row["stderr"] = printable_lines(trial.stderr_text);
        rows.push_back(std::move(row));
        if (trial.wrong.empty()) continue;
        // A known error outweighs an unknown result.
        code = trial.known || code == kExitViolated ? kExitViolated : kExitUnknown;
    }
    if (watcher.stopped() && code == kExitHolds) code = kExitUnknown;
    return end(line, rows, code);
}

/// Makes a driver and a manifest that run, to be filled in.
int make_new(const CommandLine& line) {
    const std::vector<std::string>& words = line.operands();
    if (words.size() != 2) {
        throw UsageError("'libraries new' takes one name; right would be: locklab libraries new " +
                         std::string("my-lock --language Python"));
    }
    if (!line.has("language")) {
        std::string known;
        for (const LibraryKit& kit : library_kits()) {
            known += (known.empty() ? "" : ", ") + std::string(kit.language);
        }
        throw UsageError("'libraries new' needs --language; right would be one of: " + known);
    }
    const std::string& name = words[1];
    const std::filesystem::path drivers = std::filesystem::path(home_folder()) / "drivers";
    const std::vector<std::string> files =
        make_library(drivers, name, require_kit(line.get("language")));
    if (line.json()) {
        std::cout << Json{{"name", "lib:" + name},
                          {"folder", (drivers / name).string()},
                          {"files", files}}
                         .dump(2)
                  << "\n";
        return kExitHolds;
    }
    std::cout << "drivers/" << name
              << "/ is made, with a lock of SET NX PX to put yours in place of:";
    for (const std::string& file : files) std::cout << " " << file;
    std::cout << "\nnext: ./locklab libraries install " << name
              << "\n      ./locklab libraries test " << name
              << "\n      ./locklab explore lib:" << name << " --faults pause=1\n";
    return kExitHolds;
}

int pin_all(const CommandLine& line, const Asked& asked) {
    if (!asked.by_name) {
        throw UsageError("pin what? right would be: locklab libraries pin NAME");
    }
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    const std::vector<Library> folders = one_of_each_folder(asked.libraries);
    const InstallFolder alone(folders[0].installed.parent_path());
    Json rows = Json::array();
    int code = kExitHolds;
    for (const Library& library : folders) {
        const InstallResult result = pin(library, "1 of 1", watcher);
        say(line, progress, result.sentence);
        rows.push_back({{"name", library.row()}, {"sentence", result.sentence}});
        const bool made = result.end == InstallEnd::done || result.end == InstallEnd::current;
        if (!made) code = kExitUnknown;
        if (result.end == InstallEnd::stopped) break;
    }
    return end(line, rows, code);
}

int list_all(const CommandLine& line, const Asked& asked) {
    if (!line.json()) {
        print_libraries(asked.libraries);
        return kExitHolds;
    }
    Json rows = Json::array();
    for (const Library& library : asked.libraries) rows.push_back(library_json(library));
    return end(line, rows, kExitHolds);
}

}  // namespace

int libraries_verb(const Arguments& arguments) {
    CommandLine line("libraries", {{"language", kText, "of 'new': what its driver is written in"}},
                     100);
    if (!line.parse(arguments)) return kExitHolds;
    const std::vector<std::string_view> known{"install", "list", "new", "pin", "test"};
    if (line.operands().empty()) {
        throw UsageError("what of the libraries? right would be: locklab libraries list");
    }
    const std::string& what = line.operands()[0];
    if (std::find(known.begin(), known.end(), what) == known.end()) {
        throw UsageError(unknown_word("libraries", what, known));
    }
    if (what == "new") return make_new(line);
    if (line.has("language")) {
        throw UsageError("--language is of 'libraries new'; right would be to leave it out");
    }
    const Asked asked = asked_for(line.operands());
    if (asked.libraries.empty() && asked.all_usable) {
        throw UsageError(
            "there are no libraries; LOCKLAB_HOME must name the folder of a checkout, "
            "as ./locklab makes it");
    }
    if (what == "install") return install_all(line, asked);
    if (what == "test") return try_all(line, asked);
    if (what == "pin") return pin_all(line, asked);
    return list_all(line, asked);
}

}  // namespace locklab
