// What manifest.json says of a suite's run, besides the machine: options, progress, and files.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/run_spec.h"
#include "harness/record/row_io.h"

namespace locklab {

/// What makes two suites the same run: the options, and the program with its scenarios.
struct IdentityRow {
    std::string program;  ///< its digest
    std::string mode;
    std::uint64_t sim_runs = 0;
    std::uint64_t live_runs = 0;
    std::uint64_t seed = 0;
    std::string redis;
    std::optional<std::string> shard;  ///< of a part of the run: "0/8"

    bool operator==(const IdentityRow&) const = default;
};

void read_row(const nlohmann::ordered_json& json, IdentityRow& row);

/// What a suite could not do, as half a sentence, and why.
struct MissingSection {
    std::string part;
    std::string why;
};

/// A part that was not asked for.
struct LeftOutSection {
    std::string name;   ///< as --sections takes it
    std::string title;  ///< for people
};

/// Time that a finished section took.
struct SectionTime {
    std::string name;
    double seconds = 0;
    double processor_seconds = 0;          ///< of locklab itself, without its servers
    std::optional<std::string> commit{};   ///< of another build that made it; nothing: this did
    std::optional<std::string> started{};  ///< when that build began, or went on
};

/// How the cells of one world were run.
struct WorldRow {
    std::uint32_t clients = 0;
    std::uint64_t grants_per_run = 0;
    Duration ttl{0};
    Duration retry{0};
    Duration command_timeout{0};
    Duration patience{0};
    std::string job;
    std::string think;
    std::uint64_t runs_per_cell = 0;
    std::optional<std::string> latency;  ///< in sim
    std::optional<std::string> server;   ///< live
};

/// With the times of this run.
WorldRow world_row(const RunSpec& spec);

struct RunRow {
    std::string redis;
    std::string started;
    std::optional<std::vector<std::string>> resumed;
    double seconds = 0;
    std::string command;
    std::string mode;
    std::uint64_t seed = 0;
    bool complete = false;
    bool running = false;
    std::vector<std::string> to_come;  ///< titles of the unfinished parts
    std::vector<LeftOutSection> left_out;
    std::vector<SectionTime> took;
    std::vector<MissingSection> missing;
    struct Parameters {
        WorldRow sim;
        WorldRow live;
    } parameters;
    IdentityRow identity;
    std::vector<std::string> finished;         ///< names of sections
    std::optional<std::uint64_t> merged_from;  ///< how many shards it was put together of
    std::vector<std::string> files;
    Named<std::string> digests;  ///< of these files
};

nlohmann::ordered_json to_json(const RunRow& row);
void read_row(const nlohmann::ordered_json& json, RunRow& row);

}  // namespace locklab
