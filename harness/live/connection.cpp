#include "harness/live/connection.h"

namespace locklab {

namespace {

/// Delay before a server with a full queue is tried again.
constexpr Duration kBusyPause = std::chrono::milliseconds(1);
/// Time until a client learns that its connection was refused. It also keeps clients that retry at
/// once from using all time.
constexpr Duration kRefusalDelay = std::chrono::milliseconds(5);

}  // namespace

void Connection::send(Call& call) {
    const Waiting attempt{&call, call.attempt};
    if (!waiting_.empty() || !try_send(attempt)) wait(attempt);
}

Link* Connection::reserve() {
    if (!open()) return nullptr;
    link_->reserve();
    return link_.get();
}

void Connection::retire() {
    std::erase_if(retired_, [](const Link::Ptr& link) { return link->idle(); });
    if (link_ != nullptr) retired_.push_back(std::move(link_));
}

void Connection::close() {
    upstream_.reactor.forget(*this);
    alarm_set_ = false;
    waiting_.clear();
    if (link_ != nullptr) retired_.push_back(std::move(link_));
    std::erase_if(retired_, [](const Link::Ptr& link) { return !link->is_reserved(); });
    for (const Link::Ptr& link : retired_) link->abandon();
}

/// False if there is no link; then `refused_` tells whether that is final or the server is busy.
bool Connection::open() {
    refused_ = false;
    if (link_ != nullptr && link_->usable()) return true;
    // A link that broke just now may still be answering its other calls.
    retire();
    const Link::Opening opening = Link::open(upstream_, listener_, link_);
    refused_ = opening == Link::Opening::refused;
    return opening == Link::Opening::begun;
}

bool Connection::try_send(const Waiting& waiting) {
    return open() && link_->send(*waiting.call, waiting.attempt);
}

void Connection::wait(const Waiting& waiting) {
    waiting_.push_back(waiting);
    if (alarm_set_) return;
    alarm_set_ = true;
    upstream_.reactor.wake_after(refused_ ? kRefusalDelay : kBusyPause, *this, {});
}

void Connection::wake(const Reactor::Alarm&) {
    alarm_set_ = false;
    const bool give_up = refused_;
    // The calls below may close this connection, or give it more to send.
    for (std::size_t left = waiting_.size(); left > 0 && !waiting_.empty(); --left) {
        const Waiting next = waiting_.front();
        waiting_.pop_front();
        if (give_up) {
            listener_.answered(*next.call, next.attempt, Reply::unknown());
        } else if (!try_send(next)) {
            wait(next);
        }
    }
}

}  // namespace locklab
