// A run that goes on for ever has endlessly many different states: tokens are always new, counters
// grow, and a client has seen more and more. A twin run tells which of them are the same. It is two
// plain runs after different pasts: in one every client has had the lock once, in the other several
// times. Both make the same steps and must do the same; where they do not, the lock does not repeat
// itself, which is thrown. What differs between them in the same way throughout is how far a
// counter has come: it counts from the lowest that is stored.
//
// What a client has seen is forgotten once it wants the lock no more, and that of its later tries
// once they have come to nothing. Whether the lock forgets that too is for whoever compares to
// check: see Laps.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/explore/plain_run.h"

namespace locklab {

/// Its words are for the user.
class DoesNotRepeat : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What a step was for the clients: a bit for each.
struct Happened {
    std::uint32_t granted = 0;
    std::uint32_t refused = 0;  ///< its try came to nothing
    bool passes = false;        ///< time passes

    bool operator==(const Happened&) const = default;
};

/// A plain run, and what its clients have seen that counts.
class SeenRun {
public:
    /// So many tries of a round that come to nothing are remembered.
    SeenRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
            std::uint32_t tries);

    std::vector<Step> offered() const { return run_.offered(); }
    Happened make(const Step& step);
    /// Every client has the lock so many times, one after the other. Gives the steps.
    std::vector<Step> warm_up(std::uint32_t rounds);

    std::string data() const { return run_.data_text(); }
    std::string clients() const;

private:
    struct Seen {
        std::string text;
        std::uint32_t tries = 0;
        bool wants = false;
        std::size_t forgotten_from = 0;  ///< its tries from there on are; 0: none
        std::set<std::uint64_t> of_job;  ///< its calls that are not the lock's business
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
    static constexpr std::uint32_t kRounds = 1;  ///< of each client before, in the one
    static constexpr std::uint32_t kMore = 4;    ///< and in the other

    /// What the two have behind them.
    struct Pasts {
        std::vector<Step> one;
        std::vector<Step> other;
    };
    /// `pasts` are filled in where they are empty.
    TwinRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
            std::uint32_t tries, Pasts& pasts);

    /// All throw DoesNotRepeat where the two differ.
    std::vector<Step> offered() const;
    Happened make(const Step& step);
    /// The same in states that are the same but for tokens and for how far counters have come.
    std::string key() const;

private:
    SeenRun one_;
    SeenRun other_;
    std::int64_t ahead_ = 0;  ///< how much further counters are in the other; 0: there are none
};

}  // namespace locklab
