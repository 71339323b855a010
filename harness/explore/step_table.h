// A table of the kinds of steps: the word in traces, who makes the step, and which fault it is.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "harness/core/error_kind.h"
#include "harness/core/hazard.h"
#include "harness/explore/step.h"

namespace locklab {

/// Who makes the step.
enum class StepOf : std::uint8_t { client, server, time };

struct StepKindRow {
    Step::Kind kind;
    std::string_view word;
    StepOf whose;
    Hazard hazard;  ///< kNoFault: the step is no fault
};

inline constexpr auto kSteps = std::to_array<StepKindRow>({
    {Step::Kind::send, "send", StepOf::client, kNoFault},
    {Step::Kind::lose_request, "lose_request", StepOf::client, Hazard::lose_request},
    {Step::Kind::lose_reply, "lose_reply", StepOf::client, Hazard::lose_reply},
    {Step::Kind::delay, "delay_request", StepOf::client, Hazard::delay_request},
    {Step::Kind::delay_reply, "delay_reply", StepOf::client, Hazard::delay_reply},
    {Step::Kind::retry, "retry", StepOf::client, Hazard::retry},
    {Step::Kind::take, "take", StepOf::client, kNoFault},
    {Step::Kind::wake, "wake", StepOf::client, kNoFault},
    {Step::Kind::expire, "time_out", StepOf::client, kNoFault},
    {Step::Kind::arrive, "arrive", StepOf::client, kNoFault},
    {Step::Kind::pass, "pass", StepOf::time, kNoFault},
    {Step::Kind::crash, "crash", StepOf::client, Hazard::crash},
    {Step::Kind::pause, "pause", StepOf::client, Hazard::pause},
    {Step::Kind::stall, "stall", StepOf::client, Hazard::stall},
    {Step::Kind::clock_ahead, "clock_ahead", StepOf::client, Hazard::clock_jump},
    {Step::Kind::clock_back, "clock_back", StepOf::client, Hazard::clock_jump},
    {Step::Kind::server_ahead, "redis_clock_ahead", StepOf::server, Hazard::server_clock_jump},
    {Step::Kind::server_back, "redis_clock_back", StepOf::server, Hazard::server_clock_jump},
    {Step::Kind::restart, "redis_restart", StepOf::server, Hazard::restart},
    {Step::Kind::back, "redis_back", StepOf::server, kNoFault},
    {Step::Kind::evict, "redis_evict", StepOf::server, Hazard::evict},
    {Step::Kind::save, "redis_save", StepOf::server, kNoFault},
    {Step::Kind::restore, "redis_restore", StepOf::server, Hazard::restart_snapshot},
    {Step::Kind::resume, "resume", StepOf::client, kNoFault},
    {Step::Kind::leave, "leave", StepOf::client, kNoFault},
    {Step::Kind::failover, "failover", StepOf::server, Hazard::failover},
    {Step::Kind::learn, "learn", StepOf::client, kNoFault},
    {Step::Kind::freeze, "redis_hangs", StepOf::server, Hazard::freeze},
    {Step::Kind::thaw, "redis_goes_on", StepOf::server, kNoFault},
    {Step::Kind::error, "error_loading", StepOf::client, Hazard::error_reply},
    {Step::Kind::noscript, "error_noscript", StepOf::client, Hazard::error_reply},
    {Step::Kind::reset_request, "reset_request", StepOf::client, Hazard::reset},
    {Step::Kind::reset_reply, "reset_reply", StepOf::client, Hazard::reset},
    {Step::Kind::cut_request, "cut_request", StepOf::client, Hazard::partition},
    {Step::Kind::cut_reply, "cut_reply", StepOf::client, Hazard::partition},
    {Step::Kind::heal, "heal", StepOf::client, kNoFault},
    {Step::Kind::flush, "redis_flush", StepOf::server, Hazard::flush},
});

constexpr const StepKindRow& row_of(Step::Kind kind) {
    return kSteps[static_cast<std::size_t>(kind)];
}
static_assert(std::ranges::all_of(kSteps,
                                  [](const StepKindRow& row) { return &row_of(row.kind) == &row; }),
              "rows stand in the order of the enumeration");
static_assert(std::ranges::all_of(kHazards,
                                  [](const HazardRow& row) {
                                      return !strikes_at_a_moment(row.hazard) ||
                                             !is_made_in(FaultWorld::search, row.hazard) ||
                                             std::ranges::count(kSteps, row.hazard,
                                                                &StepKindRow::hazard) > 0;
                                  }),
              "each fault that strikes at some moment is a step of searches");

/// Whether it is a step of a client, and not of time or of a server.
constexpr bool is_of_client(Step::Kind kind) { return row_of(kind).whose == StepOf::client; }
/// Which fault a step of that kind is; kNoFault: none.
constexpr Hazard hazard_of(Step::Kind kind) { return row_of(kind).hazard; }
/// Which error the step answers with; nothing: with none.
constexpr std::optional<ErrorKind> error_of(Step::Kind kind) {
    if (kind == Step::Kind::error) return ErrorKind::loading;
    if (kind == Step::Kind::noscript) return ErrorKind::noscript;
    return std::nullopt;
}
/// Whether the command that it sends is lost before it is executed.
constexpr bool loses_request(Step::Kind kind) {
    return kind == Step::Kind::lose_request || kind == Step::Kind::cut_request;
}
/// The steps that send a command which goes wrong on its way, in the order of searches.
inline constexpr auto kCommandFaults = std::to_array<Step::Kind>(
    {Step::Kind::lose_request, Step::Kind::lose_reply, Step::Kind::retry, Step::Kind::delay,
     Step::Kind::delay_reply, Step::Kind::error, Step::Kind::noscript, Step::Kind::reset_request,
     Step::Kind::reset_reply, Step::Kind::cut_request, Step::Kind::cut_reply});
/// Whether it sends a command that goes wrong on its way.
constexpr bool is_command_fault(Step::Kind kind) { return strikes_messages(hazard_of(kind)); }
/// Whether it is a step of one client at one server, which its slot names. A time-out can be one,
/// too: that of a command which is sent again.
constexpr bool is_at_server(Step::Kind kind) {
    return kind == Step::Kind::send || kind == Step::Kind::arrive || kind == Step::Kind::heal ||
           is_command_fault(kind);
}

static_assert(std::ranges::all_of(kSteps, [](const StepKindRow& row) {
    return is_command_fault(row.kind) == (std::ranges::count(kCommandFaults, row.kind) == 1);
}));

/// Which fault the step is; nothing if it is none.
constexpr std::optional<Hazard> hazard_of(const Step& step) {
    if (step.slow) return Hazard::slow_job;
    const Hazard hazard = hazard_of(step.kind);
    if (hazard == kNoFault) return std::nullopt;
    return hazard;
}
constexpr bool is_fault(const Step& step) { return hazard_of(step).has_value(); }

}  // namespace locklab
