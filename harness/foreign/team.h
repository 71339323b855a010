// The driver processes of a campaign or benchmark, one for each client. They live through many
// runs, each with fresh client objects; a process that was killed or does not answer is started
// again.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "harness/driver/driver.h"
#include "harness/foreign/own_servers.h"
#include "harness/foreign/script_texts.h"
#include "harness/foreign/subject.h"
#include "harness/live/endpoint.h"
#include "harness/live/wrong_clock.h"

namespace locklab {

/// A driver that breaks the protocol: what it did, as one sentence.
class DriverTrouble : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A working driver that has ended by itself, or cannot be waited for any longer: what it did, as
/// one sentence. Only the current run or play is lost.
class DriverGone : public DriverTrouble {
    using DriverTrouble::DriverTrouble;
};

/// Plays or runs that were lost with a driver that cannot be waited for any more: they do not
/// count. A process that ends by itself costs none: its history says so (Oracle::deaths).
struct LostRuns {
    std::uint64_t count = 0;
    std::string first{};  ///< what the first of these drivers did

    /// With this many deaths, and more deaths than whole runs, these drivers show nothing.
    static constexpr std::uint64_t kMost = 20;

    void add(const DriverGone& gone) {
        if (count++ == 0) first = gone.what();
    }
    bool are_too_many(std::uint64_t whole) const { return count >= kMost && count > whole; }
    /// One line for people, counted in `unit`; empty: no deaths.
    std::string text(const std::string& unit) const;
};

class Team {
public:
    struct Opening {
        std::string key;
        Duration ttl{0};
        Duration timeout{0};  ///< of a command
        /// Addresses of each client's servers, by node.
        std::vector<std::vector<Endpoint>> servers;
        std::vector<Duration> own_ttls{};  ///< by client; empty: all use `ttl`
        Duration clock_unit{0};  ///< for a lock of ours that counts by its clock; zero: its default
        /// How far each client's clock is ahead at the start; empty: no clock will be wrong.
        std::vector<Duration> clocks_ahead{};
    };

    /// Starts no process yet. The subject must outlive it.
    explicit Team(const Subject& subject) : subject_(subject) {}

    /// Starts as many clients as `servers` has entries, with fresh client objects that have taken
    /// and released the lock once: connections are open, and scripts are loaded. Extra clients of
    /// an earlier opening stay as they are. Returns what went wrong with the lock, perhaps since
    /// the machine was too slow; empty: nothing. Throws DriverTrouble.
    std::string open(const Opening& opening);
    /// Returns the answer; `more`: arguments of the operation. Throws DriverTrouble.
    static DriverAnswer ask(Driver& driver, DriverOp op,
                            const nlohmann::ordered_json& more = nullptr);
    /// The servers of a lock that is not in Redis; the first call starts them. Null: its lock is in
    /// Redis. Throws DriverTrouble.
    OwnServers* start_own_servers();
    Driver& driver(std::size_t client) { return *drivers_[client]; }
    /// Requires that the team was opened with clocks that can be wrong.
    WrongClock& clock(std::size_t client) { return clocks_[client]; }
    /// All scripts ever sent to servers: libraries do not send a text again that they know is
    /// there.
    const std::shared_ptr<ScriptTexts>& scripts() const { return scripts_; }
    /// Asks the clients marked `well` to close, and kills the others.
    void close(std::span<const bool> well);
    /// Kills all clients and throws DriverTrouble with `why`, half a sentence on what one of them
    /// did.
    [[noreturn]] void give_up(const std::string& why);
    /// Kills all clients.
    void end() { drivers_.clear(); }

private:
    void set_clocks(const std::vector<Duration>& ahead);
    void start_missing();
    void open_libraries(const Opening& opening);
    static DriverAnswer await(Driver& driver, std::uint64_t id, DriverOp op);
    std::unique_ptr<Driver> start(std::size_t client);
    static std::string warm_up(Driver& driver);

    const Subject& subject_;
    const std::shared_ptr<ScriptTexts> scripts_ = std::make_shared<ScriptTexts>();
    std::vector<WrongClock> clocks_;           ///< empty: they use the machine's clock
    std::unique_ptr<OwnServers> own_servers_;  ///< none: its lock is in Redis
    std::vector<std::unique_ptr<Driver>> drivers_;
};

}  // namespace locklab
