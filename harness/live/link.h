// One socket to Redis for its whole life: hiredis's asynchronous context on the reactor's loop, and
// the calls that wait for its replies.
//
// hiredis's own adapter for libuv changes the set of polled events, with two system calls, for
// every command. This one always polls for reading and writes once per turn.
//
// hiredis aborts if a server sends an unasked reply, and does not limit the length of replies (see
// reply_limit.h): this class ends the connection before hiredis sees either.
#pragma once

#include <hiredis/async.h>
#include <uv.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "harness/live/call.h"
#include "harness/live/endpoint.h"
#include "harness/live/reactor.h"
#include "harness/live/reply_limit.h"
#include "harness/live/script_digests.h"
#include "harness/live/wire.h"

namespace locklab {

/// Shared by all connections to one server.
struct Upstream {
    Reactor& reactor;
    Endpoint endpoint;
    ScriptDigests digests;
    WireRequest request;  ///< the one being sent
};

class Link final : public Reactor::Writer {
public:
    struct Close {
        void operator()(Link* link) const { link->release(); }
    };
    using Ptr = std::unique_ptr<Link, Close>;

    enum class Opening {
        begun,    ///< commands may be sent, though the connection may still be refused
        busy,     ///< the server's queue of connections is full: try again
        refused,  ///< no server listens
    };

    /// `link` is set if opening has begun. Its destruction closes it abruptly and silently.
    static Opening open(Upstream& upstream, CallListener& listener, Ptr& link);

    /// Whether it takes commands. Once false, it stays so.
    bool usable() const { return context_ != nullptr && !broken_; }
    /// Whether no call waits for its reply, or to be sent.
    bool idle() const { return flights_.empty() && reserved_ == 0; }

    /// Sends an attempt of `call`; a script by its digest first. False if it cannot.
    bool send(Call& call, std::uint32_t attempt);

    /// Announces a call that the network delays, and that will arrive later over this link and no
    /// other.
    void reserve() { ++reserved_; }
    bool send_reserved(Call& call, std::uint32_t attempt) {
        --reserved_;
        return send(call, attempt);
    }
    bool is_reserved() const { return reserved_ > 0; }

    /// The results of the calls sent so far are not wanted any more.
    void abandon();

    void flush() override;

private:
    struct Flight {
        Call* call;  ///< null: abandoned
        std::uint32_t attempt;
        bool by_digest;
    };

    Link(Upstream& upstream, CallListener& listener) : upstream_(upstream), listener_(&listener) {}
    ~Link() = default;

    bool attach(redisAsyncContext* context);
    bool submit(const Flight& flight);
    void replied(const redisReply* raw);
    void tell(const Flight& flight, const redisReply* raw);
    void tell_broken();
    void break_off(const std::string& why);
    bool is_connected() const { return (context_->c.flags & REDIS_CONNECTED) != 0; }
    bool has_more() const;
    void read();
    void write();
    void polled(int status, int events);
    void poll_for(int events);
    void want_write();
    void context_gone();
    void release();
    void delete_if_done();

    Upstream& upstream_;
    CallListener* listener_;  ///< null once released
    redisAsyncContext* context_ = nullptr;
    uv_poll_t poll_{};
    int polled_events_ = 0;
    bool poll_closed_ = true;
    bool broken_ = false;    ///< hiredis is giving up on the connection
    bool flushing_ = false;  ///< data that cannot be written now must wait for the socket
    bool queued_ = false;    ///< in the reactor's list of writers
    std::uint32_t reserved_ = 0;
    std::deque<Flight> flights_;
    std::size_t unsent_ = 0;  ///< the last so many flights have not been written
    std::optional<ReplyLimit> limit_;
    std::string words_;  ///< why we break it off; empty: it broke by itself, or is not broken
};

}  // namespace locklab
