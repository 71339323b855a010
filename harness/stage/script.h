// A scenario file as read: a race, told in lines that a director can play with any lock.
// scenarios/README.md describes the language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/outcome.h"
#include "harness/core/names.h"
#include "harness/core/time.h"
#include "harness/core/topology.h"

namespace locklab {

/// Selects the commands of a client that a line means.
struct Selector {
    enum class Kind : std::uint8_t {
        acquire,  ///< any command of a try to acquire
        renewal,  ///< any command of a watchdog
        release,  ///< any command of a release
        read,     ///< the job's read of the register
        write,    ///< the job's write to the register
        command,  ///< the Redis command `name`, as named by command_meant()
    };
    Kind kind = Kind::acquire;
    std::string name;                ///< of a command, in capitals
    std::optional<NodeId> server{};  ///< only commands to this server

    bool operator==(const Selector&) const = default;
};

/// One line of a script.
struct Line {
    enum class Verb : std::uint8_t {
        tries,              ///< one try, to its end
        acquires,           ///< tries until granted
        waits,              ///< begins to try, and goes on by itself while others act
        gives_up,           ///< stops wanting the lock, until it tries again
        takes_again,        ///< while inside, tries to acquire the lock a second time
        writes,             ///< the job ends with its write
        releases,           ///< the job ends, if it has not, and the lock is released
        runs_until_before,  ///< until its next command of this kind is to be sent, and has not
                            ///< arrived
        runs_until_after,   ///< until that command was answered
        pauses,             ///< worker and watchdog stop
        resumes,
        crashes,
        watchdog_stalls,  ///< the watchdog alone stops
        watchdog_resumes,
        cut_off,  ///< nothing that the client sends reaches Redis
        reachable,
        cut_off_from,  ///< nothing that the client sends reaches this server
        reaches,
        clock_jumps,
        loses_request,  ///< its next command of this kind never arrives
        loses_reply,    ///< the command arrives and runs; the reply is lost
        delays,         ///< the command stays in the network until it `arrives`
        delays_reply,   ///< the command arrives and runs; its reply stays in the network until it
                        ///< arrives
        retries,        ///< the reply is lost, and the client library sends the command again
        gets_error,  ///< its next command of this kind is answered with LOADING, and does not run
        is_reset,    ///< its connection is reset before that command runs
        reply_is_reset,  ///< its connection is reset once that command has run
        arrives,
        reply_arrives,
        time_passes,     ///< only watchdogs and clients that `wait` act
        redis_restarts,  ///< comes back empty, `amount` later
        redis_restores,  ///< comes back with its data of `amount` ago
        redis_hangs,     ///< answers nobody until it `goes on`, with its data
        redis_goes_on,   ///< and takes what waited for it, in order
        redis_evicts,    ///< the lock's key
        redis_flushed,   ///< all keys
        redis_clock_jumps,
        operator_deletes,    ///< the lock's key
        replica_cut_off,     ///< the replica gets nothing more from its master
        replica_takes_over,  ///< with the data that it has; no client has learnt of it
        learns_master,       ///< the client learns which server has taken over
    };
    Verb verb = Verb::time_passes;
    ClientId client;       ///< the acting client; not for Redis, the operator and time
    Selector selector;     ///< which command, if the verb needs one
    NodeId server;         ///< which Redis, if the verb needs one
    Duration amount{0};    ///< how long, how old, how far; a jump may be negative
    std::string text;      ///< as in the file
    std::size_t line = 0;  ///< in the file, from 1
};

/// A client of the play.
struct Role {
    std::string name;  ///< one capital letter
    Duration clock_offset{0};
    /// Length of each job, to its write; zero: until a line ends it.
    Duration job{0};
    std::optional<Duration> ttl{};      ///< its own; else the scenario's
    std::optional<Duration> renewal{};  ///< its watchdog's own; else in proportion to its TTL
    /// It calls release even after a refusal.
    bool always_releases = false;
};

/// The expected outcome of the scenario with one algorithm, and why.
struct Expectation {
    std::string algorithm;
    Outcome outcome;
    std::string why;
    std::string fix;  ///< empty if nothing goes wrong
    std::size_t line = 0;
};

struct Scenario {
    std::string name;  ///< the file's stem
    std::string file;  ///< as it was asked for
    std::string text;  ///< the whole file
    std::string title;
    std::string source;  ///< article or link
    std::string says;    ///< the sentence that is played, in its own language; may be empty
    std::string means;   ///< the same in English; may be empty
    std::string hits;    ///< the kind of lock that it hits
    std::string verdict_on_source;  ///< the correction, if the source is wrong; may be empty
    Topology topology;              ///< the servers that it is played on
    /// Number of locks that each client takes, one inside the other, each at a server of its own.
    std::uint32_t locks = 1;
    Duration ttl{0};
    std::optional<Duration> retry;      ///< between two tries; else a fortieth of the TTL
    std::optional<Duration> timeout;    ///< of a command; else a tenth of the TTL
    std::optional<Duration> job_limit;  ///< a longer job is stopped after this, without its write
    std::vector<Role> cast;
    std::vector<Line> script;
    std::vector<Expectation> expectations;
    /// Why it cannot be played on a real Redis; empty: it can.
    std::string sim_only;

    /// Names of the clients, by number.
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const Role& role : cast) names.push_back(role.name);
        return names;
    }
};

}  // namespace locklab
