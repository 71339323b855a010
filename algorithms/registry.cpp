#include "algorithms/registry.h"

#include <algorithm>
#include <array>

#include "algorithms/make_locks.h"

namespace locklab {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using enum Hazard;

// If an article prints no waiting time, clients try again after 10 ms.
constexpr LockOptions kNoExpiry{.retry = milliseconds(10)};

/// Faults that break every lock that relies on a key in one Redis: Redis forgets the key.
#define LOCKLAB_FORGETFUL restart, restart_snapshot, evict, failover

const std::array kAlgorithms{
    Algorithm{.name = "no_lock",
              .label = "no lock",
              .idea = "Grants whatever is asked: what a checker must catch.",
              .source = "control",
              .colour = "#888888",
              .defaults = kNoExpiry,
              .control = Control::grants_always,
              .redis_servers = 0,
              .safe_under = {},
              .broken_by = {contention, slow_job, crash, pause, clock_offset, clock_jump,
                            server_clock_jump, LOCKLAB_FORGETFUL, freeze},
              .make = make_no_lock},
    Algorithm{
        .name = "setnx_del",
        .label = "SETNX, DEL",
        .idea = "The client that creates the key holds the lock; deleting the key gives it back.",
        .source = "000, 002, 003",
        .colour = "#E69F00",
        .defaults = kNoExpiry,
        .safe_under = {contention, slow_job, pause, delay_reply, clock_offset, clock_jump,
                       server_clock_jump},
        .broken_by = {crash, lose_request, lose_reply, delay_request, retry, LOCKLAB_FORGETFUL,
                      freeze},
        .make = make_setnx_del},
    Algorithm{.name = "setnx_expire",
              .label = "SETNX + EXPIRE, DEL",
              .idea = "SETNX, then a second command gives the key an expiry.",
              .source = "001",
              .colour = "#D55E00",
              .defaults = {.ttl = seconds(10), .retry = milliseconds(10)},
              .safe_under = {contention, lose_request, clock_offset, clock_jump},
              .broken_by = {slow_job, crash, pause, lose_reply, delay_request, delay_reply, retry,
                            server_clock_jump, LOCKLAB_FORGETFUL, freeze},
              .make = make_setnx_expire},
    Algorithm{
        .name = "setnx_timestamp_del",
        .label = "SETNX timestamp, DEL + SETNX",
        .idea = "The value is a deadline; a client that finds it past deletes the key and "
                "tries again.",
        .source = "000, 002",
        .colour = "#A6761D",
        .defaults = {.ttl = seconds(3), .retry = milliseconds(1)},
        .reads_wall_clock = true,
        .safe_under = {contention, server_clock_jump},
        .broken_by = {slow_job, crash, pause, lose_request, lose_reply, delay_request, delay_reply,
                      retry, clock_offset, clock_jump, LOCKLAB_FORGETFUL, freeze},
        .make = make_setnx_timestamp_del},
    Algorithm{
        .name = "setnx_getset_objects",
        .label = "SETNX + GETSET, float (redis-objects)",
        .idea = "The value is a deadline in float seconds; GETSET decides who takes over "
                "once it is past.",
        .source = "000",
        .colour = "#009E73",
        // The gem's expiration option of 15 s, plus the second that it adds.
        .defaults = {.ttl = seconds(16),
                     .retry = milliseconds(100),
                     .give_up = seconds(5),
                     .clock_unit = microseconds(1)},
        .reads_wall_clock = true,
        .safe_under = {contention, crash, lose_request, lose_reply, server_clock_jump, freeze},
        .broken_by = {slow_job, pause, delay_request, delay_reply, retry, clock_offset, clock_jump,
                      LOCKLAB_FORGETFUL},
        .make = make_setnx_getset_objects},
    Algorithm{
        .name = "setnx_getset_epoch",
        .label = "SETNX + GETSET, seconds",
        .idea = "The value is a deadline in whole seconds; GETSET decides who takes over "
                "once it is past.",
        .source = "002",
        .colour = "#66A61E",
        .defaults = {.ttl = seconds(3), .retry = milliseconds(1)},
        .reads_wall_clock = true,
        .safe_under = {contention, crash, lose_request, lose_reply, server_clock_jump, freeze},
        .broken_by = {slow_job, pause, delay_request, delay_reply, retry, clock_offset, clock_jump,
                      LOCKLAB_FORGETFUL},
        .make = make_setnx_getset_epoch},
    Algorithm{.name = "set_nx_del",
              .label = "SET NX EX, DEL",
              .idea = "One atomic command sets key and expiry; DEL gives the lock back.",
              .source = "004",
              .colour = "#56B4E9",
              .defaults = {.ttl = seconds(10), .retry = milliseconds(10)},
              .safe_under = {contention, crash, lose_request, lose_reply, clock_offset, clock_jump,
                             freeze},
              .broken_by = {slow_job, pause, delay_request, delay_reply, retry, server_clock_jump,
                            LOCKLAB_FORGETFUL},
              .make = make_set_nx_del},
    Algorithm{.name = "set_nx_lua",
              .label = "SET NX EX token, Lua release",
              .idea = "One atomic command sets token and expiry; a script deletes only where the "
                      "token matches.",
              .source = "001",
              .colour = "#0072B2",
              .defaults = {.ttl = seconds(10), .retry = milliseconds(10)},
              .safe_under = {contention, crash, lose_request, lose_reply, delay_request, retry,
                             clock_offset, clock_jump, freeze},
              .broken_by = {slow_job, pause, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL},
              .make = make_set_nx_lua},
    Algorithm{.name = "watchdog_unowned",
              .label = "SET NX EX, watchdog, DEL",
              .idea = "A watchdog sends EXPIRE every half TTL for as long as the job runs.",
              .source = "004",
              .colour = "#CC79A7",
              .defaults = {.ttl = seconds(10), .retry = milliseconds(10), .renewal = seconds(5)},
              .renews = true,
              .safe_under = {contention, slow_job, crash, clock_offset, clock_jump},
              .broken_by = {pause, stall, lose_request, lose_reply, delay_request, delay_reply,
                            retry, server_clock_jump, LOCKLAB_FORGETFUL, freeze},
              // Only where a job is about as long as the hang.
              .rarely_broken_by = {freeze},
              .make = make_watchdog_unowned},
    Algorithm{
        .name = "watchdog_owned",
        .label = "SET NX PX token, watchdog, Lua",
        .idea = "Token, watchdog and scripts: only the holder renews and releases.",
        .source = "001 with 004",
        .colour = "#7570B3",
        .defaults = {.ttl = seconds(30),
                     .retry = milliseconds(10),
                     .renewal = seconds(10),
                     .clock_unit = milliseconds(1)},
        .renews = true,
        .safe_under = {contention, slow_job, crash, lose_request, lose_reply, delay_request, retry,
                       clock_offset, clock_jump},
        .broken_by = {pause, stall, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL, freeze},
        // A client that comes just as the server goes on is granted the lock before the holder
        // is told.
        .rarely_broken_by = {freeze},
        .make = make_watchdog_owned},
    Algorithm{.name = "reentrant_watchdog",
              .label = "re-entrant hash, watchdog, Lua",
              .idea = "A hash counts how often its holder took the lock; scripts and a watchdog "
                      "do the rest.",
              .source = "001, 004 (Redisson)",
              .colour = "#882255",
              .defaults = {.ttl = seconds(30),
                           .retry = milliseconds(10),
                           .renewal = seconds(10),
                           .clock_unit = milliseconds(1)},
              .renews = true,
              .reentrant = true,
              .safe_under = {contention, slow_job, crash, lose_request, lose_reply, clock_offset,
                             clock_jump},
              .broken_by = {pause, stall, delay_request, delay_reply, retry, server_clock_jump,
                            LOCKLAB_FORGETFUL, freeze},
              .make = make_reentrant_watchdog},
    Algorithm{
        .name = "fenced",
        .label = "script with a fencing token",
        .idea = "One script takes the key and draws a counter; the resource refuses whoever "
                "shows an older one.",
        .source = "Kleppmann 2016",
        .colour = "#44AA99",
        .defaults = {.ttl = seconds(10), .retry = milliseconds(10), .clock_unit = milliseconds(1)},
        .fences = true,
        .safe_under = {contention, crash, lose_request, lose_reply, delay_request, retry,
                       clock_offset, clock_jump, freeze},
        .broken_by = {slow_job, pause, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL},
        .make = make_fenced},
    Algorithm{.name = "perfect_lock",
              .label = "perfect lock",
              .idea = "An oracle that no fault touches: the upper bound.",
              .source = "control",
              .colour = "#222222",
              .defaults = kNoExpiry,
              .control = Control::never_wrong,
              .redis_servers = 0,
              .safe_under = {contention, slow_job, crash, pause, clock_offset, clock_jump,
                             server_clock_jump, LOCKLAB_FORGETFUL, freeze},
              .broken_by = {},
              .make = make_perfect_lock},
};

#undef LOCKLAB_FORGETFUL

}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

const Algorithm* algorithm_named(std::string_view name) {
    for (const Algorithm& algorithm : kAlgorithms) {
        if (algorithm.name == name) return &algorithm;
    }
    return nullptr;
}

const Algorithm& the_control(Control control) {
    return *std::ranges::find(kAlgorithms, control, &Algorithm::control);
}

}  // namespace locklab
