// What a server keeps of a connection: its open transaction, and the keys that it watches
// (https://redis.io/docs/interact/transactions). It is gone when the connection closes.
//
// Invariant: only sessions with something to keep are in the list, ordered by their connection.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/command.h"

namespace locklab {

/// Names a connection; its owner makes the number.
using SessionId = std::uint64_t;
/// Of commands that come over no client's connection: of those who look at a server, say.
constexpr SessionId kNoConnection = ~SessionId{0};

/// A command that waits for EXEC.
struct QueuedCommand {
    std::vector<std::string> words;
    const Script* script = nullptr;  ///< null: a plain command
    std::size_t keys = 0;            ///< of a script: how many of its words are keys

    bool operator==(const QueuedCommand&) const = default;
};

struct WatchedKey {
    std::string name;
    /// It was past its deadline when WATCH came, and not removed yet. That it is removed later is
    /// then no change.
    bool was_expired = false;

    bool operator==(const WatchedKey&) const = default;
};

struct Session {
    SessionId id = 0;
    bool in_transaction = false;
    bool refused = false;  ///< a command was not queued for its error: EXEC runs none
    bool touched = false;  ///< a watched key changed: EXEC runs none
    std::vector<QueuedCommand> queue{};
    std::vector<WatchedKey> watched{};

    bool is_idle() const { return !in_transaction && !touched && watched.empty(); }
    void refuse() {
        refused = true;
        queue.clear();
    }
    void touch() {
        touched = true;
        watched.clear();
        queue.clear();
    }
    void add(QueuedCommand command) {
        if (!refused && !touched) queue.push_back(std::move(command));
    }
    bool operator==(const Session&) const = default;
};

class Sessions {
public:
    /// Null if the connection has nothing to keep.
    Session* find(SessionId id) {
        const auto found = place(id);
        return found != all_.end() && found->id == id ? &*found : nullptr;
    }
    /// The same if it is in a transaction.
    Session* in_transaction(SessionId id) {
        Session* const session = all_.empty() ? nullptr : find(id);
        return session != nullptr && session->in_transaction ? session : nullptr;
    }
    /// Makes one if there is none; valid until the next change.
    Session& at(SessionId id) {
        const auto found = place(id);
        if (found != all_.end() && found->id == id) return *found;
        return *all_.insert(found, Session{id});
    }
    void close(SessionId id) {
        std::erase_if(all_, [id](const Session& session) { return session.id == id; });
    }
    /// The key was written, got another deadline, or (`gone`) was removed.
    void touch(std::string_view name, bool gone) {
        for (Session& session : all_) touch(session, name, gone);
    }

    bool empty() const { return all_.empty(); }
    std::span<const Session> all() const { return all_; }
    bool operator==(const Sessions&) const = default;

private:
    std::vector<Session>::iterator place(SessionId id) {
        return std::ranges::lower_bound(all_, id, {}, &Session::id);
    }
    static void touch(Session& session, std::string_view name, bool gone) {
        const auto key = std::ranges::find(session.watched, name, &WatchedKey::name);
        if (key == session.watched.end()) return;
        if (key->was_expired && gone) {
            key->was_expired = false;
        } else {
            session.touch();
        }
    }

    std::vector<Session> all_;
};

}  // namespace locklab
