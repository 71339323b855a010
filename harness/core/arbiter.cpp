#include "harness/core/arbiter.h"

namespace locklab {

Arbiter::Answer Arbiter::execute(ClientId client, const Command& command) {
    const std::string_view name = command[0];
    const auto number = [&](std::size_t word) {
        return word < command.size() ? static_cast<std::uint64_t>(command.number(word)) : 0;
    };
    if (name == "READ") {
        if (const auto denied = refusal(number(1))) return {Reply::nil(), *denied};
        return {Reply::integer(static_cast<std::int64_t>(version_)), event::Read{version_}};
    }
    if (name == "WRITE") {
        if (const auto denied = refusal(number(3))) return {Reply::nil(), *denied};
        event::Wrote wrote;
        wrote.base = number(1);
        wrote.grant = number(2);
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

std::optional<event::Denied> Arbiter::refusal(std::uint64_t fence) {
    if (fence == 0) return std::nullopt;
    if (fence < highest_) return event::Denied{fence, highest_};
    highest_ = fence;
    return std::nullopt;
}

void Arbiter::crashed(ClientId client) {
    if (owner_ == client) owner_.reset();
}

}  // namespace locklab
