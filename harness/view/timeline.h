// The picture of one run, before it is drawn: rows from top to bottom, and what every lifeline
// shows at each of them. Text, Mermaid and SVG are drawn from the same rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/scene.h"

namespace locklab {

/// A command on its way: the part of it that one row shows.
struct TimelineCommand {
    enum class Fate : std::uint8_t {
        normal,
        delayed,
        request_lost,
        reply_lost,
        reply_delayed,
        sent_again
    };
    std::uint64_t call = 0;  ///< 0: the history tells only that it ran
    std::uint32_t node = 0;
    std::string text;   ///< "SET lock t1 NX EX 10", "compare_and_delete(lock, t1)"
    std::string reply;  ///< "OK", "1", "nil"; empty before it ran
    Instant sent_at;
    bool sent = false;      ///< left its client in this row
    bool ran = false;       ///< was executed by Redis in this row
    bool answered = false;  ///< its client got the reply in this row
    bool again = false;     ///< it had run before: the client library sent it twice
    bool unknown = false;   ///< its client got no reply, and stopped waiting
    bool given_up = false;  ///< its client had stopped waiting earlier
    bool background = false;
    bool is_old = false;  ///< from a background task that began in an earlier round
    Fate fate = Fate::normal;
};

/// What a client is doing, from a row on.
struct Lifeline {
    bool inside = false;
    bool paused = false;
    bool crashed = false;
    Mode mode = Mode::alone;  ///< the mode in which it is inside
};

/// The lock's key, from a row on.
struct TimelineKey {
    std::string value;
    std::optional<std::uint32_t> owner;  ///< the client whose command put it there, if known
    std::optional<Instant> deadline;     ///< empty: it never expires
};

struct TimelineRow {
    enum class Kind : std::uint8_t {
        gap,      ///< nothing happens, from `since` to `at`
        command,  ///< a command, or a part of its way
        repeats,  ///< the same over and over, from `since` to `at`
        note,     ///< what a client, Redis or the job did, as `text` says
        fault,
        expired,  ///< the key's time to live ran out
        remark,
        violation,
        stuck,  ///< at the end, a client waits for ever
    };
    Kind kind = Kind::note;
    Instant at;
    Instant since;
    std::optional<std::uint32_t> client;  ///< the row's client; empty: Redis, or all
    std::optional<std::uint32_t> other;   ///< of a violation: its victim
    std::string text;                     ///< a predicate if there is a client: "pauses for 15 s"
    std::string detail;                   ///< of a violation: its cause
    std::string lead;     ///< of a command: what its client did at the same moment, just before
    std::string outcome;  ///< of a command: its outcome at the same moment
    TimelineCommand command;
    std::vector<Lifeline> lifelines;  ///< after the row
    /// After the row, at each server; empty if there is no key.
    std::vector<std::optional<TimelineKey>> keys;
    bool key_changed = false;  ///< by this row, at any server
};

/// The heading of a run that shows nothing.
inline constexpr const char* kNoVerdict = "no verdict";

struct Timeline {
    std::string title;               ///< may be empty
    std::string algorithm;           ///< may be empty
    std::string verdict;             ///< holds, violated, stuck, unknown; or kNoVerdict
    std::vector<std::string> names;  ///< of the clients' lifelines
    Permits permits = 1;             ///< how many of the clients that share the lock may be inside
    std::size_t nodes = 1;           ///< number of Redis servers
    bool has_key = false;            ///< whether anything is known of the key
    Duration longest_ttl{0};
    std::vector<TimelineRow> rows;
};

/// Never throws for an odd history; what it does not tell is not shown.
Timeline make_timeline(const Scene& scene);

}  // namespace locklab
