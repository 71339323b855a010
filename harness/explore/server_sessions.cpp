// What connections have open at a server of a search: transactions, and keys that they watch.

#include <algorithm>
#include <stdexcept>

#include "harness/explore/server_model.h"

namespace locklab {

Reply ServerModel::run(RedisModel& model, const Command& command, SessionId from) {
    Reply reply = model.execute(command, kEpoch, scripts_, from);
    const std::uint32_t connection = from & 15U;
    if (connection == connection::kBackground && model.sessions().find(from) != nullptr) {
        throw std::length_error(
            "locks whose background task opens a transaction, or watches a key, are not searched");
    }
    if (connection == connection::kLeft) model.close(from);
    return reply;
}

bool ServerModel::in_transaction(ServerData data, std::uint32_t client) const {
    const auto all = opens_[data.open].all();
    return std::ranges::any_of(all, [&](const Session& session) {
        return session.in_transaction && session.id == session_id(client, connection::kPresent);
    });
}

ServerData ServerModel::leave(ServerData data, std::uint32_t client, std::uint32_t connection,
                              std::uint32_t as) {
    Sessions open = opens_[data.open];
    if (const Session* const its = open.find(session_id(client, connection))) {
        Session left = *its;
        open.close(left.id);
        left.id = session_id(client, as);
        if (as != connection::kPresent) open.at(left.id) = left;
    }
    data.open = number_of(open);
    return data;
}

std::uint16_t ServerModel::number_of(const Sessions& open) {
    const auto known = std::ranges::find(opens_, open);
    if (known != opens_.end()) return static_cast<std::uint16_t>(known - opens_.begin());
    if (opens_.size() == ServerData::kNoShape) throw std::length_error("too many transactions");
    opens_.push_back(open);
    return static_cast<std::uint16_t>(opens_.size() - 1);
}

std::optional<ServerData> ServerModel::known_open(const NumberTable& table, ServerData data,
                                                  std::uint64_t what) const {
    const std::optional<std::uint32_t> number = data_numbers_.find(data);
    const auto known = number ? table.find(std::uint64_t{*number} << 20 | what) : std::nullopt;
    return known ? std::optional(data_numbers_[*known]) : std::nullopt;
}

ServerData ServerModel::learn_open(NumberTable& table, ServerData before, std::uint64_t what,
                                   ServerData after) {
    table.add(std::uint64_t{data_numbers_.number_of(before)} << 20 | what,
              data_numbers_.number_of(after));
    return after;
}

Sessions ServerModel::renamed_words(const Sessions& open, const ChangeWord& change) {
    Sessions other;
    for (Session session : open.all()) {
        for (QueuedCommand& queued : session.queue) {
            for (std::string& word : queued.words) word = change(word);
        }
        for (WatchedKey& key : session.watched) key.name = change(key.name);
        other.at(session.id) = session;
    }
    return other;
}

Sessions ServerModel::renamed(const Sessions& open, const Permutation& from,
                              const ChangeWord& change) {
    Sessions other;
    const Sessions changed = renamed_words(open, change);
    for (Session session : changed.all()) {
        const auto client = std::ranges::find(from, session.id >> 4) - from.begin();
        session.id = session_id(static_cast<std::uint32_t>(client), session.id & 15U);
        other.at(session.id) = session;
    }
    return other;
}

}  // namespace locklab
