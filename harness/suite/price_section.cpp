// The suite's section on what safety costs: locks of each kind, from SETNX to Redlock on five
// servers, and the locks that are not in Redis, as processes behind the fault proxy.

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "algorithms/registry.h"
#include "harness/campaign/foreign_campaign.h"
#include "harness/campaign/foreign_spec.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/foreign/library.h"
#include "harness/live/server_program.h"
#include "harness/record/kept_rows.h"
#include "harness/record/typed.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

using std::chrono::milliseconds;

/// The shortest that etcd and ZooKeeper take.
constexpr Duration kTtl = std::chrono::seconds(1);
/// Short, so that what the lock itself takes is seen.
constexpr Duration kCalmJob = milliseconds(1);
constexpr Duration kCalmRetry = milliseconds(1);
constexpr std::uint64_t kCalmRuns = 3;
constexpr std::uint64_t kCalmGrants = 200;
constexpr std::uint64_t kStruckGrants = 10;
constexpr std::uint64_t kStruckRuns = 24;
constexpr std::uint64_t kFullStruckRuns = 200;
/// Of a library's runtime there is less room.
constexpr std::size_t kThreads = 12;
constexpr std::size_t kLibraryThreads = 6;
/// Each can be made for every lock here, also for those that are not in Redis.
constexpr const char* kMix = "slow_job=1,crash=1,pause=1,lose_reply=1,freeze=1";

struct Priced {
    std::string_view lock;
    Topology topology{};
};
constexpr Priced kPriced[] = {
    {"setnx_del"},
    {"setnx_expire"},
    {"set_nx_del"},
    {"set_nx_lua"},
    {"set_nx_delifeq"},
    {"watchdog_unowned"},
    {"watchdog_owned"},
    {"watchdog_ifeq"},
    {"self_fencing_watchdog"},
    {"fenced"},
    {"wait_replicated", {1, 1}},
    {"redlock_in_turn", {3}},
    {"redlock", {3}},
    {"redlock", {5}},
};

/// The only one where it is just tried out.
constexpr std::string_view kTried = "set_nx_lua";

/// What is measured.
struct Candidate {
    std::string lock;
    std::string servers;
    std::optional<Topology> topology;
    const Subject* subject;
};

class Prices {
public:
    Prices(const SuiteContext& context, SuiteProgress& progress)
        : context_(context),
          progress_(progress),
          kept_(context.folder / kPriceFile, "no row of what safety costs") {
        watcher_.stop = context.watcher.stop;
        watcher_.on_show = [&](std::string_view text) { progress.show(text); };
    }

    /// Nothing if it was stopped.
    std::optional<PriceRow> row_of(const Candidate& candidate) {
        for (const PriceRow& row : kept_.rows()) {
            const bool is_it = row.lock == candidate.lock && row.servers == candidate.servers;
            if (is_it && row.why_not.empty()) return row;
        }
        PriceRow row{candidate.lock,
                     candidate.servers,
                     candidate.subject->version(),
                     kTtl,
                     kMix,
                     {},
                     {},
                     {}};
        try {
            calm(candidate, row.calm);
            struck(candidate, row.struck);
        } catch (const std::runtime_error& error) {
            row.why_not = error.what();
        }
        if (context_.watcher.stopped()) return std::nullopt;
        kept_.add(row);
        progress_.tell(sentence_of(row));
        return row;
    }

private:
    CampaignOptions options_for(const Candidate& candidate, std::uint64_t runs,
                                std::uint64_t grants) const {
        CampaignOptions options;
        options.world = WorldKind::live;
        options.seed = context_.seed;
        options.topology = candidate.topology;
        options.ttl = kTtl;
        options.runs = runs;
        options.grants_per_run = grants;
        return options;
    }

    void calm(const Candidate& candidate, CalmRuns& row) {
        CampaignOptions options = options_for(candidate, few_ ? 1 : kCalmRuns, kCalmGrants);
        options.job = DurationRange{kCalmJob, kCalmJob};
        options.think = DurationRange{};
        options.retry = kCalmRetry;
        ForeignCell cell(spec_for(*candidate.subject, options, FaultBudget()), *options.runs);
        // One run at a time: its speed is the question.
        run_foreign_campaign(cell, *candidate.subject, options.seed, 1, watcher_);
        const Tally& tally = cell.count.tally();
        row.grants = tally.grants();
        row.grants_per_s = tally.throughput_per_s();
        const WaitPercentiles waits = tally.waits();
        row.wait_median = waits.p50;
        row.wait_p99 = waits.p99;
        if (!cell.has_own_servers) row.commands_per_grant = tally.commands_per_grant();
        row.command = command_of(candidate, options, "none") + " --job " + to_string(kCalmJob) +
                      " --think 0ms --retry " + to_string(kCalmRetry);
    }

