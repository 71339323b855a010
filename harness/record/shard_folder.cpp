#include "harness/record/shard_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/core/limits.h"
#include "harness/core/sha1.h"
#include "harness/core/usage_error.h"
#include "harness/record/digest.h"
#include "harness/record/files.h"
#include "harness/record/typed.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFile = "shard.json";
constexpr const char* kOwnDigest = "sha1";
/// As many of the missing shards are named.
constexpr std::size_t kMostNamed = 8;

template <class Value>
const Value* found_in(const Named<Value>& values, const std::string& name) {
    const auto found = std::ranges::find(values, name, &std::pair<std::string, Value>::first);
    return found == values.end() ? nullptr : &found->second;
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& wrong,
                         const std::string& right) {
    throw UsageError(folder.string() + " " + wrong + "; right would be " + right);
}

}  // namespace

template <class Io, RowOf<Shard> Row>
void fields(Io& io, Row& shard) {
    io("index", shard.index);
    io("of", shard.of);
}

template <class Io, RowOf<ShardRow> Row>
void fields(Io& io, Row& row) {
    io("verb", row.verb);
    io("shard", row.shard);
    io("program", row.program);
    io("operands", row.operands);
    io("options", row.options);
    io("home", row.home);
    io("folder", row.folder);
    io("notes", row.notes);
    io("digests", row.digests);
}

namespace {

/// The row of a folder, whose own digest says that it is as it was written.
ShardRow read_shard(const fs::path& folder) {
    const std::string not_ours = std::string("has a ") + kFile + " that is damaged";
    const std::string again = "to make that shard again";
    try {
        Json json = Json::parse(read_text(folder / kFile, kMostRunFile, "a file of a run"));
        const std::string digest = json.at(kOwnDigest).get<std::string>();
        json.erase(kOwnDigest);
        if (to_hex(sha1(json.dump())) != digest) refuse(folder, not_ours, again);
        ShardRow row;
        read_fields(json, row);
        return row;
    } catch (const nlohmann::json::exception&) {
        refuse(folder, not_ours, again);
    } catch (const FormatError&) {
        refuse(folder, not_ours, again);
    } catch (const FileError& error) {
        throw UsageError(error.what());
    }
}

/// The first file that is not as the row says; empty if all are.
std::string damaged_file(const fs::path& folder, const ShardRow& row) {
    for (const auto& [file, digest] : row.digests) {
        if (digest_of_file(folder / file) != digest) return file;
    }
    return {};
}

/// What tells two shards of different runs apart, said of each.
struct Difference {
    std::string of_one;
    std::string of_other;
};

std::string as_typed(const Named<std::string>& options, const std::string& name) {
    const std::string* value = found_in(options, name);
    if (value == nullptr) return "made without --" + name;
    return "made with --" + name + (value->empty() ? "" : " " + in_shell(*value));
}

std::optional<Difference> difference_of(const ShardRow& one, const ShardRow& other) {
    const auto named = [](const ShardRow& row) {
        std::string text = "of '" + row.verb;
        for (const std::string& word : row.operands) text += " " + word;
        return text + "'";
    };
    if (named(one) != named(other)) return Difference{named(one), named(other)};
    for (const Named<std::string>* names : {&one.options, &other.options}) {
        for (const auto& [name, value] : *names) {
            const std::string its = as_typed(one.options, name);
            const std::string others = as_typed(other.options, name);
            if (its != others) return Difference{its, others};
        }
    }
    if (one.shard.of == other.shard.of) return std::nullopt;
    const auto all = [](const ShardRow& row) { return "of " + std::to_string(row.shard.of); };
    return Difference{all(one), all(other)};
}

ShardFolder read_whole(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        refuse(folder, "is no folder", "the --out of a shard");
    }
    if (!fs::exists(folder / kFile, error)) {
        refuse(folder, std::string("has no ") + kFile + ", so it has no finished shard",
               "the --out of a shard that has come to its end");
    }
    ShardFolder shard{folder, read_shard(folder)};
    const std::string damaged = damaged_file(folder, shard.row);
    if (!damaged.empty()) {
        const bool gone = !fs::exists(folder / damaged, error);
        refuse(folder, "lacks " + damaged + (gone ? "" : " as it was written: it is damaged"),
               "to remove the folder and make that shard again, by '" +
                   shard.row.command(shard.row.shard) + "'");
    }
    return shard;
}

