// One socket to Redis for as long as it lasts: hiredis's asynchronous context on the reactor's
// loop, and the calls that wait for its replies.
//
// hiredis's own adapter for libuv changes the set of polled events, with two calls to the
// kernel, for every command. This one polls for reading all the time and writes once per turn.
//
// hiredis aborts where a server answers what nobody asked, and has no bound for the length of a
// reply (see reply_limit.h): both end the connection here, before hiredis comes to it.
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

/// What all connections to one server share.
struct Upstream {
    Reactor& reactor;
    Endpoint endpoint;
    ScriptDigests digests;
    WireRequest request;  ///< the one that is being sent
};

class Link final : public Reactor::Writer {
public:
    struct Close {
        void operator()(Link* link) const { link->release(); }
    };
    using Ptr = std::unique_ptr<Link, Close>;

    enum class Opening {
        begun,    ///< commands may be sent, though the connection may yet be refused
        busy,     ///< the server has too many connections to accept: try again
        refused,  ///< nobody listens
    };

    /// `link` is set if the opening has begun. It is closed abruptly by its destruction, and
    /// then tells nothing more.
    static Opening open(Upstream& upstream, CallListener& listener, Ptr& link);

    /// Whether it takes commands. Once it does not, it never will again.
    bool usable() const { return context_ != nullptr && !broken_; }
    /// Whether no call waits for its reply, or to be sent.
    bool idle() const { return flights_.empty() && reserved_ == 0; }

    /// Sends an attempt of `call`; a script by its digest first. False if it cannot.
    bool send(Call& call, std::uint32_t attempt);

    /// A call is on its way that will arrive later, over this link and no other, as what the
    /// network delays does.
    void reserve() { ++reserved_; }
    bool send_reserved(Call& call, std::uint32_t attempt) {
        --reserved_;
        return send(call, attempt);
    }
    bool is_reserved() const { return reserved_ > 0; }

    /// Nobody wants to know any more what becomes of the calls that were sent.
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
    bool flushing_ = false;  ///< what cannot be written now must wait for the socket
    bool queued_ = false;    ///< among the reactor's writers
    std::uint32_t reserved_ = 0;
    std::deque<Flight> flights_;
    std::size_t unsent_ = 0;  ///< of these, the last so many have not been written
    std::optional<ReplyLimit> limit_;
    std::string words_;  ///< why we break it off; empty: it broke by itself, or not yet
};

}  // namespace locklab
