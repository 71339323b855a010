// The least sets of faults that break a lock, for `explore --thresholds --json`, and for a suite's
// files.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/explore/thresholds.h"
#include "harness/play/explored.h"
#include "harness/suite/search_row.h"

namespace locklab {

/// A set of faults that breaks the lock, of which no subset does.
struct MinimalSetRow {
    std::string faults;
    Verdict verdict = Verdict::unknown;
    std::size_t steps = 0;
    std::optional<Duration> least;
    std::optional<std::size_t> least_steps;
    std::string cause;
    std::string witness;  ///< its file
    std::string replay;
    SearchRow search;
};

struct ThresholdRow {
    std::string algorithm;
    std::string goal;  ///< "exclusion" or "progress"
    std::vector<SearchRow> searches;
    /// At most so many in a round of a search in which a server hangs or a link is cut; nothing: as
    /// many as in the others.
    std::optional<std::uint32_t> attempts_in_silence;
    std::string lengths;
    std::optional<Duration> latency;  ///< of each message, if it takes time
    Duration ttl{0};
    Duration job{0};
    Duration wait{0};
    Duration command_timeout{0};
    Duration patient_timeout{0};
    Duration reply_delay{0};
    Duration slow_job{0};
    Duration pause{0};
    Duration delay{0};
    Duration clock{0};
    std::vector<MinimalSetRow> minimal;
    std::vector<std::string> harmless;
    std::vector<std::string> harmless_briefly;
    std::vector<SearchRow> brief_searches;
    std::optional<bool> counts_on_waiters;  ///< true, or nothing
    std::vector<std::string> unknown;
    std::vector<std::string> why_unknown;  ///< for each set that is unknown
    CoverageRow coverage;
    bool complete = false;
    std::optional<std::uint32_t> most_faults;  ///< in a suite's row
    std::optional<double> seconds;             ///< in a suite's row
};

/// `witnesses` belong to its minimal sets, in order.
ThresholdRow threshold_row(const Thresholds& found, const std::vector<Explored>& witnesses);

nlohmann::ordered_json to_json(const ThresholdRow& row);
void read_row(const nlohmann::ordered_json& json, ThresholdRow& row);

/// One row for each set of faults in these, whatever the result: for tables.
nlohmann::ordered_json threshold_sets(const std::vector<ThresholdRow>& rows);

}  // namespace locklab
