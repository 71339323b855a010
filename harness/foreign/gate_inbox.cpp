#include "harness/foreign/gate_inbox.h"

#include <algorithm>

#include "harness/foreign/gated_command.h"
#include "harness/foreign/operator_commands.h"

namespace locklab {

void GateInbox::close_gate() {
    const std::lock_guard guard(mutex_);
    closed_ = true;
}

void GateInbox::expect(std::uint32_t connection, std::uint64_t number) {
    const std::lock_guard guard(mutex_);
    held_.insert({connection, number});
}

std::optional<GateInbox::Changer> GateInbox::changer() {
    const std::lock_guard guard(mutex_);
    return changer_;
}

std::optional<GateInbox::News> GateInbox::take() {
    const std::lock_guard guard(mutex_);
    if (news_.empty()) return std::nullopt;
    News first = std::move(news_.front());
    news_.pop_front();
    return first;
}

/// Whether to hold this command; EXEC also counts what its transaction is about.
bool GateInbox::is_to_be_held(const AtGate& at, Queue& queued) {
    if (key_ == kEveryCommand) return true;
    const bool names_key = at.frame.find(key_) != std::string_view::npos;
    const GatedCommand gated = gated_command(at.frame);
    const auto queue = queues_.find(at.connection);
    if (gated.signature == "MULTI" || queue == queues_.end()) {
        if (gated.signature == "MULTI")
            queues_[at.connection] = {{at.number, std::string(at.frame)}};
        return names_key && !is_about_channel(gated);
    }
    if (gated.signature != "EXEC" && gated.signature != "DISCARD") {
        queue->second.emplace_back(at.number, std::string(at.frame));
        return false;
    }
    queued = std::move(queue->second);
    queues_.erase(queue);
    return gated.signature == "EXEC" && std::ranges::any_of(queued, [&](const auto& each) {
               return each.second.find(key_) != std::string::npos &&
                      !is_about_channel(gated_command(each.second));
           });
}

bool GateInbox::holds(const AtGate& at) {
    const std::lock_guard guard(mutex_);
    const bool is_request = at.way == LinkWay::request;
    if (is_request && !changer_ && changes_server(at.frame)) {
        changer_ = {at.link, std::string(at.frame)};
    }
    if (!closed_) return false;
    const std::pair command{at.connection, at.number};
    Queue queued;
    const bool is_held = is_request ? is_to_be_held(at, queued) : held_.contains(command);
    if (!is_held) return false;
    if (is_request) held_.insert(command);
    news_.push_back({is_request ? News::Kind::request : News::Kind::reply, at.link, at.connection,
                     at.number, std::string(at.frame), std::move(queued)});
    return true;
}

void GateInbox::left(std::uint16_t link, std::uint32_t connection) {
    const std::lock_guard guard(mutex_);
    if (closed_) news_.push_back({News::Kind::left, link, connection});
}

void GateInbox::over(std::uint16_t link, std::uint32_t connection) {
    const std::lock_guard guard(mutex_);
    queues_.erase(connection);
    if (closed_) news_.push_back({News::Kind::over, link, connection});
}

}  // namespace locklab
