// The driver processes of a campaign, or of a benchmark, one for each client. They live through
// many runs, of which each gives them fresh client objects; who was killed, or does not answer, is
// started anew.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "harness/driver/driver.h"
#include "harness/foreign/script_texts.h"
#include "harness/foreign/subject.h"
#include "harness/live/endpoint.h"
#include "harness/virtual/wrong_clock.h"

namespace locklab {

/// A driver that is no driver: what it did, as one sentence.
class DriverTrouble : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A driver that was as it should be has ended by itself, or cannot be waited for any more: what it
/// did, as one sentence. It costs what was run with it, and nothing else.
class DriverGone : public DriverTrouble {
    using DriverTrouble::DriverTrouble;
};

/// Plays or runs that were lost with a driver that cannot be waited for any more: they do not
/// count. A process that ends by itself costs none: its history says so (Oracle::deaths).
struct LostRuns {
    std::uint64_t count = 0;
    std::string first{};  ///< what that driver did

    /// After so many, and more than were whole, nothing is to be seen with these drivers.
    static constexpr std::uint64_t kMost = 20;

    void add(const DriverGone& gone) {
        if (count++ == 0) first = gone.what();
    }
    bool are_too_many(std::uint64_t whole) const { return count >= kMost && count > whole; }
    /// One line for people, of what is counted in `unit`; empty: there were none.
    std::string text(const std::string& unit) const;
};

class Team {
public:
    struct Opening {
        std::string key;
        Duration ttl{0};
        Duration timeout{0};  ///< of a command
        /// Where each client finds its servers, by node.
        std::vector<std::vector<Endpoint>> servers;
        std::vector<Duration> own_ttls{};  ///< of each client; empty: `ttl` is everybody's
        Duration clock_unit{0};  ///< of a lock of ours that counts by its clock; zero: its own
        /// By which each client's clock is wrong as it begins; empty: no clock will be wrong.
        std::vector<Duration> clocks_ahead{};
    };

    /// Starts nobody yet. The subject must outlive it.
    explicit Team(const Subject& subject) : subject_(subject) {}

    /// As many as there are servers live, and have fresh client objects, which have taken and
    /// released the lock once: connections are there, and scripts are known. Those beyond, of a
    /// larger opening before, stay as they are. What went wrong with the lock, which may be that
    /// the machine was too slow, or empty. Throws DriverTrouble.
    std::string open(const Opening& opening);
    /// What it answers; `more` is what the operation takes. Throws DriverTrouble.
    static DriverAnswer ask(Driver& driver, DriverOp op,
                            const nlohmann::ordered_json& more = nullptr);
    Driver& driver(std::size_t client) { return *drivers_[client]; }
    /// It was opened with clocks that can be wrong.
    WrongClock& clock(std::size_t client) { return clocks_[client]; }
    /// What they have sent to servers, ever: they do not send a text again that they know is there.
    const std::shared_ptr<ScriptTexts>& scripts() const { return scripts_; }
    /// Asks those to close whose process is as it should be; kills the others.
    void close(std::span<const bool> well);
    /// Kills them all, and throws DriverTrouble, for what one of them did, in half a sentence.
    [[noreturn]] void give_up(const std::string& why);
    /// Kills them all.
    void end() { drivers_.clear(); }

private:
    void set_clocks(const std::vector<Duration>& ahead);
    void start_missing();
    void open_libraries(const Opening& opening);
    static DriverAnswer await(Driver& driver, std::uint64_t id, std::string_view what);
    std::unique_ptr<Driver> start(std::size_t client);
    static std::string warm_up(Driver& driver);

    const Subject& subject_;
    const std::shared_ptr<ScriptTexts> scripts_ = std::make_shared<ScriptTexts>();
    std::vector<WrongClock> clocks_;  ///< none: they are the machine's
    std::vector<std::unique_ptr<Driver>> drivers_;
};

}  // namespace locklab
