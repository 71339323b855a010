#include "harness/core/arbiter.h"

namespace locklab {

Arbiter::Answer Arbiter::execute(ClientId client, const Command& command) {
    const std::string_view name = command[0];
    if (name == "READ") {
        return {Reply::integer(static_cast<std::int64_t>(version_)), event::Read{version_}};
    }
    if (name == "WRITE") {
        event::Wrote wrote;
        wrote.base = static_cast<std::uint64_t>(command.number(1));
        wrote.grant = static_cast<std::uint64_t>(command.number(2));
        wrote.previous = version_;
        wrote.version = version_ = ++writes_;
        return {Reply::ok(), wrote};
    }
    if (name == "TAKE") {
        const bool taken = !owner_.has_value();
        if (taken) owner_ = client;
        return {Reply::integer(taken ? 1 : 0), std::nullopt};
    }
    LOCKLAB_ASSERT(name == "GIVE");
    const bool given = owner_ == client;
    if (given) owner_.reset();
    return {Reply::integer(given ? 1 : 0), std::nullopt};
}

void Arbiter::crashed(ClientId client) {
    if (owner_ == client) owner_.reset();
}

}  // namespace locklab
