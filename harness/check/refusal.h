// The fifth oracle, besides the verdict: tries that were refused falsely, because the lock was the
// caller's own (a SET whose reply was lost, a release that never arrived) or free. No breach of
// mutual exclusion, but the client waits for nothing, often until a TTL runs out.
//
// Counts only what is certain, and only for locks that one client has at a time. A try is judged if
// all its commands were about only the lock's key on the first server, no other client was between
// a grant and the end of its release, and the key's owner was known from its first command to its
// last. A try that took the lock and gave it back was not refused by the server.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>  // lookup only
#include <vector>

#include "harness/check/per_client.h"
#include "harness/core/history.h"

namespace locklab {

struct Refusals {
    std::uint64_t refused = 0;      ///< tries with a definite refusal
    std::uint64_t of_own = 0;       ///< refused tries whose caller had the lock's key itself
    std::uint64_t of_nobodys = 0;   ///< refused tries when there was no key
    std::uint64_t first_place = 0;  ///< of the first false refusal, in the log
    Instant first_at;
    ClientId first_client;

    std::uint64_t falsely() const { return of_own + of_nobodys; }
    void add(const Refusals& other);
};

/// Follows a history event by event.
class RefusalWatch {
public:
    explicit RefusalWatch(const HistoryHead& head);
    void see(const Event& event, std::size_t place);
    const Refusals& found() const { return found_; }

private:
    /// The owner of the key. Once a client changes a key that another created, the owner is
    /// unknown.
    enum class Whose : std::uint8_t { nobodys, owners, unknown };
    struct Try {
        bool is_clear = true;  ///< nothing is doubtful so far
        bool sent = false;
        bool ran = false;
        bool was_own = false;  ///< when its last command ran
        bool gave_back = false;
        bool took = false;  ///< the try took the lock, and the client was told so
        std::optional<Reply> taking;
        std::vector<std::uint64_t> calls;
        bool has(std::uint64_t call) const {
            return std::find(calls.begin(), calls.end(), call) != calls.end();
        }
    };
    struct Client {
        Try now;
        bool holds = false;
        std::set<std::uint64_t> open;  ///< live: calls that may still run
    };

    void see_sent(const Event& event, const event::Sent& sent);
    void see_ran(const Event& event, const event::Executed& ran);
    void see_replied(const Event& event, const event::Replied& replied);
    void see_fault(const event::Fault& fault);
    void see_refused(const Event& event, std::size_t place);
    void change(const Event& event, const event::Executed& ran);
    void look(Instant now);
    void doubt_others(ClientId client);
    bool is_about_key(const Command& command);

    const std::string key_;
    const bool exact_;
    Whose whose_;
    ClientId owner_;
    std::optional<Instant> deadline_;
    std::optional<Instant> changed_{};  ///< when the last change of the key was noted
    PerClient<Client> clients_;
    /// Whether each script uses only its lock's key.
    std::unordered_map<const Script*, bool> scripts_;  // lookup only
    Refusals found_;
};

}  // namespace locklab
