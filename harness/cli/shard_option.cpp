#include "harness/cli/shard_option.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/interrupt.h"
#include "harness/record/digest.h"
#include "harness/record/typed.h"

namespace locklab {

namespace {

/// What says where results go, how they are shown or how fast they come, and changes none.
constexpr std::array<std::string_view, 8> kNotOfTheRun{"shard", "out",     "traces", "json",
                                                       "help",  "threads", "resume", "markdown"};

/// What --out will say of itself.
ShardRow shard_row(const CommandLine& line, std::string_view verb, const Shard& shard) {
    ShardRow row;
    row.verb = verb;
    row.shard = shard;
    row.program = digest_of_file("/proc/self/exe");
    row.operands = line.operands();
    for (const auto& [name, value] : line.chosen()) {
        if (std::ranges::find(kNotOfTheRun, name) != kNotOfTheRun.end()) continue;
        row.options.emplace_back(name, value);
    }
    row.home = typed_program();
    row.folder = typed_unquoted(line.get("out"));
    return row;
}

}  // namespace

std::optional<Shard> shard_option(const CommandLine& line, std::string_view verb) {
    if (!line.has("shard")) return std::nullopt;
    const Shard shard = Shard::parse(line.get("shard"));
    if (line.has("out")) return shard;
    throw UsageError("a shard needs a folder of its own; right would be locklab " +
                     std::string(verb) + " ... --shard " + to_string(shard) + " --out FOLDER");
}

ShardWriter open_shard(const CommandLine& line, std::string_view verb, const Shard& shard) {
    const std::filesystem::path folder = output_folder(line, "out", {});
    return {folder, shard_row(line, verb, shard)};
}

int tell_of_shard(const CommandLine& line, const ShardWriter& folder) {
    if (interrupt_flag()) {
        std::cerr << "locklab: interrupted; the same command finishes the shard\n";
        return kExitUnknown;
    }
    if (line.json()) {
        const nlohmann::ordered_json json{{"shard", folder.row().shard.index},
                                          {"of", folder.row().shard.of},
                                          {"folder", folder.path().string()},
                                          {"finished_before", folder.is_finished()}};
        std::cout << json.dump(2) << "\n";
    } else {
        std::cout << "shard " << to_string(folder.row().shard) << " is in "
                  << folder.path().string() << (folder.is_finished() ? ", finished before" : "")
                  << "\n";
    }
    return kExitHolds;
}

}  // namespace locklab
