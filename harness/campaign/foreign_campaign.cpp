#include "harness/campaign/foreign_campaign.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "harness/core/assert.h"
#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/foreign/link_plan.h"
#include "harness/foreign/replay_apart.h"
#include "harness/live/probe.h"

namespace locklab {

namespace {

/// A server that got no command; nothing was learnt of it. Empty: each server got some.
std::string who_was_not_asked(const ForeignCell& cell) {
    for (std::uint32_t i = 0; i < std::min<std::size_t>(cell.nodes_asked, cell.commands.size());
         ++i) {
        if (cell.commands[i] > 0) continue;
        return "no command that names the lock's key came to " + node_name(NodeId{i}) + " of " +
               std::to_string(cell.commands.size());
    }
    return {};
}

/// Runs that got less than this share of their grants show too little.
constexpr double kLeastShare = 0.9;

std::string why_too_few(const ForeignCell& cell) {
    const std::uint64_t grants = cell.count.tally().grants();
    if (static_cast<double>(grants) >= kLeastShare * static_cast<double>(cell.grants_asked)) {
        return {};
    }
    return "its runs got " + std::to_string(grants) + " of " + std::to_string(cell.grants_asked) +
           " grants: " + cell.why_short;
}

/// A client that hangs does no harm to the others: of what it would have done nothing is known.
std::string why_hung(const ForeignCell& cell) {
    const std::uint64_t runs = cell.count.tally().runs();
    if (static_cast<double>(cell.hung_runs) <= (1 - kLeastShare) * static_cast<double>(runs)) {
        return {};
    }
    return "in " + std::to_string(cell.hung_runs) + " of " + counted(runs, "run") +
           " a driver hung: " + cell.why_hung;
}

/// Without a step answered ok, no client is proved to be inside; and if only one client ever had
/// one, there was nobody to exclude.
std::string why_vacuous(const ForeignCell& cell) {
    if (cell.seen_inside.empty()) {
        return "no client was ever proved to be inside: no step of a job was answered ok";
    }
    if (std::string few = why_too_few(cell); !few.empty()) return few;
    if (std::string hung = why_hung(cell); !hung.empty()) return hung;
    if (cell.seen_inside.size() > 1) return who_was_not_asked(cell);
    return "only one client was ever proved to be inside: no other's step was answered ok";
}

void take_subject(ForeignCell& cell, const Subject& subject) {
    cell.has_own_timeouts = subject.has_own_timeouts() && !subject.scales_timeouts();
    cell.has_own_servers = subject.servers_start().has_value();
    cell.nodes_asked = subject.nodes_asked(cell.spec.topology.masters);
}

std::uint64_t commands_at(const ForeignResult& result, NodeId node) {
    return node.value < result.commands.size() ? result.commands[node.value] : 0;
}

/// Does not count a fault of a server that this lock did not use while it used others.
void take_commands(ForeignCell& cell, const ForeignResult& result, RunReport& report) {
    std::uint64_t& all = report.judgement.commands;
    all = std::accumulate(result.commands.begin(), result.commands.end(), std::uint64_t{0});
    for (std::size_t i = 0; i < result.commands.size(); ++i) cell.commands[i] += result.commands[i];
    for (const Event& event : result.history.events) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        const bool struck_nobody = fault != nullptr && all > 0 &&
                                   row_of(fault->hazard).target == FaultTarget::node &&
                                   commands_at(result, fault->node) == 0;
        if (struck_nobody) --report.strikes[static_cast<std::size_t>(fault->hazard)];
    }
}

void take_grants(ForeignCell& cell, const ForeignResult& result, const Judgement& judgement) {
    const bool is_short = !result.fell_short.empty();
    cell.grants_asked += is_short ? cell.spec.grants : judgement.grants;
    if (!is_short) return;
    ++cell.short_runs;
    if (!cell.why_short.empty()) return;
    cell.why_short = judgement.why_unknown.empty() ? result.fell_short : judgement.why_unknown;
}

void take_result(ForeignCell& cell, const Subject& subject, ForeignResult result) {
    cell.complaints += result.complaints;
    if (cell.first_error.empty()) cell.first_error = result.first_error;
    if (result.disturbance) return cell.count.leave_out_disturbed(*result.disturbance);
    // Without commands any order is allowed.
    const Inclusion order = replay_apart(result.history, result.notes, subject.name());
    if (order.executions > 0) cell.inclusion.add(order, result.history.run);
    RunReport report = report_run(result.history);
    report.lag = result.lag;
    take_commands(cell, result, report);
    take_grants(cell, result, report.judgement);
    cell.hangs.add(result.hangs);
    if (!result.hung.empty() && ++cell.hung_runs == 1) cell.why_hung = result.hung;
    // The history says what was proved, and nothing else.
    LOCKLAB_ASSERT(result.proved.empty() == (report.judgement.overlaps == 0));
    for (const Duration recovery : report.judgement.liveness.recoveries) {
        cell.longest_recovery = std::max(cell.longest_recovery, recovery);
    }
    cell.proved += result.proved.size();
    cell.told.lost += result.told.lost;
    cell.told.not_ours += result.told.not_ours;
    cell.told.error += result.told.error;
    cell.told.nothing += result.told.nothing;
    cell.fenced_grants += static_cast<std::uint64_t>(
        std::ranges::count_if(result.history.events, [](const Event& event) {
            const auto* granted = std::get_if<event::Granted>(&event.detail);
            return granted != nullptr && granted->fence != 0;
        }));
    cell.seen_inside.merge(result.seen_inside);
    cell.count.add(report);
    cell.count.would_hold_vacuously(why_vacuous(cell));
    if (cell.count.witness() == report.run) cell.witness = std::move(result.history);
}

/// If a driver ends, only its run is lost, unless too many end.
bool loses_too_much(const DriverGone& gone, ForeignCell& cell) {
    cell.lost.add(gone);
    const std::uint64_t whole = cell.count.tally().runs();
    constexpr std::uint64_t kMostAtFirst = 3;
    return cell.lost.are_too_many(whole) || (whole == 0 && cell.lost.count >= kMostAtFirst);
}

/// Keeps what was counted before; throws if that is nothing.
void end_in(const DriverTrouble& trouble, ForeignCell& cell) {
    if (cell.count.tally().runs() == 0) throw trouble;
    std::string why = trouble.what();
    if (why.ends_with('.')) why.pop_back();
    cell.count.cut_short(why);
}

}  // namespace

