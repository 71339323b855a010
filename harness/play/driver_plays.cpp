#include "harness/play/driver_plays.h"

#include <algorithm>
#include <set>

#include "harness/check/cause.h"
#include "harness/core/duration_text.h"
#include "harness/foreign/driver_stage.h"
#include "harness/stage/director.h"
#include "harness/stage/scenario_times.h"

namespace locklab {

namespace {

constexpr int kAttempts = 4;
/// If the total delay is more than a TTL over this, it may have changed the outcome.
constexpr int kTtlPerLag = 10;

bool strikes_messages(Line::Verb verb) {
    using enum Line::Verb;
    return verb == loses_request || verb == loses_reply || verb == delays || verb == cut_off;
}

/// Time-out of a driver of our own locks. A command that waits for its cue has long been sent by
/// its client's clock: so no driver gives up unless the scenario loses messages.
Duration driver_timeout(const Scenario& scenario, Duration timeout) {
    const bool strikes = std::ranges::any_of(scenario.script, strikes_messages, &Line::verb);
    return strikes ? timeout : patience_for(scenario);
}

bool has_line(const Scenario& scenario, Line::Verb verb) {
    return std::ranges::find(scenario.script, verb, &Line::verb) != scenario.script.end();
}

ManagedServers::ItsClock server_clock(const Scenario& scenario) {
    const bool jumps = has_line(scenario, Line::Verb::redis_clock_jumps);
    return jumps ? ManagedServers::ItsClock::can_be_wrong : ManagedServers::ItsClock::right;
}

bool has_wrong_clocks(const Scenario& scenario) {
    return std::ranges::any_of(scenario.cast,
                               [](const Role& role) { return role.clock_offset != Duration(0); }) ||
           has_line(scenario, Line::Verb::clock_jumps);
}

std::string pair_words(const Scenario& scenario, const Deed& deed) {
    return scenario.cast[deed.victim.value].name + " and " + scenario.cast[deed.by.value].name;
}

/// The outcome, with only proved overlaps.
Outcome outcome_on(const DriverStage& stage, const History& history, Duration ttl) {
    Outcome outcome = outcome_of(history, ttl);
    std::set<Deed> proved;
    for (const auto& [earlier, later] : stage.proved()) proved.insert({earlier, later});
    outcome.inside_together.assign(proved.begin(), proved.end());
    return outcome;
}

/// True if all harm came from clients that outstayed their lease because the scenario has no
/// further line for them: that is no fault of the lock. Harm to another client's key is one.
bool is_only_overstayed(const Judgement& judgement) {
    return judgement.overlaps > 0 && std::ranges::all_of(kCauses, [&](const CauseRow& row) {
               return judgement.causes[row.cause] == 0 || row.cause == Cause::expired_while_held;
           });
}

/// The causes of an overlap that the expected outcome does not have. Empty: there are none, or the
/// commands seen do not show the cause.
std::string other_reason(const Judgement& seen, const Judgement& wanted) {
    std::string others;
    std::string right;
    for (const CauseRow& row : kCauses) {
        if (row.cause == Cause::unexplained && seen.commands > 0) continue;
        const auto add = [&](std::string& list) {
            list += (list.empty() ? "" : ", ") + std::string(row.name);
        };
        if (wanted.causes[row.cause] > 0) add(right);
        if (seen.causes[row.cause] > 0 && wanted.causes[row.cause] == 0) add(others);
    }
    return others.empty() ? "" : "for another reason: " + others + ", and not " + right;
}

/// Puts into words, part by part, what only one of the two outcomes has. If the scenario did not
/// reach its point, only harm that was seen counts.
void compare(DriverPlay& play, const std::set<ClientId>& told, const std::set<ClientId>& silent) {
    Outcome missing;
    Outcome extra;
    const auto split = [](const auto& wanted, const auto& seen, auto& only_wanted,
                          auto& only_seen) {
        std::ranges::set_difference(wanted, seen, std::inserter(only_wanted, only_wanted.end()));
        std::ranges::set_difference(seen, wanted, std::inserter(only_seen, only_seen.end()));
    };
    const Outcome& wanted = play.expected;
    const Outcome& seen = play.play.observed;
    for (const Deed& pair : wanted.inside_together) {
        if (std::ranges::binary_search(seen.inside_together, pair)) continue;
        const bool was_told = told.contains(pair.victim);
        if (was_told || silent.contains(pair.victim)) {
            play.not_shown.push_back(pair_words(*play.scenario, pair) + " inside together: " +
                                     play.scenario->cast[pair.victim.value].name +
                                     (was_told ? " was told of its loss before it did anything more"
                                               : " did nothing more inside when it went on"));
        } else {
            missing.inside_together.push_back(pair);
        }
    }
    std::ranges::set_difference(seen.inside_together, wanted.inside_together,
                                std::back_inserter(extra.inside_together));
    split(wanted.stuck, seen.stuck, missing.stuck, extra.stuck);
    split(wanted.kept_out, seen.kept_out, missing.kept_out, extra.kept_out);
    split(wanted.failed, seen.failed, missing.failed, extra.failed);
    split(wanted.deleted, seen.deleted, missing.deleted, extra.deleted);
    split(wanted.extended, seen.extended, missing.extended, extra.extended);
    split(wanted.lost_updates, seen.lost_updates, missing.lost_updates, extra.lost_updates);
    std::erase_if(missing.lost_updates, [&](const Deed& deed) {
        if (!told.contains(deed.by)) return false;
        play.not_shown.push_back(play.scenario->cast[deed.by.value].name +
                                 " was told of its loss before its write");
        return true;
    });
    if (!play.why.empty()) {
        missing = Outcome();
        extra.stuck.clear();
        extra.kept_out.clear();
        if (is_only_overstayed(play.play.judgement)) {
            extra.inside_together.clear();
            extra.lost_updates.clear();
        }
    }
    const std::vector<std::string> names = play.scenario->names();
    if (!is_harmless(missing)) play.differences.push_back("not seen: " + in_words(missing, names));
    if (!is_harmless(extra)) play.differences.push_back("seen: " + in_words(extra, names));
}

/// A line of the script that found nothing to do here, but does with our lock; empty: none.
std::string missed_point(const Play& play, const Play& like) {
    for (const std::string& line : play.passed_over) {
        if (std::ranges::find(like.passed_over, line) == like.passed_over.end()) return line;
    }
    return "";
}

void play_once(DriverPlay& play, const Scenario& scenario, const Play& in_sim,
               const DriverStage::Parts& parts, PlayLateness::Found& late) {
    StageConfig config = stage_for(play.subject->row(), scenario, play.scenario->ttl);
    // The TTL in the subject's row is for campaigns.
    config.options.ttl = scenario.ttl;
    const Duration patience = patience_for(scenario);
    Director director(scenario, patience);
    DriverStage stage(std::move(config), parts, director);
    Play& seen = play.play = Play();
    try {
        director.play(stage);
        late = stage.lateness(scenario.ttl / kTtlPerLag);
        seen.scene = stage.take_scene(patience);
    } catch (const std::runtime_error&) {
        stage.blame_operator();
        throw;
    }
    stage.blame_operator();
    play.library_error = stage.first_error();
    play.proved_overlaps = stage.proved().size();
    seen.scene.title = scenario.title;
    seen.scene.names = scenario.names();
    seen.observed = outcome_on(stage, seen.scene.history, scenario.ttl);
    seen.judgement = judge(seen.scene.history);
    seen.passed_over = director.passed_over();
    play.differences.clear();
    play.not_shown.clear();
    play.end = DriverPlay::End::played;
    play.why = missed_point(seen, in_sim);
    compare(play, stage.told_of_loss(), stage.showed_nothing());
    const bool is_seen = play.differences.empty() && !seen.observed.inside_together.empty();
    if (is_seen && play.why.empty() && play.like->on_redis()) {
        const std::string other = other_reason(seen.judgement, in_sim.judgement);
        if (!other.empty()) play.differences.push_back(other);
    }
    if (!play.why.empty() && play.differences.empty()) play.end = DriverPlay::End::not_played;
}

}  // namespace

std::string why_not_played(const Scenario& scenario, const Subject& subject) {
    using enum Line::Verb;
    if (std::string why = subject.why_not_on(scenario.topology); !why.empty()) return why;
    if (scenario.locks > 1) return "what a driver is asked has no word for a second lock";
    if (has_wrong_clocks(scenario) && !subject.no_clock().empty()) return subject.no_clock();
    for (const Role& role : scenario.cast) {
        if (role.renewal) return "nobody tells a library when to renew";
    }
    for (const Line& line : scenario.script) {
        switch (line.verb) {
            case takes_again: return "what a driver is asked has no word for taking a lock again";
            case watchdog_stalls:
                if (subject.row().renews) {
                    return "one thread of a process cannot be stopped by itself";
                }
                break;
            default: break;
        }
    }
    return "";
}

std::vector<DriverPlay> driver_plays_of(const std::vector<Scenario>& scenarios,
                                        const Subject& subject, const Algorithm& like) {
    std::vector<DriverPlay> plays;
    for (const Scenario& scenario : scenarios) {
        DriverPlay& play = plays.emplace_back();
        play.scenario = &scenario;
        play.subject = &subject;
        play.like = &like;
    }
    return plays;
}

void play_on_drivers(DriverPlay& play, Duration ttl, StageProcesses& processes) {
    play.why = why_not_played(*play.scenario, *play.subject);
    Duration shortest = ttl;
    for (const Role& role : in_proportion(*play.scenario, ttl).cast) {
        shortest = std::min(shortest, role.ttl.value_or(ttl));
    }
    if (play.why.empty() && shortest < play.subject->least_ttl()) {
        play.why = "it takes no TTL below " + to_string(play.subject->least_ttl());
    }
    play.ttl = ttl;
    if (!play.why.empty()) {
        play.end = DriverPlay::End::not_played;
        return;
    }
    const Play in_sim = play_in_sim(*play.scenario, *play.like);
    play.expected = in_sim.observed;
    PlayLateness::Found late;
    for (int attempt = 0; attempt == 0 || (attempt < kAttempts && !late.why.empty()); ++attempt) {
        // A machine that was late is given more time.
        play.ttl = ttl * (1 << attempt);
        const Scenario scenario = in_proportion(*play.scenario, play.ttl);
        const Duration timeout = scenario.timeout.value_or(scenario.ttl / 10);
        ManagedServers& servers = processes.servers(scenario.topology, server_clock(scenario));
        const DriverStage::Parts parts{*play.subject,
                                       servers,
                                       processes.team(),
                                       driver_timeout(scenario, timeout),
                                       has_wrong_clocks(scenario),
                                       has_line(scenario, Line::Verb::redis_restores)};
        try {
            play_once(play, scenario, in_sim, parts, late);
        } catch (const NotPlayed& reason) {
            play.end = DriverPlay::End::not_played;
            play.why = reason.what();
            return;
        }
        play.was_late |= late.is_machines;
        if (play.is_as_expected()) return;
    }
    if (late.why.empty()) return;
    play.end = DriverPlay::End::disturbed;
    play.why = late.why;
}

}  // namespace locklab