void refuse_missing(const std::vector<ShardFolder>& shards) {
    const ShardRow& row = shards[0].row;
    std::vector<std::uint64_t> missing;
    std::size_t next = 0;
    for (std::uint64_t i = 0; i < row.shard.of; ++i) {
        if (next < shards.size() && shards[next].row.shard.index == i) {
            ++next;
        } else {
            missing.push_back(i);
        }
    }
    if (missing.empty()) return;
    std::string names;
    for (std::size_t i = 0; i < std::min(missing.size(), kMostNamed); ++i) {
        names += (i == 0 ? "" : ", ") + to_string(Shard{missing[i], row.shard.of});
    }
    if (missing.size() > kMostNamed) {
        names += " and " + std::to_string(missing.size() - kMostNamed) + " more";
    }
    throw UsageError(std::string(missing.size() == 1 ? "shard " : "shards ") + names +
                     (missing.size() == 1 ? " is" : " are") + " missing; right would be '" +
                     row.command({missing[0], row.shard.of}) + "'" +
                     (missing.size() == 1 ? "" : ", and so on"));
}

}  // namespace

std::vector<std::string> ShardRow::words() const {
    std::vector<std::string> all = operands;
    for (const auto& [name, value] : options) {
        all.push_back("--" + name);
        if (!value.empty()) all.push_back(value);
    }
    return all;
}

std::string ShardRow::command(const Shard& which) const {
    std::string text = home + " " + verb;
    for (const std::string& word : words()) text += " " + in_shell(word);
    return text + " --shard " + to_string(which) + " --out " +
           (which == shard ? in_shell(folder) : "FOLDER");
}

std::string ShardRow::note(const std::string& name) const {
    const std::string* text = found_in(notes, name);
    return text == nullptr ? std::string() : *text;
}

std::string ShardFolder::content(const std::string& file) const {
    return read_text(path / file, kMostRunFile, "a file of a run");
}

bool ShardFolder::has(const std::string& file) const {
    return found_in(row.digests, file) != nullptr;
}

ShardWriter::ShardWriter(const fs::path& folder, ShardRow row)
    : path_(folder), row_(std::move(row)) {
    std::error_code error;
    if (!fs::exists(path_ / kFile, error)) return;
    const ShardRow before = read_shard(path_);
    if (const auto other = difference_of(before, row_)) {
        refuse(path_,
               "has a shard " + other->of_one + ", and this command makes one " + other->of_other,
               "another --out");
    }
    if (before.shard != row_.shard) {
        refuse(path_, "has shard " + to_string(before.shard), "another --out");
    }
    // Another build makes it again, and so does one whose files were damaged.
    finished_ = before.program == row_.program && damaged_file(path_, before).empty();
    if (!finished_) fs::remove(path_ / kFile, error);
}

void ShardWriter::write(const std::string& file, const std::string& content) {
    write_file(path_ / file, content);
    row_.digests.emplace_back(file, to_hex(sha1(content)));
}

void ShardWriter::add(const std::string& file) {
    row_.digests.emplace_back(file, digest_of_file(path_ / file));
}

void ShardWriter::end() {
    Json json = written_row(row_);
    json[kOwnDigest] = to_hex(sha1(json.dump()));
    write_file(path_ / kFile, json.dump(1) + "\n");
}

std::vector<ShardFolder> shards_in(const std::vector<std::string>& folders) {
    const std::string own = digest_of_file("/proc/self/exe");
    std::vector<ShardFolder> shards;
    for (const std::string& folder : folders) {
        ShardFolder shard = read_whole(folder);
        if (shard.row.program != own) {
            refuse(folder, "was made by another build of locklab",
                   "to merge shards by the build that made them");
        }
        if (!shards.empty()) {
            if (const auto other = difference_of(shard.row, shards[0].row)) {
                refuse(folder,
                       "has a shard " + other->of_one + ", and " + shards[0].path.string() +
                           " one " + other->of_other,
                       "shards of one command");
            }
        }
        const auto same = std::ranges::find_if(
            shards, [&](const ShardFolder& known) { return known.row.shard == shard.row.shard; });
        if (same == shards.end()) {
            shards.push_back(std::move(shard));
        } else if (same->row.digests != shard.row.digests) {
            refuse(folder,
                   "and " + same->path.string() + " both have shard " + to_string(shard.row.shard) +
                       ", and differ",
                   "one of them");
        }
    }
    std::ranges::sort(shards, {}, [](const ShardFolder& each) { return each.row.shard.index; });
    refuse_missing(shards);
    return shards;
}

}  // namespace locklab
