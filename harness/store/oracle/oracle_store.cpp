#include "harness/store/oracle/oracle_store.h"

namespace locklab {

void OracleStore::on(const Input& input, WallTime, Outbox& out) {
    if (const auto* request = std::get_if<Request>(&input)) {
        execute(request->route.client, *request->command, out);
    } else if (const auto* closed = std::get_if<Closed>(&input)) {
        if (owner_ == closed->route.client) owner_.reset();
    }
}

void OracleStore::execute(ClientId client, const Command& command, Outbox& out) {
    const std::string_view name = command[0];
    const auto number = [&](std::size_t word) {
        return word < command.size() ? static_cast<std::uint64_t>(command.number(word)) : 0;
    };
    if (name == "READ") {
        if (!takes(number(1), out)) return;
        out.reply(Reply::integer(static_cast<std::int64_t>(version_)));
        out.note(event::Read{version_});
    } else if (name == "WRITE") {
        if (!takes(number(3), out)) return;
        event::Wrote wrote;
        wrote.base = number(1);
        wrote.grant = number(2);
        wrote.previous = version_;
        wrote.version = version_ = ++writes_;
        out.reply(Reply::ok());
        out.note(wrote);
    } else if (name == "TAKE") {
        const bool taken = !owner_.has_value();
        if (taken) owner_ = client;
        out.reply(Reply::integer(taken ? 1 : 0));
    } else {
        LOCKLAB_ASSERT(name == "GIVE");
        const bool given = owner_ == client;
        if (given) owner_.reset();
        out.reply(Reply::integer(given ? 1 : 0));
    }
}

bool OracleStore::takes(std::uint64_t fence, Outbox& out) {
    if (fence == 0 || !looks_at_fences_) return true;
    if (fence < highest_) {
        out.reply(Reply::nil());
        out.note(event::Denied{fence, highest_});
        return false;
    }
    highest_ = fence;
    return true;
}

}  // namespace locklab