void run_foreign_campaign(ForeignCell& cell, const Subject& subject, std::uint64_t seed, Team& team,
                          const Watcher& watcher) {
    take_subject(cell, subject);
    ManagedServers servers(cell.spec.topology, ManagedServers::clock_for(cell.spec.budget));
    cell.redis = probe(servers.endpoint());
    for (std::uint64_t run = cell.first; run < cell.runs; ++run) {
        watcher.show(subject.name() + ": " + std::to_string(run) + " of " +
                     std::to_string(cell.runs) + " runs");
        try {
            ForeignResult result = run_foreign({cell.spec, subject, seed, run}, servers, team,
                                               [&] { return watcher.stopped(); });
            if (result.interrupted || watcher.stopped()) return cell.count.cut_short();
            take_result(cell, subject, std::move(result));
        } catch (const DriverGone& gone) {
            team.end();
            if (loses_too_much(gone, cell)) return end_in(gone, cell);
        } catch (const DriverTrouble& trouble) {
            return end_in(trouble, cell);
        }
    }
    if (cell.count.tally().runs() == 0 && cell.lost.count > 0) {
        throw DriverTrouble(cell.lost.first);
    }
}

void run_foreign_campaign(ForeignCell& cell, const Subject& subject, std::uint64_t seed,
                          std::size_t threads, const Watcher& watcher) {
    take_subject(cell, subject);
    std::atomic<std::uint64_t> next{cell.first};
    std::atomic<std::uint64_t> finished{cell.first};
    std::atomic<std::size_t> working{threads};
    std::atomic<bool> failed{false};
    std::mutex mutex;  // protects the cell, and the error
    std::exception_ptr error;
    const auto stops = [&] { return watcher.stopped() || failed; };
    const auto work = [&] {
        try {
            ManagedServers servers(cell.spec.topology, ManagedServers::clock_for(cell.spec.budget));
            const std::string redis = probe(servers.endpoint());
            Team team(subject);
            for (std::uint64_t run = next++; run < cell.runs && !stops(); run = next++) {
                try {
                    ForeignResult result =
                        run_foreign({cell.spec, subject, seed, run}, servers, team, stops);
                    const std::lock_guard guard(mutex);
                    cell.redis = redis;
                    if (!result.interrupted) take_result(cell, subject, std::move(result));
                } catch (const DriverGone& gone) {
                    team.end();
                    const std::lock_guard guard(mutex);
                    if (loses_too_much(gone, cell)) throw DriverGone(gone);
                }
                ++finished;
            }
        } catch (...) {
            const std::lock_guard guard(mutex);
            error = std::current_exception();
            failed = true;
        }
        --working;
    };
    std::vector<std::thread> all;
    for (std::size_t i = 0; i < threads; ++i) all.emplace_back(work);
    while (working > 0) {
        watcher.show(subject.name() + ": " + std::to_string(finished) + " of " +
                     std::to_string(cell.runs) + " runs");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    for (std::thread& thread : all) thread.join();
    try {
        if (error) std::rethrow_exception(error);
    } catch (const DriverTrouble& trouble) {
        return end_in(trouble, cell);
    }
    if (watcher.stopped()) cell.count.cut_short();
}

namespace {

/// Empty for a single server.
std::string servers_text(const ForeignCell& cell) {
    if (cell.has_own_servers) {
        return "  its servers are not Redis: what is sent to them is not read, and not counted\n";
    }
    if (cell.commands.size() == 1) return {};
    const std::string which = cell.spec.topology.replicas > 0
                                  ? "a Redis server and its replica, which can take over"
                                  : std::to_string(cell.commands.size()) +
                                        " Redis servers that know nothing of one another";
    std::string text = "  " + which + "; commands that named the lock's key:";
    for (std::size_t i = 0; i < cell.commands.size(); ++i) {
        text += (i == 0 ? " " : ", ") + std::to_string(cell.commands[i]);
    }
    return text + "\n";
}

}  // namespace

std::string told_text(const ForeignCell& cell) {
    std::string text = servers_text(cell);
    if (cell.inclusion.histories() > 0) text += "  " + to_text(cell.inclusion) + "\n";
    text +=
        "  overlaps are those that the order of answers proves; jobs of drivers write nothing\n";
    if (cell.fenced_grants > 0) {
        text += "  fencing tokens, of " + std::to_string(cell.fenced_grants) +
                " grants, are compared where the order of answers tells which was first\n";
    }
    const Told& told = cell.told;
    if (cell.proved > 0) {
        text += "  who was inside when another was granted the lock was told: that it is lost " +
                std::to_string(told.lost) + ", by its release that it is not its own " +
                std::to_string(told.not_ours) + ", an error " + std::to_string(told.error) +
                ", nothing " + std::to_string(told.nothing) + "\n";
    }
    if (cell.longest_recovery > Duration(0)) {
        text += "  after the crash of a holder the lock was granted again within " +
                to_string(cell.longest_recovery) + "\n";
    }
    if (cell.hangs.count > 0) text += "  " + to_text(cell.hangs) + "\n";
    if (cell.short_runs > 0) {
        text += "  " + counted(cell.short_runs, "run") +
                " ended before all the grants were there that were asked for; the first: " +
                cell.why_short + "\n";
    }
    if (cell.hung_runs > 0) {
        text += "  " + counted(cell.hung_runs, "run") +
                " ended while a driver hung; the first: " + cell.why_hung + "\n";
    }
    if (cell.lost.count > 0) text += "  " + cell.lost.text("run");
    if (cell.complaints > 0) {
        text +=
            "  drivers told of " + std::to_string(cell.complaints) + " errors that nobody caught\n";
    }
    const bool waits_long = cell.has_own_timeouts && cell.spec.budget.has([](const HazardRow& row) {
        return strikes_messages(row.hazard) || silences_server(row.hazard);
    });
    if (waits_long) {
        text += "  its own time-outs, of seconds, are not shortened with the TTL of " +
                to_string(cell.spec.scale) + ": what it sends again may come too late to renew\n";
    }
    if (!cell.first_error.empty()) text += "  the first error: " + cell.first_error + "\n";
    return text;
}

}  // namespace locklab
