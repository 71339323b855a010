#include "harness/foreign/gate_inbox.h"

namespace locklab {

void GateInbox::close_gate() {
    const std::lock_guard guard(mutex_);
    closed_ = true;
}

void GateInbox::expect(std::uint32_t connection, std::uint64_t number) {
    const std::lock_guard guard(mutex_);
    held_.insert({connection, number});
}

std::optional<GateInbox::News> GateInbox::take() {
    const std::lock_guard guard(mutex_);
    if (news_.empty()) return std::nullopt;
    News first = std::move(news_.front());
    news_.pop_front();
    return first;
}

bool GateInbox::holds(const AtGate& at) {
    const std::lock_guard guard(mutex_);
    if (!closed_) return false;
    const bool is_request = at.way == LinkWay::request;
    const std::pair command{at.connection, at.number};
    const bool is_held =
        is_request ? at.frame.find(key_) != std::string_view::npos : held_.contains(command);
    if (!is_held) return false;
    if (is_request) held_.insert(command);
    news_.push_back({is_request ? News::Kind::request : News::Kind::reply, at.link, at.connection,
                     at.number, std::string(at.frame)});
    return true;
}

void GateInbox::left(std::uint16_t link, std::uint32_t connection) {
    const std::lock_guard guard(mutex_);
    if (closed_) news_.push_back({News::Kind::left, link, connection});
}

void GateInbox::over(std::uint16_t link, std::uint32_t connection) {
    const std::lock_guard guard(mutex_);
    if (closed_) news_.push_back({News::Kind::over, link, connection});
}

}  // namespace locklab
