// The fourth oracle, besides the verdict: the time from the loss of a holder's key (it expired, or
// was deleted, overwritten, or forgotten by the server; with several servers, at the last one)
// until the holder learnt of it, or left by itself. In that time it works without a lock.
//
// A holder that is told though its key was there all the while had a false alarm, where its lease
// went on by its own clock too.
//
// A lock that renews promises a bound: the next renewal, plus its time-out
// (HistoryHead::tells_within). A notice after that is late. Time that is not the lock's fault does
// not count: while its client or its watchdog was stopped, or waited for a reply that a fault took,
// or that of a server that hung.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>  // lookup only
#include <unordered_set>  // lookup only
#include <utility>
#include <vector>

#include "harness/check/inside.h"
#include "harness/check/key_log.h"
#include "harness/check/per_client.h"
#include "harness/core/history.h"

namespace locklab {

struct Notices {
    std::uint64_t stays = 0;       ///< with a known key, and not ended by a crash or another grant
    std::uint64_t losses = 0;      ///< stays during which the key was lost, without crashed holders
    std::uint64_t promised = 0;    ///< losses for which the lock promises how soon it tells
    std::uint64_t told = 0;        ///< losses of which the holder was told
    std::uint64_t never_told = 0;  ///< losses whose holder left by itself, or was inside at the end
    std::uint64_t late = 0;        ///< losses told, or stays ended, later than promised
    std::uint64_t false_alarms = 0;  ///< stays that were told of a loss that did not happen
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

/// Follows a history event by event, and returns the result at the end.
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
        NodeId node{};
        bool struck = false;
    };
    /// A server that hangs, or that one client is cut off from.
    struct Silence {
        NodeId node;
        std::optional<ClientId> for_client;  ///< nothing: for all
        Span span;
    };
    struct Client {
        /// When its watchdog could do nothing, in order of their ends; end() sorts them by their
        /// begins.
        std::vector<Span> excused;
        std::unordered_map<std::uint64_t, Call> calls;
    };
    Duration excused(ClientId client, Instant from, Instant until);
    void see_renewal(const Event& event);
    /// Whether the call's server could not answer while the call was open.
    bool met_silence(ClientId client, const Call& call, Instant until) const;

    Duration tells_within_;
    PerClient<Client> clients_;
    std::vector<Silence> silences_;
    std::unordered_set<std::uint64_t> unanswered_;  ///< renewals whose answer has not come
};

}  // namespace locklab
