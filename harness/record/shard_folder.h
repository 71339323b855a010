// The folder of one shard. shard.json is written last: it says which shard of which command this
// is, by which build, and lists all files with their digests. So a folder without it is of a shard
// that is not finished, and what was damaged later shows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/core/shard.h"
#include "harness/record/row_io.h"

namespace locklab {

/// What shards of one run have in common, and which of them this is.
struct ShardRow {
    std::string verb;
    Shard shard;
    std::string program;  ///< digest of the build
    std::vector<std::string> operands;
    Named<std::string> options;  ///< those that are not as by default; a flag has an empty value
    std::string home;            ///< the program, as typed by its user
    std::string folder;          ///< this folder, as typed by its user
    Named<std::string> notes;    ///< beside the files: by name of a lock, for instance
    Named<std::string> digests;  ///< of all files, by their names below the folder

    /// The command's words without --shard and folders: with them one run makes all.
    std::vector<std::string> words() const;
    /// The command that makes this shard, or another one.
    std::string command(const Shard& which) const;
    /// The note of this name; empty if there is none.
    std::string note(const std::string& name) const;
};

/// A shard that is finished and whole.
struct ShardFolder {
    std::filesystem::path path;
    ShardRow row;

    /// The content of a file that the row lists. Throws FileError.
    std::string content(const std::string& file) const;
    bool has(const std::string& file) const;
};

/// Writes a shard's files into its folder. Throws FileError.
class ShardWriter {
public:
    /// Makes the folder, or takes one that has no finished shard. Throws UsageError if it has
    /// another shard, or the files of something else. is_finished(): it has this one.
    ShardWriter(const std::filesystem::path& folder, ShardRow row);

    bool is_finished() const { return finished_; }
    const std::filesystem::path& path() const { return path_; }
    const ShardRow& row() const { return row_; }
    void write(const std::string& file, const std::string& content);
    /// A file that exists.
    void add(const std::string& file);
    void note(const std::string& name, const std::string& text) {
        if (!text.empty()) row_.notes.emplace_back(name, text);
    }
    /// The shard is finished.
    void end();

private:
    std::filesystem::path path_;
    ShardRow row_;
    bool finished_ = false;
};

/// The shards of one run in order, each once, from their folders in any order. Throws UsageError
/// with one sentence that names what is missing, damaged, or of another run.
std::vector<ShardFolder> shards_in(const std::vector<std::string>& folders);

}  // namespace locklab
