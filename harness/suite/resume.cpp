// Reads back what an interrupted suite has left: finished sections whose files are as the manifest
// says.

#include <algorithm>

#include "harness/core/limits.h"
#include "harness/core/sha1.h"
#include "harness/core/usage_error.h"
#include "harness/play/scenario_library.h"
#include "harness/record/digest.h"
#include "harness/record/files.h"
#include "harness/record/json_line.h"
#include "harness/record/row_io.h"
#include "harness/record/typed.h"
#include "harness/suite/files.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Digest of the program and its scenarios.
std::string program_digest() {
    std::string all = digest_of_file("/proc/self/exe");
    for (const Scenario& scenario : scenarios_named("all")) all += scenario.text;
    return to_hex(sha1(all));
}

/// `path`, which begins in the folder of `moved`, as one word of a shell.
std::string moved_path(const std::string& path, const Moved& moved) {
    return in_shell(moved.to_folder + path.substr(moved.from_folder.size()));
}

/// Files of witnesses in a command are one of its words, in quotes if necessary.
void move_text(std::string& text, const Moved& moved) {
    if (text.starts_with(moved.from_program + " ")) {
        text.replace(0, moved.from_program.size(), moved.to_program);
    }
    for (const char* folder : {"/traces/", "/histories/"}) {
        const std::size_t begin = text.find(moved.from_folder + folder);
        if (begin == std::string::npos || begin == 0) continue;
        const bool quoted = text[begin - 1] == '\'';
        const std::size_t end = std::min(text.find(quoted ? '\'' : ' ', begin), text.size());
        const std::string path = moved_path(text.substr(begin, end - begin), moved);
        const std::size_t from = quoted ? begin - 1 : begin;
        text.replace(from, end + (quoted ? 1 : 0) - from, path);
    }
}

void move_texts(Json& json, const Moved& moved) {
    if (json.is_string()) {
        move_text(json.get_ref<std::string&>(), moved);
    } else if (json.is_structured()) {
        for (Json& each : json) move_texts(each, moved);
    }
}

/// The files of a run that are as its manifest lists them.
class Kept {
public:
    Kept(const fs::path& folder, const RunRow& run, const Moved& moved)
        : folder_(folder), run_(run), moved_(moved) {}

    bool has(const std::string& file) const {
        const auto digest = std::ranges::find(run_.digests, file, &Digest::first);
        return digest != run_.digests.end() && digest_of_file(folder_ / file) == digest->second;
    }
    bool has_all(const std::vector<std::string>& files) const {
        return std::all_of(files.begin(), files.end(), [&](const auto& file) { return has(file); });
    }
    /// Whether a section was finished.
    bool finished(std::string_view section) const {
        return std::ranges::find(run_.finished, section) != run_.finished.end();
    }
    Json read(const std::string& file) const {
        Json json = Json::parse(read_text(folder_ / file, kMostRunFile, "a file of a run"));
        if (!moved_.from_program.empty()) move_texts(json, moved_);
        return json;
    }

private:
    using Digest = std::pair<std::string, std::string>;  ///< a file, and its digest

    const fs::path& folder_;
    const RunRow& run_;
    const Moved& moved_;
};

/// The cells of one world that were run.
std::vector<SuiteCellRow> cells_of(const Json& suite, std::string_view world) {
    std::vector<SuiteCellRow> cells;
    for (const Json& cell : suite.at("cells")) {
        const bool was_run = !is_not_applicable(cell);
        if (was_run && cell.at("world") == world) read_row(cell, cells.emplace_back());
    }
    return cells;
}

/// Fills in the rows of a section. False if some of its files are missing.
bool take(std::string_view section, const Kept& kept, SuiteResult& result) {
    if (section == "thresholds") {
        if (!kept.has_all({"thresholds.json", "witnesses.json"})) return false;
        std::vector<ThresholdRow> rows;
        read_rows(kept.read("thresholds.json").at("thresholds"), rows);
        if (!kept.has_all(witness_files(rows))) return false;
        result.thresholds = std::move(rows);
        read_rows(kept.read("witnesses.json").at("witnesses"), result.witnesses);
    } else if (section == "sim" || section == "live") {
        if (!kept.has("suite.json")) return false;
        std::vector<SuiteCellRow> cells = cells_of(kept.read("suite.json"), section);
        if (!kept.has_all(witness_files(cells))) return false;
        (section == "sim" ? result.sim_cells : result.live_cells) = std::move(cells);
    } else if (section == "surface") {
        if (!kept.has("surface.json")) return false;
        read_rows(kept.read("surface.json").at("surface"), result.surface);
    } else if (section == "scenarios") {
        if (!kept.has_all({"scenarios.json", "races.json"})) return false;
        read_rows(kept.read("scenarios.json").at("scenarios"), result.plays);
        read_rows(kept.read("races.json").at("races"), result.races.emplace());
    } else if (section == "libraries") {
        if (!kept.has("libraries.json")) return false;
        read_rows(kept.read("libraries.json").at("libraries"), result.libraries.emplace());
    } else if (section == "redlock") {
        if (!kept.has("redlock.json")) return false;
        const Json json = kept.read("redlock.json");
        RedlockRows rows;
        read_rows(json.at("thresholds"), rows.thresholds);
        read_rows(json.at("cells"), rows.cells);
        if (!kept.has_all(witness_files(rows.thresholds))) return false;
        if (!kept.has_all(witness_files(rows.cells))) return false;
        result.redlock = std::move(rows);
    } else if (section == "failovers") {
        if (!kept.has("failovers.json")) return false;
        read_rows(kept.read("failovers.json").at("failovers"), result.failovers.emplace());
    } else if (section == "price") {
        if (!kept.has("price.json")) return false;
        read_rows(kept.read("price.json").at("price"), result.price.emplace());
    } else if (section == "bench") {
        if (!kept.has("bench.json")) return false;
        read_row(kept.read("bench.json"), result.bench.emplace());
    }
    return true;
}

