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
/// The page's lease of 10 s, and the wait of most of its ports.
constexpr LockOptions kRedlock{
    .ttl = seconds(10), .retry = milliseconds(200), .clock_unit = milliseconds(1)};
constexpr LockOptions kRedlockRenewed{.ttl = seconds(10),
                                      .retry = milliseconds(200),
                                      .renewal = seconds(3),
                                      .clock_unit = milliseconds(1)};

/// Faults that break every lock that relies on a key in one Redis: Redis forgets the key.
#define LOCKLAB_FORGETFUL restart, restart_snapshot, evict, flush, failover

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
                            server_clock_jump, restart, restart_snapshot, failover, freeze},
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
                      freeze, error_reply, reset, partition},
        .make = make_setnx_del},
    Algorithm{.name = "setnx_expire",
              .label = "SETNX + EXPIRE, DEL",
              .idea = "SETNX, then a second command gives the key an expiry.",
              .source = "001",
              .colour = "#D55E00",
              .defaults = {.ttl = seconds(10), .retry = milliseconds(10)},
              .safe_under = {contention, lose_request, clock_offset, clock_jump, error_reply},
              .broken_by = {slow_job, crash, pause, lose_reply, delay_request, delay_reply, retry,
                            server_clock_jump, LOCKLAB_FORGETFUL, freeze, reset, partition},
              .make = make_setnx_expire},
    Algorithm{.name = "setnx_timestamp_del",
              .label = "SETNX timestamp, DEL + SETNX",
              .idea = "The value is a deadline; a client that finds it past deletes the key and "
                      "tries again.",
              .source = "000, 002",
              .colour = "#A6761D",
              .defaults = {.ttl = seconds(3), .retry = milliseconds(1)},
              .reads_wall_clock = true,
              .safe_under = {contention, server_clock_jump},
              .broken_by = {slow_job, crash, pause, lose_request, lose_reply, delay_request,
                            delay_reply, retry, clock_offset, clock_jump, LOCKLAB_FORGETFUL, freeze,
                            error_reply, reset, partition},
              .make = make_setnx_timestamp_del},
    Algorithm{.name = "setnx_getset_objects",
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
              .safe_under = {contention, crash, lose_request, lose_reply, server_clock_jump, freeze,
                             error_reply, reset, partition},
              .broken_by = {slow_job, pause, delay_request, delay_reply, retry, clock_offset,
                            clock_jump, LOCKLAB_FORGETFUL},
              .make = make_setnx_getset_objects},
    Algorithm{.name = "setnx_getset_epoch",
              .label = "SETNX + GETSET, seconds",
              .idea = "The value is a deadline in whole seconds; GETSET decides who takes over "
                      "once it is past.",
              .source = "002",
              .colour = "#66A61E",
              .defaults = {.ttl = seconds(3), .retry = milliseconds(1)},
              .reads_wall_clock = true,
              .safe_under = {contention, crash, lose_request, lose_reply, server_clock_jump, freeze,
                             error_reply, reset, partition},
              .broken_by = {slow_job, pause, delay_request, delay_reply, retry, clock_offset,
                            clock_jump, LOCKLAB_FORGETFUL},
              .make = make_setnx_getset_epoch},
    Algorithm{.name = "set_nx_del",
              .label = "SET NX EX, DEL",
              .idea = "One atomic command sets key and expiry; DEL gives the lock back.",
              .source = "004",
              .colour = "#56B4E9",
              .defaults = {.ttl = seconds(10), .retry = milliseconds(10)},
              .safe_under = {contention, crash, lose_request, lose_reply, clock_offset, clock_jump,
                             freeze, error_reply, reset, partition},
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
                             clock_offset, clock_jump, freeze, error_reply, reset, partition},
              .broken_by = {slow_job, pause, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL},
              .make = make_set_nx_lua},
    Algorithm{
        .name = "watchdog_unowned",
        .label = "SET NX EX, watchdog, DEL",
        .idea = "A watchdog sends EXPIRE every half TTL for as long as the job runs.",
        .source = "004",
        .colour = "#CC79A7",
        .defaults = {.ttl = seconds(10), .retry = milliseconds(10), .renewal = seconds(5)},
        .renews = true,
        .safe_under = {contention, slow_job, crash, clock_offset, clock_jump},
        .broken_by = {pause, stall, lose_request, lose_reply, delay_request, delay_reply, retry,
                      server_clock_jump, LOCKLAB_FORGETFUL, freeze, error_reply, reset, partition},
        // Only where a job is about as long as the hang.
        .rarely_broken_by = {freeze},
        .make = make_watchdog_unowned},
    Algorithm{.name = "watchdog_owned",
              .label = "SET NX PX token, watchdog, Lua",
              .idea = "Token, watchdog and scripts: only the holder renews and releases.",
              .source = "001 with 004",
              .colour = "#7570B3",
              .defaults = {.ttl = seconds(30),
                           .retry = milliseconds(10),
                           .renewal = seconds(10),
                           .clock_unit = milliseconds(1)},
              .renews = true,
              .safe_under = {contention, slow_job, crash, lose_request, lose_reply, delay_request,
                             retry, clock_offset, clock_jump, error_reply, reset},
              .broken_by = {pause, stall, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL, freeze,
                            partition},
              // A client that comes just as the server goes on is granted the lock before the
              // holder is told.
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
                             clock_jump, error_reply, reset},
              .broken_by = {pause, stall, delay_request, delay_reply, retry, server_clock_jump,
                            LOCKLAB_FORGETFUL, freeze, partition},
              .make = make_reentrant_watchdog},
    Algorithm{
        .name = "fenced",
        .label = "script with a fencing token",
        .idea = "One script takes the key and draws a counter; the resource refuses an older one.",
        .source = "Kleppmann 2016",
        .colour = "#44AA99",
        .defaults = {.ttl = seconds(10), .retry = milliseconds(10), .clock_unit = milliseconds(1)},
        .fences = true,
        .safe_under = {contention, crash, lose_request, lose_reply, delay_request, retry,
                       clock_offset, clock_jump, freeze, error_reply, reset, partition},
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
                             server_clock_jump, restart, restart_snapshot, failover, freeze},
              .broken_by = {},
              .make = make_perfect_lock},
};

