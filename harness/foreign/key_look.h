// The lock's key on the server itself, looked at before and after each command of a play, and what
// the command did to it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/core/command.h"
#include "harness/core/time.h"
#include "harness/live/sync_connection.h"

namespace locklab {

struct KeyLook {
    /// Nothing: there is no key. Of a hash "field: value", several joined by ", ".
    std::optional<std::string> value;
    bool is_hash = false;
    std::optional<Duration> ttl;  ///< nothing: it never expires, or there is no key

    /// Of the second look, after a command.
    KeyEffect after(const KeyLook& before) const;
};

/// Looks at one key, over a connection of its own, which is opened again where it broke.
class KeyWatch {
public:
    KeyWatch(Endpoint server, std::string key) : server_(std::move(server)), key_(std::move(key)) {}

    /// No key where the server does not answer.
    KeyLook look();
    void remove();

private:
    Reply ask(const char* command);

    const Endpoint server_;
    const std::string key_;
    std::unique_ptr<SyncConnection> connection_;
};

}  // namespace locklab
