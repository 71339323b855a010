// A scenario file as it was read: a race, told in lines that a director can play with any lock.
// The language is described in scenarios/README.md.
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

/// Which of a client's commands a line means.
struct Selector {
    enum class Kind : std::uint8_t {
        acquire,  ///< any that a try to acquire sends
        renewal,  ///< any of a watchdog
        release,  ///< any of a release
        read,     ///< the job's reading of the register
        write,    ///< the job's writing to the register
        command,  ///< the Redis command `name`, as command_meant() gives it
    };
    Kind kind = Kind::acquire;
    std::string name;                ///< of a command, in capitals
    std::optional<NodeId> server{};  ///< only what goes there

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
        runs_until_before,  ///< until its next command of this kind is sent, and has not arrived
        runs_until_after,   ///< until that command was answered
        pauses,             ///< worker and watchdog stop
        resumes,
        crashes,
        watchdog_stalls,  ///< the watchdog alone stops
        watchdog_resumes,
        cut_off,  ///< nothing that it sends reaches Redis
        reachable,
        clock_jumps,
        loses_request,  ///< its next command of this kind never arrives
        loses_reply,    ///< it arrives and runs; the reply is lost
        delays,         ///< it stays in the network until it `arrives`
        delays_reply,   ///< it arrives and runs; the reply stays in the network until it arrives
        retries,        ///< the reply is lost, and the client library sends it again
        arrives,
        reply_arrives,
        time_passes,     ///< nobody acts but watchdogs and who `waits`
        redis_restarts,  ///< and comes back empty, `amount` later
        redis_restores,  ///< and comes back with its data of `amount` ago
        redis_evicts,    ///< the lock's key
        redis_clock_jumps,
        operator_deletes,    ///< the lock's key
        replica_cut_off,     ///< it gets nothing more from its master
        replica_takes_over,  ///< with what it has; nobody has learnt of it
        learns_master,       ///< that is who has taken over
    };
    Verb verb = Verb::time_passes;
    ClientId client;       ///< who; not for Redis, the operator and time
    Selector selector;     ///< which command, where the verb speaks of one
    NodeId server;         ///< which Redis, where the verb speaks of one
    Duration amount{0};    ///< how long, how old, how far; a jump may be negative
    std::string text;      ///< as it stands in the file
    std::size_t line = 0;  ///< of the file, from 1
};

/// What a client of the play is like.
struct Role {
    std::string name;  ///< one capital letter
    Duration clock_offset{0};
    /// How long each of its jobs takes, to its write; zero: until the script says so.
    Duration job{0};
    std::optional<Duration> ttl{};      ///< its own; else the scenario's
    std::optional<Duration> renewal{};  ///< its watchdog's own; else in proportion to its TTL
    /// It calls release even where it was refused.
    bool always_releases = false;
};

/// What an algorithm is to make of the scenario, and why.
struct Expectation {
    std::string algorithm;
    Outcome outcome;
    std::string why;
    std::string fix;  ///< empty where nothing goes wrong
    std::size_t line = 0;
};

struct Scenario {
    std::string name;  ///< the file's stem
    std::string file;  ///< as it was asked for
    std::string text;  ///< the file itself
    std::string title;
    std::string source;  ///< article or link
    std::string says;    ///< the sentence that is played, in its own language; may be empty
    std::string means;   ///< the same in English; may be empty
    std::string hits;    ///< what kind of lock it hits
    std::string verdict_on_source;  ///< where the source is wrong: what is right; may be empty
    Topology topology;              ///< the servers that it is played on
    /// How many locks each client takes, one inside the other, each at a server of its own.
    std::uint32_t locks = 1;
    Duration ttl{0};
    std::optional<Duration> retry;      ///< between two tries; else a fortieth of the TTL
    std::optional<Duration> timeout;    ///< of a command; else a tenth of the TTL
    std::optional<Duration> job_limit;  ///< a job is stopped, without its write, after this
    std::vector<Role> cast;
    std::vector<Line> script;
    std::vector<Expectation> expectations;
    /// Why it cannot be played on a real Redis; empty where it can.
    std::string sim_only;

    /// Of the clients, by their numbers.
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const Role& role : cast) names.push_back(role.name);
        return names;
    }
};

}  // namespace locklab