const std::array kOtherForms{
    Algorithm{.name = "set_nx_get_del",
              .label = "SET NX EX token, GET + DEL",
              .idea = "The holder reads the key, and deletes it if its own token is there: two "
                      "commands, between which the key may become another's.",
              .source = "spring-integration #8699",
              .colour = "#CC6677",
              .defaults = {.ttl = seconds(10), .retry = milliseconds(10)},
              .safe_under = {contention, crash, lose_request, lose_reply, clock_offset, clock_jump,
                             freeze, error_reply, reset, partition},
              .broken_by = {slow_job, pause, delay_request, delay_reply, retry, server_clock_jump,
                            LOCKLAB_FORGETFUL},
              .make = make_set_nx_get_del},
    Algorithm{.name = "watch_multi_del",
              .label = "SET NX EX token, WATCH + MULTI",
              .idea =
                  "The holder watches the key, reads it, and deletes it in a transaction, which "
                  "Redis drops if the key has changed.",
              .source = "Redis in Action, 6.2.3",
              .colour = "#88CCEE",
              .defaults = {.ttl = seconds(10), .retry = milliseconds(10)},
              // A retry leaves the watched key behind with its connection. It breaks the lock only
              // where the time-out leads beyond the TTL.
              .safe_under = {contention, crash, lose_request, lose_reply, delay_request, retry,
                             clock_offset, clock_jump, freeze, error_reply, reset, partition},
              .broken_by = {slow_job, pause, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL},
              .make = make_watch_multi_del},
    Algorithm{.name = "set_nx_time_del",
              .label = "SET NX PX, DEL in time",
              .idea = "The holder deletes the key only while its own clock says that it has not "
                      "expired.",
              .source = "redis-objects",
              .colour = "#DDAA33",
              .defaults = {.ttl = seconds(15),
                           .retry = milliseconds(100),
                           .give_up = seconds(5),
                           .clock_unit = milliseconds(1)},
              .reads_wall_clock = true,
              .safe_under = {contention, crash, lose_request, lose_reply, clock_offset, clock_jump,
                             freeze, error_reply, reset, partition},
              .broken_by = {slow_job, pause, delay_request, delay_reply, retry, server_clock_jump,
                            LOCKLAB_FORGETFUL},
              .make = make_set_nx_time_del},
    Algorithm{
        .name = "self_fencing_watchdog",
        .label = "watchdog that stops its holder",
        .idea = "The holder measures its lease itself and stops at its end, whether or not "
                "Redis answers.",
        .source = "Burrows 2006",
        .colour = "#004488",
        .defaults = {.ttl = seconds(30),
                     .retry = milliseconds(10),
                     .renewal = seconds(10),
                     .clock_unit = milliseconds(1)},
        .reads_monotonic_clock = true,
        .renews = true,
        .new_each_try = true,
        .safe_under = {contention, slow_job, crash, lose_request, lose_reply, delay_request, retry,
                       clock_offset, clock_jump, freeze, error_reply, reset, partition},
        .broken_by = {pause, stall, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL},
        .make = make_self_fencing_watchdog},
    Algorithm{
        .name = "lock_delay",
        .label = "lease, and a delay after it",
        .idea = "The key outlives the lease by a delay, and its holder stops at the end of "
                "the lease.",
        .source = "Burrows 2006; Consul",
        .colour = "#BB5566",
        .defaults = {.ttl = seconds(15), .retry = milliseconds(10), .clock_unit = milliseconds(1)},
        .reads_monotonic_clock = true,
        .new_each_try = true,
        .safe_under = {contention, slow_job, crash, lose_request, lose_reply, delay_request,
                       delay_reply, retry, clock_offset, clock_jump, freeze, error_reply, reset,
                       partition},
        .broken_by = {pause, server_clock_jump, LOCKLAB_FORGETFUL},
        .make = make_lock_delay},
    Algorithm{
        .name = "upsert_watchdog",
        .label = "watchdog that sets the key again",
        .idea = "A renewal takes the key again where nobody has it.",
        .source = "as ported",
        .colour = "#EECC66",
        .defaults = {.ttl = seconds(30),
                     .retry = milliseconds(10),
                     .renewal = seconds(10),
                     .clock_unit = milliseconds(1)},
        .renews = true,
        .safe_under = {contention, slow_job, crash, lose_request, lose_reply, delay_request, retry,
                       clock_offset, clock_jump, freeze, error_reply, reset},
        .broken_by = {pause, stall, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL, partition},
        .make = make_upsert_watchdog},
    Algorithm{.name = "unlock_latch",
              .label = "re-entrant hash, unlock that counts once",
              .idea = "An unlock leaves its answer under a key of its own request, and counts "
                      "nothing when it comes again.",
              .source = "Redisson",
              .colour = "#997700",
              .defaults = {.ttl = seconds(30),
                           .retry = milliseconds(10),
                           .renewal = seconds(10),
                           .clock_unit = milliseconds(1)},
              .renews = true,
              .reentrant = true,
              .safe_under = {contention, slow_job, crash, lose_request, lose_reply, retry,
                             clock_offset, clock_jump, error_reply, reset},
              .broken_by = {pause, stall, delay_request, delay_reply, server_clock_jump,
                            LOCKLAB_FORGETFUL, freeze, partition},
              .make = make_unlock_latch},
    Algorithm{.name = "set_nx_delifeq",
              .label = "SET NX EX token, DELIFEQ",
              .idea = "A command of the server, and no script, deletes only where the token "
                      "matches.",
              .source = "Valkey 9",
              .colour = "#6699FF",
              .defaults = {.ttl = seconds(10), .retry = milliseconds(10)},
              .server = ServerKind::valkey,
              .safe_under = {contention, crash, lose_request, lose_reply, delay_request, retry,
                             clock_offset, clock_jump, freeze, error_reply, reset, partition},
              .broken_by = {slow_job, pause, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL},
              .make = make_set_nx_delifeq},
    Algorithm{
        .name = "watchdog_ifeq",
        .label = "SET NX PX token, watchdog, IFEQ",
        .idea = "The watchdog renews and the release deletes by commands that compare the token.",
        .source = "Valkey 8.1, 9",
        .colour = "#994455",
        .defaults = {.ttl = seconds(30),
                     .retry = milliseconds(10),
                     .renewal = seconds(10),
                     .clock_unit = milliseconds(1)},
        .server = ServerKind::valkey,
        .renews = true,
        .safe_under = {contention, slow_job, crash, lose_request, lose_reply, delay_request, retry,
                       clock_offset, clock_jump, error_reply, reset},
        .broken_by = {pause, stall, delay_reply, server_clock_jump, LOCKLAB_FORGETFUL, freeze,
                      partition},
        .rarely_broken_by = {freeze},
        .make = make_watchdog_ifeq},
};

