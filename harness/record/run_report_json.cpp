#include "harness/record/run_report_json.h"

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "harness/core/fault_text.h"
#include "harness/record/check_fields.h"
#include "harness/record/row_io.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kBound = "bound";
constexpr const char* kDigest = "digest";

/// A value that has no form in JSON of its own: `written` of it is kept, and `taken` puts it back.
template <class Io, class Value, class Written, class Taken>
void by_way_of(Io& io, const char* key, Value& value, Written written, Taken taken) {
    auto kept = written(value);
    io(key, kept);
    if constexpr (!std::is_const_v<Value>) taken(kept, value);
}

std::vector<std::uint32_t> numbers_of(const std::vector<ClientId>& clients) {
    std::vector<std::uint32_t> numbers;
    for (const ClientId client : clients) numbers.push_back(client.value);
    return numbers;
}

using Strikes = std::array<std::uint32_t, kHazards.size()>;

Named<std::uint32_t> named(const Strikes& strikes) {
    Named<std::uint32_t> counts;
    for (const HazardRow& row : kHazards) {
        const std::uint32_t count = strikes[static_cast<std::size_t>(row.hazard)];
        if (count > 0) counts.emplace_back(row.name, count);
    }
    return counts;
}

void take_strikes(const Named<std::uint32_t>& counts, Strikes& strikes) {
    for (const auto& [name, count] : counts) {
        bool known = false;
        for (const HazardRow& row : kHazards) {
            if (row.name != name) continue;
            strikes[static_cast<std::size_t>(row.hazard)] = count;
            known = true;
        }
        if (!known) throw FormatError("there is no hazard '" + name + "'");
    }
}

}  // namespace

template <class Io, RowOf<Draw> Row>
void fields(Io& io, Row& draw) {
    by_way_of(
        io, "faults", draw.faults, [](const FaultBudget& faults) { return to_string(faults); },
        [](const std::string& text, FaultBudget& faults) { faults = parse_faults(text); });
    io("ttl_us", draw.ttl);
}

/// Of one lock, and of the run as a whole.
template <class Io, RowOf<Judgement> Row>
void fields(Io& io, Row& judged) {
    io("verdict", judged.verdict);
    io("why_unknown", judged.why_unknown);
    io("shows_nothing", judged.shows_nothing);
    io("grants", judged.grants);
    io("client_grants", judged.client_grants);
    io("client_lived", judged.client_lived);
    io("waits_us", judged.waits);
    io("commands", judged.commands);
    io("unknown_answers", judged.unknown_answers);
    io("error_answers", judged.errors.answers);
    io("failed_tries", judged.errors.tries);
    io("first_error", judged.errors.first);
    io("denied", judged.denied);
    io("deaths", judged.deaths);
    io("busiest_second", judged.busiest_second);
    io("exact_clocks", judged.exact_clocks);
    io("duration_us", judged.duration);
    io("only_counted", judged.only_counted);
    io("overlaps", judged.overlaps);
    io("lost_updates", judged.lost_updates);
    io("fence_inversions", judged.fence_inversions);
    io("causes", judged.causes);
    io("writes", judged.writes.writes);
    io("erased_writes", judged.writes.erased);
    io("stays", judged.notices.stays);
    io("promised", judged.notices.promised);
    io("notices", judged.notices);
    io("longest_notice", judged.notices.longest_grant);
    io("refusals", judged.refusals);
    io("refusal_place", judged.refusals.first_place);
    by_way_of(
        io, "refusal_us", judged.refusals.first_at,
        [](const Instant& at) { return at.time_since_epoch(); },
        [](Duration since, Instant& at) { at = Instant(since); });
    io("refusal_client", judged.refusals.first_client.value);
    io("late_grants", judged.late_grants.found);
    io("grants_with_validity", judged.late_grants.of);
    io("longest_late_us", judged.late_grants.longest);
    io("long_calls", judged.long_calls.found);
    io("calls_with_limit", judged.long_calls.of);
    io("longest_call_us", judged.long_calls.longest);
    io("left_keys", judged.left_keys.found);
    io("tries_in_vain", judged.left_keys.of);
    io("own_deleted", judged.deletions.of_own);
    io("others_deleted", judged.deletions.of_anothers);
    io("keys", judged.deletions.keys);
    io("fenced_grants", judged.fenced_grants);
    io("stuck", judged.liveness.stuck);
    by_way_of(io, "waiting", judged.liveness.waiting, numbers_of,
              [](const std::vector<std::uint32_t>& numbers, std::vector<ClientId>& clients) {
                  clients.clear();
                  for (const std::uint32_t number : numbers) clients.push_back(ClientId{number});
              });
    io("longest_orphan_us", judged.liveness.longest_orphan_wait);
}

template <class Io, RowOf<RunReport> Row>
void fields(Io& io, Row& report) {
    io("run", report.run);
    io("events", report.events);
    io("threw", report.threw);
    io("draw", report.draw);
    io("lag_us", report.lag);
    by_way_of(io, "strikes", report.strikes, named, take_strikes);
    fields(io, report.judgement);
}

std::string to_line(const MadeRun& made) {
    if (!made.report) return Json{{kBound, made.bound}}.dump() + "\n";
    static const Json empty = written_row(RunReport());
    const Json whole = written_row(*made.report);
    Json line = Json::object();
    for (const auto& [key, value] : whole.items()) {
        if (value != empty.at(key)) line[key] = value;
    }
    if (made.digest != 0) line[kDigest] = made.digest;
    return line.dump() + "\n";
}

MadeRun made_run_in(const std::string& line) {
    static const Json empty = written_row(RunReport());
    const Json json = Json::parse(line);
    MadeRun made;
    if (json.contains(kBound)) {
        made.bound = json.at(kBound).get<std::string>();
        return made;
    }
    made.digest = json.value(kDigest, std::uint64_t{0});
    Json whole = empty;
    whole.update(json);
    read_fields(whole, made.report.emplace());
    return made;
}

}  // namespace locklab
