// The harness' own node: the plain register that jobs read and write, and the oracle mutex of
// perfect_lock. It is ground truth: no fault touches it, and it is not Redis.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/store/store.h"

namespace locklab {

class OracleStore {
public:
    /// Unless it looks at fencing tokens, its resource takes every one.
    explicit OracleStore(bool looks_at_fences = true) : looks_at_fences_(looks_at_fences) {}

    /// Commands: READ [fence] -> the version in the register. WRITE base grant [fence] -> OK, and a
    /// version of its own. Both -> nil where a newer fencing token was shown before. TAKE -> 1, or
    /// 0 if another client has the mutex. GIVE -> 1, or 0. Whose connection closes has no mutex.
    void on(const Input& input, WallTime now, Outbox& out);

private:
    void execute(ClientId client, const Command& command, Outbox& out);
    /// Whether the resource takes the token, which it keeps in mind; if not, it says so.
    bool takes(std::uint64_t fence, Outbox& out);

    bool looks_at_fences_;
    std::uint64_t highest_ = 0;  ///< of the fencing tokens that were shown
    std::uint64_t version_ = 0;  ///< in the register
    std::uint64_t writes_ = 0;   ///< that landed, so that every version is written once
    std::optional<ClientId> owner_;
};

}  // namespace locklab
