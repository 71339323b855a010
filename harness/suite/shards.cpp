#include "harness/suite/shards.h"

#include <algorithm>
#include <iterator>

#include "algorithms/registry.h"
#include "harness/core/limits.h"
#include "harness/core/usage_error.h"
#include "harness/record/files.h"
#include "harness/record/typed.h"
#include "harness/suite/files.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_rows(std::string_view section) {
    throw UsageError("the shards have other rows of the section '" + std::string(section) +
                     "' than one run would; right would be shards that were made with the same "
                     "libraries and servers");
}

/// The rows of a section in each shard, taken in the order of one run.
template <class Row>
class Hands {
public:
    Hands(std::vector<SuiteResult>& results, std::vector<Row> SuiteResult::*rows) {
        for (SuiteResult& result : results) hands_.push_back(std::move(result.*rows));
        next_.resize(hands_.size());
    }
    explicit Hands(std::vector<std::vector<Row>> hands)
        : hands_(std::move(hands)), next_(hands_.size()) {}

    std::size_t left() const {
        std::size_t left = 0;
        for (std::size_t i = 0; i < hands_.size(); ++i) left += hands_[i].size() - next_[i];
        return left;
    }
    /// The next row of the shard that has this piece; null if it has none left.
    Row* next(std::uint64_t piece) {
        const std::size_t shard = piece % hands_.size();
        const bool is_there = next_[shard] < hands_[shard].size();
        return is_there ? &hands_[shard][next_[shard]++] : nullptr;
    }

private:
    std::vector<std::vector<Row>> hands_;
    std::vector<std::size_t> next_;
};

/// Pieces of one row each.
template <class Row>
std::vector<Row> dealt(Hands<Row> hands, std::string_view section) {
    std::vector<Row> all;
    for (std::uint64_t piece = 0; hands.left() > 0; ++piece) {
        Row* const row = hands.next(piece);
        if (row == nullptr) refuse_rows(section);
        all.push_back(std::move(*row));
    }
    return all;
}

/// A shard has whole cells, and a live world may lack some.
std::vector<SuiteCellRow> cells_together(std::vector<SuiteResult>& results,
                                         std::vector<SuiteCellRow> SuiteResult::*rows) {
    std::vector<std::pair<std::uint64_t, SuiteCellRow*>> order;
    for (SuiteResult& result : results) {
        for (SuiteCellRow& row : result.*rows) {
            order.emplace_back(piece_of(row.hazard, row.cell.algorithm), &row);
        }
    }
    std::ranges::sort(order, {}, [](const auto& each) { return each.first; });
    std::vector<SuiteCellRow> all;
    for (const auto& [piece, row] : order) all.push_back(std::move(*row));
    return all;
}

void take_thresholds(const SuiteSize& size, std::vector<SuiteResult>& results, SuiteResult& all) {
    Hands<ThresholdRow> rows(results, &SuiteResult::thresholds);
    for (const std::string_view lock : locks_of_thresholds(size)) {
        ThresholdRow* const row = rows.next(place_of_lock(lock));
        if (row == nullptr || row->algorithm != lock) refuse_rows("thresholds");
        all.thresholds.push_back(std::move(*row));
    }
    for (SuiteResult& result : results) {
        std::ranges::move(result.witnesses, std::back_inserter(all.witnesses));
    }
    std::ranges::stable_sort(all.witnesses, {},
                             [](const WitnessRow& row) { return place_of_lock(row.algorithm); });
}

void take_libraries(std::vector<SuiteResult>& results, SuiteResult& all) {
    std::vector<std::vector<LibraryRow>> rows;
    for (SuiteResult& result : results) rows.push_back(std::move(*result.libraries));
    all.libraries = dealt(Hands<LibraryRow>(std::move(rows)), "libraries");
}

/// Moves the rows of a section that is finished.
void take(std::string_view section, const SuiteSize& size, std::vector<SuiteResult>& results,
          SuiteResult& all) {
    SuiteResult& last = results.back();
    if (section == "sim") {
        all.sim_cells = cells_together(results, &SuiteResult::sim_cells);
    } else if (section == "live") {
        all.live_cells = cells_together(results, &SuiteResult::live_cells);
        all.redis = last.redis;
    } else if (section == "thresholds") {
        take_thresholds(size, results, all);
    } else if (section == "surface") {
        all.surface = dealt(Hands<SurfacePoint>(results, &SuiteResult::surface), section);
    } else if (section == "libraries") {
        take_libraries(results, all);
    } else if (section == "scenarios") {
        all.plays = std::move(last.plays);
        all.races = std::move(last.races);
    } else if (section == "redlock") {
        all.redlock = std::move(last.redlock);
    } else if (section == "failovers") {
        all.failovers = std::move(last.failovers);
    } else if (section == "price") {
        all.price = std::move(last.price);
    } else if (section == "bench") {
        all.bench = std::move(last.bench);
    }
}

/// Time that all shards together took.
SectionTime time_of(std::string_view section, const std::vector<SuiteResult>& results) {
    SectionTime all{std::string(section)};
    for (const SuiteResult& result : results) {
        for (const SectionTime& time : result.took) {
            if (time.name != section) continue;
            all.seconds += time.seconds;
            all.processor_seconds += time.processor_seconds;
        }
    }
    return all;
}

bool is_finished(const SuiteSection& section, const std::vector<SuiteResult>& results) {
    if (!section.in_pieces) return results.back().has_finished(section.name);
    return std::ranges::all_of(
        results, [&](const SuiteResult& result) { return result.has_finished(section.name); });
}

}  // namespace

SuiteResult merged_suite(const SuiteContext& context, const std::vector<ShardFolder>& shards) {
    std::vector<SuiteResult> results;
    for (const ShardFolder& shard : shards) {
        SuiteContext its = context;
        its.folder = shard.path;
        its.shard = shard.row.shard;
        const Moved moved{shard.row.home, shard.row.folder, typed_program(),
                          typed_unquoted(context.folder)};
        results.push_back(read_suite(its, moved));
    }
    SuiteResult all;
    all.merged_from = shards.size();
    all.started = std::ranges::min_element(results, {}, &SuiteResult::started)->started;
    for (const SuiteResult& result : results) all.seconds += result.seconds;
    for (const SuiteSection& section : kSuiteSections) {
        if (!context.was_asked_for(section.name)) continue;
        if (!is_finished(section, results)) refuse_rows(section.name);
        all.finished.emplace_back(section.name);
        all.took.push_back(time_of(section.name, results));
        take(section.name, context.size, results, all);
    }
    return all;
}

void end_suite_shard(const SuiteContext& context, ShardWriter& shard) {
    const std::string manifest = "manifest.json";
    const auto json = nlohmann::ordered_json::parse(
        read_text(context.folder / manifest, kMostRunFile, "a file of a run"));
    for (const auto& file : json.at("files")) shard.add(file.get<std::string>());
    shard.add(manifest);
    shard.end();
}

void copy_witnesses(const SuiteContext& context, const std::vector<ShardFolder>& shards) {
    for (const ShardFolder& shard : shards) {
        for (const auto& [file, digest] : shard.row.digests) {
            const fs::path parent = fs::path(file).parent_path();
            if (parent.empty()) continue;
            std::error_code error;
            fs::create_directories(context.folder / parent, error);
            write_file(context.folder / file, shard.content(file));
        }
    }
}

}  // namespace locklab