    void struck(const Candidate& candidate, StruckRuns& row) {
        const std::uint64_t runs = few_                      ? 1
                                   : context_.size.is_full() ? kFullStruckRuns
                                                             : kStruckRuns;
        const CampaignOptions options = options_for(candidate, runs, kStruckGrants);
        ForeignCell cell(spec_for(*candidate.subject, options, parse_faults(kMix)), runs);
        const std::size_t threads =
            candidate.subject->version().empty() ? kThreads : kLibraryThreads;
        run_foreign_campaign(cell, *candidate.subject, options.seed,
                             std::min<std::size_t>(threads, runs), watcher_);
        const Tally& tally = cell.count.tally();
        row.runs = tally.runs() - tally.unknown_runs();
        row.left_out = cell.count.disturbed_runs();
        row.stuck_runs = tally.stuck_runs();
        row.grants = tally.grants();
        row.overlaps = tally.overlaps();
        row.overlaps_per_1000 = tally.overlaps_per_1000_grants();
        row.command = command_of(candidate, options, kMix);
    }

    static std::string command_of(const Candidate& candidate, const CampaignOptions& options,
                                  const std::string& faults) {
        std::string text = typed_program() + " campaign " + candidate.subject->operand();
        if (options.topology) text += " --topology " + to_string(*options.topology);
        return text + server_option() + " --world live --faults " + faults + " --ttl " +
               to_string(kTtl) + " --runs " + std::to_string(*options.runs) + " --grants-per-run " +
               std::to_string(options.grants_per_run) + " --seed " + std::to_string(options.seed);
    }

    static std::string sentence_of(const PriceRow& row) {
        const std::string where = row.servers == "one" ? "" : " (" + row.servers + ")";
        if (!row.why_not.empty())
            return "what safety costs, " + row.lock + where + ": " + row.why_not;
        return "what safety costs, " + row.lock + where + ": " +
               std::to_string(static_cast<std::uint64_t>(row.calm.grants_per_s)) +
               " grants/s; under faults " + std::to_string(row.struck.overlaps) + " overlaps in " +
               std::to_string(row.struck.grants) + " grants";
    }

    const SuiteContext& context_;
    SuiteProgress& progress_;
    KeptRows<PriceRow> kept_;
    Watcher watcher_;
    const bool few_ = context_.size.is_tried_out();
};

/// Locks that need a server of another kind than is in use are left out.
std::vector<Candidate> candidates(const SuiteContext& context, std::deque<Subject>& subjects) {
    std::vector<Candidate> found;
    for (const Priced& priced : kPriced) {
        const Algorithm& lock = *live_algorithm_named(priced.lock);
        if (lock.server == ServerKind::valkey && server_program().kind != lock.server) continue;
        const bool is_one = priced.topology == Topology{};
        const std::optional<Topology> asked =
            is_one ? std::optional<Topology>() : std::optional<Topology>(priced.topology);
        found.push_back({std::string(priced.lock), is_one ? "one" : to_string(priced.topology),
                         asked, &subjects.emplace_back(lock, "/proc/self/exe")});
    }
    if (context.size.is_tried_out()) {
        std::erase_if(found, [](const Candidate& each) { return each.lock != kTried; });
    }
    for (const Library& library : known_libraries()) {
        if (library.servers.empty() || !library.trouble.empty()) continue;
        if (!library.cannot_run.empty() || !library.why_not_installed().empty()) continue;
        const Subject& subject = subjects.emplace_back(library);
        found.push_back({subject.operand(), "own", std::nullopt, &subject});
    }
    return found;
}

}  // namespace

void run_price_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                       SuiteResult& result) {
    std::vector<PriceRow>& rows = result.price.emplace();
    std::deque<Subject> subjects;
    Prices prices(context, progress);
    for (const Candidate& candidate : candidates(context, subjects)) {
        std::optional<PriceRow> row = prices.row_of(candidate);
        if (!row) return;
        rows.push_back(std::move(*row));
    }
    const bool none = std::ranges::none_of(rows, &std::string::empty, &PriceRow::why_not);
    if (none) return result.missing.push_back({"what safety costs", rows.front().why_not});
    std::filesystem::remove(context.folder / kPriceFile);
}

nlohmann::ordered_json to_json(const PriceRow& row) { return written_row(row); }
void read_row(const nlohmann::ordered_json& json, PriceRow& row) { read_fields(json, row); }

}  // namespace locklab
