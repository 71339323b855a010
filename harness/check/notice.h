// The fourth oracle, beside the verdict: from the moment at which a holder's key was lost (it ran
// out, or was deleted, overwritten, forgotten by the server; of several servers, by the last) to
// the moment at which the holder learnt of it, or left by itself. Until then it works without a
// lock.
//
// A holder that is told though its key was there all the while had a false alarm, where its lease
// went on by its own clock too.
//
// A lock that renews promises a bound: the next renewal, and its time-out (HistoryHead::
// tells_within). Beyond it the notice is late. What the lock cannot help does not count: the time
// for which its client was stopped, or its watchdog was, or waited for an answer that a fault took.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>  // lookup only
#include <utility>
#include <vector>

#include "harness/check/inside.h"
#include "harness/check/key_log.h"
#include "harness/check/per_client.h"
#include "harness/core/history.h"

namespace locklab {

struct Notices {
    std::uint64_t stays = 0;         ///< whose key is known, and that are over
    std::uint64_t losses = 0;        ///< stays whose key was lost meanwhile, crashed holders' apart
    std::uint64_t promised = 0;      ///< of them, where the lock promises how soon it tells
    std::uint64_t told = 0;          ///< of them, those who were told
    std::uint64_t never_told = 0;    ///< those who left by themselves, or were inside at the end
    std::uint64_t late = 0;          ///< told, or gone, later than the lock promises
    std::uint64_t false_alarms = 0;  ///< stays that were told of a loss that was none
    Duration longest{0};             ///< from a loss to its notice
    std::uint64_t longest_grant = 0;

    void add(const Notices& other) {
        stays += other.stays;
        losses += other.losses;
        promised += other.promised;
        told += other.told;
        never_told += other.never_told;
        late += other.late;
        false_alarms += other.false_alarms;
        if (other.longest > longest) longest_grant = other.longest_grant;
        longest = std::max(longest, other.longest);
    }
};

/// Follows a history event by event, and says in the end what came of it.
class NoticeWatch {
public:
    explicit NoticeWatch(Duration tells_within) : tells_within_(tells_within) {}

    void see(const Event& event);
    /// `stays` in order of the grants; `log` is of the same history.
    Notices end(const KeyLog& log, std::span<const Inside> stays);

private:
    struct Span {
        Instant from;
        Instant until;
    };
    struct Call {
        Instant sent;
        bool struck = false;
    };
    struct Client {
        /// When its watchdog could do nothing, in order of their ends or begins.
        std::vector<Span> excused;
        std::unordered_map<std::uint64_t, Call> calls;
    };
    Duration excused(ClientId client, Instant from, Instant until);

    Duration tells_within_;
    PerClient<Client> clients_;
};

}  // namespace locklab
