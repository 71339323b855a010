// One run, judged: the findings of the three oracles and of the liveness check, their causes, and
// the verdict. And findings besides the verdict: how late holders learnt that their lock was lost,
// and which tries were refused falsely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/busiest_second.h"
#include "harness/check/deadlock.h"
#include "harness/check/error_answers.h"
#include "harness/check/lock_judge.h"
#include "harness/check/per_client.h"
#include "harness/check/verdict.h"
#include "harness/core/history.h"

namespace locklab {

/// Why nothing is known of a lock, as half a sentence: `seen` shows that it keeps something outside
/// of its object.
std::string why_not_its_own(const std::string& seen);
/// The same if the lock ended its run by an exception. `words`: see HistoryHead::threw.
std::string why_it_threw(std::string_view lock, std::string_view words);

/// The findings about its locks, and about the run as a whole.
struct Judgement : LockFindings {
    Verdict verdict = Verdict::unknown;
    /// Why the verdict is unknown, as half a sentence; empty otherwise.
    std::string why_unknown;
    /// The model of Redis lacks something that the lock uses, or the lock keeps something outside
    /// of its object, or it has thrown an exception.
    bool shows_nothing = false;
    /// How many locks each client takes, one inside the other.
    std::uint32_t locks = 1;
    /// Tasks per process: this many clients in a row share a lock object.
    std::uint32_t tasks = 1;
    /// Clients that wait for each other in a circle; they are stuck.
    Deadlock deadlock;

    std::uint64_t grants = 0;
    /// Grants of each client, and whether it lived to the end.
    std::vector<std::uint64_t> client_grants;
    UnequalClients unequal;  ///< clients whose options differ from the rest
    Permits permits = 1;     ///< how many of the clients that share the lock may be inside at once
    std::vector<std::uint8_t> client_lived;
    /// From each Wants to its grant, in order of the grants. Grants without a Wants are left out.
    std::vector<Duration> waits;
    std::uint64_t commands = 0;         ///< sent to servers, without those to the oracle
    std::uint64_t unknown_answers = 0;  ///< commands that were not answered in time
    ErrorAnswers errors;
    std::uint64_t denied = 0;  ///< reads and writes that the resource refused due to their token
    std::uint64_t deaths = 0;  ///< processes that ended by themselves; 1 if the lock threw
    std::uint64_t busiest_second = 0;  ///< commands sent in the busiest second
    Instant busiest_from;
    /// Whether findings that depend on clocks are verdicts (oracle.h).
    bool exact_clocks = false;
    Duration duration{0};  ///< from the first event to the end
};

/// Judges a history event by event. It keeps a few bytes per grant, write, and change of the key,
/// but no events.
class Judge {
public:
    explicit Judge(const HistoryHead& head);
    void see(const Event& event);
    /// `end` and `clients` are known only after a history was read. Call it once.
    Judgement end(Instant end, std::uint32_t clients);

private:
    struct Client {
        std::uint64_t grants = 0;
        bool crashed = false;
        std::optional<Instant> wants;
    };
    void count(const Event& event);
    void judge_locks(Instant at);

    const HistoryHead head_;
    std::vector<LockJudge> locks_;
    DeadlockWatch deadlock_;
    ErrorWatch errors_;
    BusiestSecond busiest_;
    PerClient<Client> clients_;
    std::size_t events_ = 0;
    Instant first_;
    Instant last_;
    Instant last_grant_;  ///< of any lock; before the first, the beginning of the run
    Judgement found_;
};

/// `violated` wins over `stuck`. `unknown` if nothing is proved: a history without a grant in which
/// no client is stuck; one in which clients are stuck, but the server refused commands for its own
/// reasons; one in which the lock uses what the model of Redis does not know, or throws; and one
/// whose register was written by a client that it does not tell of.
Judgement judge(const History& history);

}  // namespace locklab
