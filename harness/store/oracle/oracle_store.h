// The harness' own node: the plain register that jobs read and write, and the oracle mutex of
// perfect_lock. It is ground truth: faults never strike it, and it is not Redis.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/store/store.h"

namespace locklab {

class OracleStore {
public:
    /// Without `looks_at_fences`, the resource accepts every fencing token.
    explicit OracleStore(bool looks_at_fences = true) : looks_at_fences_(looks_at_fences) {}

    /// Commands: READ [fence] -> the version in the register. WRITE base grant [fence] -> OK, and
    /// the register gets a new version. Both -> nil if a newer fencing token was shown before. TAKE
    /// -> 1, or 0 if the mutex is taken. GIVE -> 1, or 0. A client whose connection closes loses
    /// the mutex.
    void on(const Input& input, WallTime now, Outbox& out);

private:
    void execute(ClientId client, const Command& command, Outbox& out);
    /// Whether the resource accepts the token, which it then remembers; if not, replies and notes
    /// so.
    bool takes(std::uint64_t fence, Outbox& out);

    bool looks_at_fences_;
    std::uint64_t highest_ = 0;  ///< of all fencing tokens shown so far
    std::uint64_t version_ = 0;  ///< in the register
    std::uint64_t writes_ = 0;   ///< all writes so far, so that every version is written once
    std::optional<ClientId> owner_;
};

}  // namespace locklab
