// One connection of a client, and the one to its server that belongs to it. Commands go through
// one by one, answers too, and rules strike them.
//
// 1. Each direction keeps its order: what is held back holds back all that comes after it.
// 2. Of a connection that goes on, the client is told one answer for each command that has one.
// 3. Where too much waits to be written, or to be answered, nothing more is read.
// 4. All connections together hold so much at most; then the one that holds most is ended.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/limits.h"
#include "harness/live/reactor.h"
#include "harness/proxy/dialogue.h"
#include "harness/proxy/event_log.h"
#include "harness/proxy/frame_buffer.h"
#include "harness/proxy/link_fault.h"
#include "harness/proxy/link_gate.h"
#include "harness/proxy/socket.h"

namespace locklab {

struct ProxyLink {
    LinkName name;
    Endpoint listen;     ///< a host's port; 0: a free one
    Endpoint node;       ///< resolved
    bool bytes = false;  ///< what is said is no RESP: bytes go through as they come
};

class LinkConnection final : public Socket::Owner, public Reactor::Sleeper {
public:
    struct Services {
        Reactor& reactor;
        RuleBook& rules;
        EventLog& events;
        /// Told one sentence for each connection that spoke nonsense.
        std::function<void(const std::string& sentence)> complain;
        /// The connection is over. It is not used any more, but still in a call.
        std::function<void(LinkConnection& connection)> over;
        LinkGate* gate = nullptr;
        /// What all connections hold together.
        std::size_t held = 0;
        std::size_t most_held = kMostHeldByProxy;
        /// That is too much: who holds most is ended.
        std::function<void()> too_much;
    };
    struct Names {
        std::uint16_t link = 0;
        std::uint32_t connection = 0;
    };

    LinkConnection(Services& services, const ProxyLink& link, Names names);
    ~LinkConnection();

    /// Takes the client that waits at the listener, and connects to its server; or sends it away.
    void open(uv_stream_t* listener, bool has_room);
    std::uint32_t number() const { return names_.connection; }
    std::uint16_t link() const { return names_.link; }

    /// As FaultProxy's.
    bool go_on(LinkWay way, const FaultRule* fault);
    bool reset();
    /// Bytes that it holds.
    std::size_t held() const { return held_; }
    /// It holds too much: its client is told that the connection is lost.
    void end_for_its_size();

    void connected(Socket& socket, int error) override;
    void came(Socket& socket, std::string_view bytes) override;
    void ended(Socket& socket, int error) override;
    void drained(Socket& socket) override;
    void wake(const Reactor::Alarm& alarm) override;

private:
    /// Commands without an answer, beyond which no more are sent.
    static constexpr std::size_t kMostWaiting = 100'000;
    /// Bytes that wait to be written, beyond which nothing more is read from who sends them.
    static constexpr std::size_t kMostPending = 1'000'000;

    enum Held : std::uint32_t { requests, replies, farewell };
    /// One direction.
    struct Way {
        FrameBuffer frames;
        std::string out;     ///< what is to be written when all frames that came were looked at
        bool held = false;   ///< until an alarm, or the gate lets it go on
        bool gated = false;  ///< by the gate
        bool lost = false;   ///< nothing comes through any more
        bool bytes = false;  ///< bytes go through as they come
        bool ended = false;  ///< who speaks says no more
    };

    /// All that can go on, both ways.
    void pass_requests();
    void send_requests();
    void request(std::string_view frame);
    /// False: the command does not go to the server, or not yet.
    bool strike_request(const FaultRule& rule);
    void repeat_later(Duration amount);
    void strike_answer(Dialogue::Asked& asked, std::string_view frame, const FaultRule& rule);
    void forward(std::string_view frame, const FrameWords& words, const FaultRule* rule);
    void discard(const FrameWords& words, std::string error);

    void pass_replies();
    void reply(std::string_view frame);
    /// False: it is not to be told now, or never.
    bool treat(Dialogue::Asked& asked, std::string_view frame);
    void tell_error(std::string_view error);
    void end_of_requests();
    void end_of_replies();
    void tell(std::string_view bytes);
    void write_replies();
    /// For what was answered, by the proxy itself too; if not, it is told later by drained().
    bool client_has_room() const { return client_.pending() < kMostPending; }

    void hold(Way& way, Held which, Duration amount);
    /// Whether the frame waits at the gate.
    bool waits_at_gate(LinkWay which, std::uint64_t number, std::string_view frame);
    void balance();
    void weigh();
    void cut();
    void refuse(const char* who, const char* complaint);
    void finish(std::string_view who);
    void note(LinkMoment moment, std::uint64_t number, std::string_view frame = {});
    void note_strike(LinkFault fault);
    EventHead head(LinkMoment moment, std::uint64_t number) const;

    Services& services_;
    const ProxyLink& link_;
    const Names names_;
    Socket client_;
    Socket server_;
    Way requests_{FrameBuffer(RespScanner::Speaker::client), {}};
    Way replies_{FrameBuffer(RespScanner::Speaker::server), {}};
    Dialogue dialogue_;
    bool is_struck_ = false;          ///< the first request was; it is not asked again
    std::optional<FaultRule> order_;  ///< of the gate, for the first request
    bool is_let_out_ = false;         ///< the first answer was at the gate
    bool has_alarm_ = false;
    std::size_t held_ = 0;
    bool over_ = false;
};

}  // namespace locklab