#undef LOCKLAB_FORGETFUL

/// Of the forms without a watchdog that undo. With one fault, a clock that is set changes nothing
/// even for redlock_wall_clock: its try must take long besides.
constexpr HazardSet kRedlockSafe{contention,    crash,       lose_request, lose_reply,
                                 delay_request, retry,       clock_offset, clock_jump,
                                 freeze,        error_reply, reset,        partition};
constexpr HazardSet kRedlockBroken{slow_job,         pause, delay_reply, server_clock_jump, restart,
                                   restart_snapshot, evict, flush};

const std::array kRedlocks{
    Algorithm{
        .name = "redlock",
        .label = "Redlock, three servers at once",
        .idea = "A majority of three servers must grant the key while some of its lease is left.",
        .source = "redis.io",
        .colour = "#332288",
        .defaults = kRedlock,
        .redis_servers = 3,
        .reads_monotonic_clock = true,
        .new_each_try = true,
        .safe_under = kRedlockSafe,
        .broken_by = kRedlockBroken,
        .make = make_redlock},
    Algorithm{.name = "redlock_in_turn",
              .label = "Redlock, one server after the other",
              .idea = "Redlock in the page's order: the servers are asked one after the other.",
              .source = "redis.io",
              .colour = "#117733",
              .defaults = kRedlock,
              .redis_servers = 3,
              .reads_monotonic_clock = true,
              .new_each_try = true,
              .safe_under = kRedlockSafe,
              .broken_by = kRedlockBroken,
              .make = make_redlock_in_turn},
    Algorithm{.name = "redlock_unchecked",
              .label = "Redlock, time unchecked",
              .idea = "Redlock without its last step: a majority is enough, however late it is.",
              .source = "redis.io, less a step",
              .colour = "#999933",
              .defaults = kRedlock,
              .redis_servers = 3,
              .new_each_try = true,
              .safe_under = kRedlockSafe,
              .broken_by = kRedlockBroken,
              .make = make_redlock_unchecked},
    Algorithm{.name = "redlock_no_undo",
              .label = "Redlock, nothing undone",
              .idea = "Redlock whose failed tries leave what they have set until it expires.",
              .source = "redis.io, less a step",
              .colour = "#AA4499",
              .defaults = kRedlock,
              .redis_servers = 3,
              .reads_monotonic_clock = true,
              .new_each_try = true,
              .safe_under = {},
              .broken_by = {contention,   slow_job,         crash,         pause,
                            lose_request, lose_reply,       delay_request, delay_reply,
                            retry,        clock_offset,     clock_jump,    server_clock_jump,
                            restart,      restart_snapshot, evict,         flush,
                            freeze,       error_reply,      reset,         partition},
              .make = make_redlock_no_undo},
    Algorithm{.name = "redlock_wall_clock",
              .label = "Redlock by a wall clock",
              .idea = "Redlock that measures its tries by a clock that can be set.",
              .source = "redis.io, as ported",
              .colour = "#661100",
              .defaults = kRedlock,
              .redis_servers = 3,
              .reads_wall_clock = true,
              .new_each_try = true,
              .safe_under = kRedlockSafe,
              .broken_by = kRedlockBroken,
              .make = make_redlock_wall_clock},
    Algorithm{
        .name = "redlock_extending",
        .label = "Redlock, watchdog",
        .idea = "Redlock whose watchdog extends the key at the servers, a majority each time.",
        .source = "redis.io",
        .colour = "#6699CC",
        .defaults = kRedlockRenewed,
        .redis_servers = 3,
        .reads_monotonic_clock = true,
        .renews = true,
        .new_each_try = true,
        .safe_under = {contention, slow_job, crash, lose_request, lose_reply, delay_request, retry,
                       clock_offset, clock_jump, freeze, error_reply, reset, partition},
        .broken_by = {pause, stall, delay_reply, server_clock_jump, restart, restart_snapshot,
                      evict, flush},
        .make = make_redlock_extending},
};

