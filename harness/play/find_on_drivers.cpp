#include "harness/play/find_on_drivers.h"

#include <algorithm>
#include <stdexcept>

#include "harness/core/duration_text.h"
#include "harness/core/usage_error.h"
#include "harness/explore/step_table.h"
#include "harness/foreign/driver_stage.h"
#include "harness/play/find_replay.h"

namespace locklab {

namespace {

/// Added to each passing of time: processes are not as prompt as coroutines.
constexpr std::uint16_t kDriverLongerMs = 15;

/// If not, no driver may give up: a command that is held back has long been sent by its client's
/// clock.
bool loses_messages(const Find& find) {
    return std::ranges::any_of(find.steps, [](const Step& step) {
        using enum Step::Kind;
        return step.kind == lose_request || step.kind == lose_reply || step.kind == delay ||
               step.kind == expire;
    });
}

bool has_wrong_clocks(const Find& find) {
    return std::ranges::any_of(find.clock_offsets,
                               [](Duration offset) { return offset != Duration(0); }) ||
           std::ranges::any_of(find.steps, [](const Step& step) {
               return step.kind == Step::Kind::clock_ahead || step.kind == Step::Kind::clock_back;
           });
}

ManagedServers::ItsClock server_clock(const Find& find) {
    const bool jumps = std::ranges::any_of(find.steps, [](const Step& step) {
        return step.kind == Step::Kind::server_ahead || step.kind == Step::Kind::server_back;
    });
    return jumps ? ManagedServers::ItsClock::can_be_wrong : ManagedServers::ItsClock::right;
}

bool passes_time(const Step& step) {
    using enum Step::Kind;
    return step.kind == pass || step.kind == clock_ahead || step.kind == clock_back;
}

/// A process sends as soon as it is woken; a restart of the server, or a new master, would then
/// lose the command. So each client begins as late as its steps allow.
std::vector<Step> begun_late(const Find& find) {
    std::vector<Step> steps = find.steps;
    for (std::uint32_t client = 0; client < find.bounds.clients; ++client) {
        const auto is_its = [&](const Step& step) {
            return is_of_client(step.kind) && step.client == client;
        };
        const auto begins = std::ranges::find_if(steps, is_its);
        if (begins == steps.end() || begins->kind != Step::Kind::wake) continue;
        const auto next = std::find_if(begins + 1, steps.end(), [&](const Step& step) {
            return (is_its(step) && step.kind != Step::Kind::learn) || passes_time(step);
        });
        std::rotate(begins, begins + 1, next);
    }
    return steps;
}

Duration whole_time(const Find& find) {
    Duration time = 10 * find.bounds.options.ttl + find.bounds.pause;
    for (const Step& step : find.steps) {
        if (step.kind == Step::Kind::pass)
            time += std::chrono::milliseconds(step.ms + kDriverLongerMs);
    }
    return time;
}

}  // namespace

DriverFind play_on_drivers(const Find& find, const Subject& subject, StageProcesses& processes) {
    if (find.algorithm->name != subject.like()) {
        throw UsageError("the find is of " + std::string(find.algorithm->name) + ", and " +
                         subject.operand() + " is like " + subject.like() +
                         "; right would be a find of that lock");
    }
    DriverFind played;
    if (find.bounds.options.ttl < subject.least_ttl()) {
        played.not_played = "it takes no TTL below " + to_string(subject.least_ttl());
        return played;
    }
    played.not_played = subject.why_not_on(find.bounds.topology());
    if (!played.not_played.empty()) return played;
    const bool wrong_clocks = has_wrong_clocks(find);
    if (wrong_clocks && !subject.no_clock().empty()) {
        played.not_played = subject.no_clock();
        return played;
    }
    played.in_sim = judge(play_in_sim(find).history);
    Find slower = find;
    slower.steps = begun_late(find);
    for (Step& step : slower.steps) {
        if (step.kind == Step::Kind::pass) {
            step.ms = static_cast<std::uint16_t>(step.ms + kDriverLongerMs);
        }
    }
    const Duration timeout = loses_messages(find) ? find.bounds.timeout() : whole_time(find);
    ManagedServers& servers = processes.servers(find.bounds.topology(), server_clock(find));
    const DriverStage::Parts parts{subject, servers, processes.team(), timeout, wrong_clocks};
    try {
        played.scene =
            play_steps(slower, Key{"lock"}, [&](StageConfig config, CommandFaults& faults) {
                return std::make_unique<DriverStage>(std::move(config), parts, faults);
            });
    } catch (const NotPlayed& reason) {
        played.not_played = reason.what();
        return played;
    } catch (const std::invalid_argument& reason) {
        played.not_played = reason.what();
        return played;
    }
    played.judgement = judge(played.scene.history);
    return played;
}

std::string verdict_words(const DriverFind& played, const Find& find, const Subject& subject) {
    const std::string who = subject.operand() + ": ";
    if (!played.not_played.empty()) return who + "not played: " + played.not_played;
    const std::string verdict(name_of(played.judgement.verdict));
    if (played.is_as_expected()) return who + "as expected: " + verdict;
    const std::string seen =
        played.judgement.verdict == Verdict::holds
            ? "nothing was seen to go wrong in this one play, which is no proof"
            : verdict;
    return who + "differs from " + std::string(find.algorithm->name) + ", which is " +
           std::string(name_of(played.in_sim.verdict)) + ": " + seen;
}

}  // namespace locklab
