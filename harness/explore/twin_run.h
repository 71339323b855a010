// A run without an end has infinitely many states: tokens are always new, counters grow, and
// clients see more and more. A twin run tells which of them are the same. It is two plain runs with
// different pasts: in one every client has had the lock once, in the other several times. Both make
// the same steps and must do the same; if they do not, the lock does not repeat itself, and
// DoesNotRepeat is thrown. A number that differs by the same amount throughout is a counter: it is
// counted from the lowest that is stored.
//
// What a client has seen is forgotten once it does not want the lock any more; what later tries of
// a round have seen, once they have failed. Laps checks that the lock forgets that too.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/explore/plain_run.h"

namespace locklab {

/// The message is for the user.
class DoesNotRepeat : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What happened to the clients in a step, a bit each.
struct Happened {
    std::uint32_t granted = 0;
    std::uint32_t refused = 0;  ///< the client's try failed
    bool passes = false;        ///< time passes

    bool operator==(const Happened&) const = default;
};

/// A plain run, and what its clients have seen that still matters.
class SeenRun {
public:
    /// `tries`: how many failed tries of a round are remembered.
    SeenRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
            std::uint32_t tries);

    std::vector<Step> offered() const { return run_.offered(); }
    Happened make(const Step& step);
    /// Every client takes the lock `rounds` times, one client after the other. Returns the steps.
    std::vector<Step> warm_up(std::uint32_t rounds);

    std::string data() const { return run_.data_text(); }
    std::string clients() const;

private:
    struct Seen {
        std::string text;
        std::uint32_t tries = 0;
        bool wants = false;
        std::size_t forgotten_from = 0;  ///< later tries are dropped from there on; 0: none
        std::set<std::uint64_t> of_job;  ///< calls of the job, which the lock does not depend on
    };
    void note(const Event& event);
    void forget(Seen& seen) const;

    PlainRun run_;
    const std::uint32_t tries_;
    std::vector<Seen> seen_;
    Happened happened_;
};

class TwinRun {
public:
    static constexpr std::uint32_t kRounds = 1;  ///< rounds of each client before, in the first run
    static constexpr std::uint32_t kMore = 4;    ///< additional rounds in the second

    /// The steps that precede the two runs.
    struct Pasts {
        std::vector<Step> one;
        std::vector<Step> other;
    };
    /// `pasts` are filled in if empty.
    TwinRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
            std::uint32_t tries, Pasts& pasts);

    /// These throw DoesNotRepeat if the two runs differ.
    std::vector<Step> offered() const;
    Happened make(const Step& step);
    /// Equal in states that are the same up to tokens and the values of counters.
    std::string key() const;

private:
    SeenRun one_;
    SeenRun other_;
    std::int64_t ahead_ = 0;  ///< how much higher counters are in the second run; 0: no counters
};

}  // namespace locklab
