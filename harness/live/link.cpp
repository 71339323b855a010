#include "harness/live/link.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "harness/core/printable.h"

namespace locklab {

namespace {

constexpr const char* kUnasked = "it answers what nobody asked";

}  // namespace

Link::Opening Link::open(Upstream& upstream, CallListener& listener, Ptr& link) {
    const Endpoint& to = upstream.endpoint;
    errno = 0;
    redisAsyncContext* context = to.socket_path.empty()
                                     ? redisAsyncConnect(to.host.c_str(), to.port)
                                     : redisAsyncConnectUnix(to.socket_path.c_str());
    if (context == nullptr) return Opening::refused;
    if (context->err != 0) {
        // A unix socket reports a full queue of connections in this way.
        const bool busy = errno == EAGAIN;
        if (!busy) listener.disconnected(printable(context->errstr));
        redisAsyncFree(context);
        return busy ? Opening::busy : Opening::refused;
    }
    Ptr opened(new Link(upstream, listener));
    if (!opened->attach(context)) {
        redisAsyncFree(context);
        return Opening::refused;
    }
    link = std::move(opened);
    return Opening::begun;
}

bool Link::attach(redisAsyncContext* context) {
    if (uv_poll_init(upstream_.reactor.loop(), &poll_, context->c.fd) != 0) return false;
    poll_closed_ = false;
    poll_.data = this;
    context_ = context;
    limit_.emplace(*context->c.reader);
    context->data = this;
    context->ev.data = this;
    context->ev.addRead = [](void* link) {
        static_cast<Link*>(link)->poll_for(static_cast<Link*>(link)->polled_events_ | UV_READABLE);
    };
    context->ev.addWrite = [](void* link) { static_cast<Link*>(link)->want_write(); };
    context->ev.delWrite = [](void* link) {
        static_cast<Link*>(link)->poll_for(static_cast<Link*>(link)->polled_events_ & ~UV_WRITABLE);
    };
    context->ev.cleanup = [](void* link) { static_cast<Link*>(link)->context_gone(); };
    // hiredis learns from the first writable event that it is connected.
    poll_for(UV_READABLE | UV_WRITABLE);
    return true;
}

bool Link::send(Call& call, std::uint32_t attempt) {
    return submit({&call, attempt, call.command.script() != nullptr});
}

bool Link::submit(const Flight& flight) {
    if (!usable()) return false;
    const Command& command = flight.call->command;
    WireRequest& request = upstream_.request;
    if (command.script() == nullptr) {
        request.put(command);
    } else if (flight.by_digest) {
        request.put_evalsha(command, upstream_.digests.of(*command.script()));
    } else {
        request.put_eval(command);
    }
    const auto callback = [](redisAsyncContext* context, void* raw, void*) {
        static_cast<Link*>(context->data)->replied(static_cast<const redisReply*>(raw));
    };
    if (redisAsyncFormattedCommand(context_, callback, nullptr, request.data(), request.size()) !=
        REDIS_OK) {
        return false;
    }
    flights_.push_back(flight);
    ++unsent_;
    return true;
}

/// `raw` is null for each call in flight when the connection ended.
void Link::replied(const redisReply* raw) {
    LOCKLAB_ASSERT(!flights_.empty());
    if (raw != nullptr && flights_.size() <= unsent_) {
        break_off(raw->type == REDIS_REPLY_ERROR ? raw->str : kUnasked);
        raw = nullptr;
    }
    if (raw == nullptr) tell_broken();
    const Flight flight = flights_.front();
    flights_.pop_front();
    limit_->begin();
    tell(flight, raw);
    // hiredis assumes that every reply was asked for.
    const bool goes_on = raw != nullptr && context_ != nullptr && !broken_;
    if (goes_on && flights_.empty() && has_more()) break_off(kUnasked);
}

bool Link::has_more() const { return context_->c.reader->pos < context_->c.reader->len; }

void Link::tell_broken() {
    if (std::exchange(broken_, true) || listener_ == nullptr) return;
    const bool too_long = limit_ && limit_->exceeded();
    listener_->disconnected(printable(!words_.empty()      ? words_
                                      : too_long           ? ReplyLimit::kWords
                                      : context_->err != 0 ? std::string(context_->errstr)
                                                           : "the connection ended"));
}

void Link::tell(const Flight& flight, const redisReply* raw) {
    if (listener_ == nullptr || flight.call == nullptr) return;
    if (raw == nullptr) {
        listener_->answered(*flight.call, flight.attempt, Reply::unknown());
        return;
    }
    Reply reply = reply_of(*raw);
    const bool unheard_of =
        flight.by_digest && reply.is_error() && reply.text().starts_with("NOSCRIPT");
    if (unheard_of && submit({flight.call, flight.attempt, false})) return;
    listener_->answered(*flight.call, flight.attempt, std::move(reply));
}

/// Ends it as if the connection had broken by itself.
void Link::break_off(const std::string& why) {
    words_ = why;
    redisAsyncFree(context_);
}

void Link::abandon() {
    for (Flight& flight : flights_) flight.call = nullptr;
}

void Link::polled(int status, int events) {
    if (status != 0) {
        // libuv stops polling a socket that has an error; reading reveals the error.
        polled_events_ = 0;
        read();
        if (context_ != nullptr) redisAsyncFree(context_);
        return;
    }
    if ((events & UV_READABLE) != 0) read();
    if (context_ != nullptr && (events & UV_WRITABLE) != 0) write();
}

void Link::read() {
    if (!is_connected()) write();
    if (context_ == nullptr) return;
    char byte = 0;
    const bool unasked =
        flights_.empty() && recv(context_->c.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
    if (unasked) return break_off(kUnasked);
    redisAsyncHandleRead(context_);
    if (context_ != nullptr && !broken_ && limit_->exceeded()) break_off(ReplyLimit::kWords);
}

/// From the first call hiredis learns that it is connected.
void Link::write() {
    redisAsyncHandleWrite(context_);
    if (context_ != nullptr && is_connected()) unsent_ = 0;
}

void Link::poll_for(int events) {
    if (events == polled_events_) return;
    polled_events_ = events;
    uv_poll_start(&poll_, events, [](uv_poll_t* handle, int status, int happened) {
        static_cast<Link*>(handle->data)->polled(status, happened);
    });
}

void Link::want_write() {
    if (!is_connected() || flushing_) {
        poll_for(polled_events_ | UV_WRITABLE);
    } else if (!queued_) {
        queued_ = true;
        upstream_.reactor.flush_soon(*this);
    }
}

void Link::flush() {
    queued_ = false;
    if (!usable()) return;
    flushing_ = true;
    write();
    flushing_ = false;
}

void Link::context_gone() {
    tell_broken();
    limit_.reset();
    context_ = nullptr;
    if (queued_) upstream_.reactor.forget(*this);
    queued_ = false;
    uv_close(reinterpret_cast<uv_handle_t*>(&poll_), [](uv_handle_t* handle) {
        Link* link = static_cast<Link*>(handle->data);
        link->poll_closed_ = true;
        link->delete_if_done();
    });
}

void Link::release() {
    listener_ = nullptr;
    // If hiredis is giving up already, or is calling us now, it frees the context itself.
    if (context_ != nullptr && !broken_) {
        broken_ = true;
        redisAsyncFree(context_);
    }
    delete_if_done();
}

/// The handle's memory belongs to libuv until it is closed, and the rest to the owner.
void Link::delete_if_done() {
    if (listener_ == nullptr && poll_closed_) delete this;
}

}  // namespace locklab