const Algorithm kWaitingForms[] = {
    {.name = "wait_replicated",
     .label = "SET NX PX token, WAIT 1",
     .idea = "set_nx_lua, whose client has the lock once a replica has acknowledged its key.",
     .source = "redis.io",
     .colour = "#DDCC77",
     .defaults = {.ttl = seconds(10), .retry = milliseconds(10), .clock_unit = milliseconds(1)},
     .safe_under = {},
     .broken_by = {},
     .make = make_wait_replicated},
    {.name = "wait_on_disk",
     .label = "SET NX PX token, WAITAOF 0 1",
     .idea = "set_nx_lua, whose client has the lock once a replica has the key on its disk.",
     .source = "redis.io",
     .colour = "#CC6677",
     .defaults = {.ttl = seconds(10), .retry = milliseconds(10), .clock_unit = milliseconds(1)},
     .safe_under = {},
     .broken_by = {},
     .make = make_wait_on_disk},
};

}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

std::span<const Algorithm> redlocks() { return kRedlocks; }

std::span<const Algorithm> other_forms() { return kOtherForms; }

bool is_in_suite(const Algorithm& algorithm) {
    return std::ranges::any_of(kAlgorithms,
                               [&](const Algorithm& one) { return one.name == algorithm.name; });
}

std::vector<const Algorithm*> every_algorithm() {
    std::vector<const Algorithm*> every;
    for (const Algorithm& algorithm : kAlgorithms) every.push_back(&algorithm);
    for (const Algorithm& algorithm : kRedlocks) every.push_back(&algorithm);
    for (const Algorithm& algorithm : kOtherForms) every.push_back(&algorithm);
    return every;
}

const Algorithm* algorithm_named(std::string_view name) {
    for (const Algorithm* algorithm : every_algorithm()) {
        if (algorithm->name == name) return algorithm;
    }
    return nullptr;
}

const Algorithm* live_algorithm_named(std::string_view name) {
    const auto* const form = std::ranges::find(kWaitingForms, name, &Algorithm::name);
    return form != std::end(kWaitingForms) ? form : algorithm_named(name);
}

const Algorithm& the_control(Control control) {
    return *std::ranges::find(kAlgorithms, control, &Algorithm::control);
}

}  // namespace locklab