SuiteResult read_parts(const SuiteContext& context, const RunRow& run, const Moved& moved) {
    SuiteResult result;
    const Kept kept(context.folder, run, moved);
    for (const SuiteSection& section : kSuiteSections) {
        if (context.remakes && context.was_asked_for(section.name)) {
            const bool in_part = section.name == "libraries" && context.remakes_some_libraries();
            if (in_part) take(section.name, kept, result);
            continue;
        }
        if (!kept.finished(section.name)) continue;
        if (take(section.name, kept, result)) {
            result.finished.emplace_back(section.name);
        } else if (context.remakes) {
            throw UsageError("files of the part '" + std::string(section.name) + "' of " +
                             context.folder.string() + " are missing or changed, so --remake " +
                             "would lose it; right would be to make it anew too, or the folder " +
                             "as it was");
        }
    }
    result.command = run.command;
    result.started = run.started;
    result.seconds = run.seconds;
    if (run.resumed) result.resumed = *run.resumed;
    result.took = run.took;
    std::erase_if(result.took,
                  [&](const SectionTime& time) { return !result.has_finished(time.name); });
    if (result.has_finished("live")) result.redis = run.redis;
    return result;
}

/// The sections that were kept are of the build that wrote the manifest, or of one before it.
void tell_who_made_them(const Json& manifest, const RunRow& run, SuiteResult& result) {
    for (SectionTime& time : result.took) {
        if (time.commit) continue;
        time.commit = manifest.at("commit").get<std::string>();
        time.started = run.resumed ? run.resumed->back() : run.started;
    }
}

/// A section that is made anew leaves nothing of before: not what it kept while it was not
/// finished, and no witness that the others do not name.
void remove_remade(const SuiteContext& context, const RunRow& run, const SuiteResult& result) {
    for (const SuiteSection& section : kSuiteSections) {
        if (!context.was_asked_for(section.name)) continue;
        // What was played of these libraries, before it was stopped, is found again.
        if (section.name == "libraries" && context.remakes_some_libraries()) continue;
        for (const std::string_view file : section.keeps) {
            if (!file.empty()) fs::remove(context.folder / file);
        }
    }
    const std::vector<std::string> kept = witness_files(result);
    for (const auto& [file, digest] : run.digests) {
        const bool is_witness = file.starts_with("traces/") || file.starts_with("histories/");
        if (is_witness && std::ranges::find(kept, file) == kept.end()) {
            fs::remove(context.folder / file);
        }
    }
}

void refuse_another(const SuiteContext& context, const Json& manifest) {
    const IdentityRow own = suite_identity(context);
    IdentityRow other;
    read_row(manifest.at("identity"), other);
    if (context.remakes) other.program = own.program;
    if (other == own) return;
    const bool same_program = other.program == own.program;
    throw UsageError(
        context.folder.string() + " was made " +
        (same_program ? "with other options, by '" + manifest.at("command").get<std::string>() + "'"
                      : "by another build of locklab, or of its scenarios") +
        ", so it cannot be resumed; right would be " +
        (same_program ? "the same options"
                      : "the same program, --remake for the parts that are to be of this one") +
        ", or another --out");
}

}  // namespace

std::vector<std::string> witness_files(const std::vector<SuiteCellRow>& cells) {
    std::vector<std::string> files;
    for (const SuiteCellRow& cell : cells) {
        if (!cell.witness.empty()) files.push_back(cell.witness);
    }
    return files;
}

std::vector<std::string> witness_files(const std::vector<ThresholdRow>& rows) {
    std::vector<std::string> files;
    for (const ThresholdRow& row : rows) {
        for (const MinimalSetRow& set : row.minimal) files.push_back(set.witness);
    }
    return files;
}

std::vector<std::string> witness_files(const SuiteResult& result) {
    std::vector<std::string> files;
    const auto add = [&](const auto& rows) {
        std::ranges::move(witness_files(rows), std::back_inserter(files));
    };
    add(result.thresholds);
    add(result.sim_cells);
    add(result.live_cells);
    if (result.redlock) {
        add(result.redlock->thresholds);
        add(result.redlock->cells);
    }
    return files;
}

IdentityRow suite_identity(const SuiteContext& context) {
    static const std::string program = program_digest();
    IdentityRow row{program,
                    context.size.mode,
                    context.size.sim_runs,
                    context.size.live_runs,
                    context.seed,
                    context.redis,
                    {}};
    if (context.shard) row.shard = to_string(*context.shard);
    return row;
}

SuiteResult read_suite(const SuiteContext& context, const Moved& moved) {
    const std::string name = (context.folder / "manifest.json").string();
    const auto is_foreign = [&name] {
        return UsageError(name +
                          " is not what this locklab writes, so it cannot be resumed; right "
                          "would be another --out");
    };
    try {
        const Json manifest = Json::parse(read_text(name, kMostRunFile, "a file of a run"));
        refuse_another(context, manifest);
        RunRow run;
        read_row(manifest, run);
        SuiteResult result = read_parts(context, run, moved);
        if (!context.remakes) return result;
        if (run.identity.program != suite_identity(context).program) {
            tell_who_made_them(manifest, run, result);
        }
        remove_remade(context, run, result);
        return result;
    } catch (const nlohmann::json::exception&) {
        throw is_foreign();
    } catch (const FormatError&) {
        throw is_foreign();
    } catch (const FileError& error) {
        throw UsageError(error.what());
    }
}

}  // namespace locklab
