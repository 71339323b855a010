// One connection of a client, and its connection to the server. Commands pass one by one, and so do
// answers; rules strike them.
//
// 1. Each direction keeps its order: a held frame holds back all later ones.
// 2. As long as a connection goes on, the client gets one answer for each command that has one.
// 3. If too much waits to be written, or to be answered, nothing more is read.
// 4. All connections together hold a limited number of bytes; beyond it the one that holds most is
// ended.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    Endpoint listen;  ///< a host's port; 0: a free one
    Endpoint node;    ///< resolved
    /// The protocol is not RESP: bytes pass as they come. What comes at once from the client counts
    /// as one command.
    bool bytes = false;
    /// Of a link of bytes: what the node sends reaches the client this much later. What is held
    /// when the node ends the connection never comes, as with a machine that dies before it has
    /// sent it.
    Duration lag{0};
};

class LinkConnection final : public Socket::Owner, public Reactor::Sleeper {
public:
    struct Services {
        Reactor& reactor;
        RuleBook& rules;
        EventLog& events;
        /// Gets one sentence for each connection that sent malformed input.
        std::function<void(const std::string& sentence)> complain;
        /// The connection is over. It is not used any more, but may still be on the call stack.
        std::function<void(LinkConnection& connection)> over;
        LinkGate* gate = nullptr;
        /// Bytes that all connections hold together.
        std::size_t held = 0;
        std::size_t most_held = kMostHeldByProxy;
        /// The limit is exceeded: end the connection that holds most.
        std::function<void()> too_much;
        /// Of each link: until when nothing gets through.
        std::vector<Reactor::Clock::time_point> cut_until{};
    };
    struct Names {
        std::uint16_t link = 0;
        std::uint32_t connection = 0;
    };

    LinkConnection(Services& services, const ProxyLink& link, Names names);
    ~LinkConnection();

    /// Accepts the client that waits at the listener, and connects to its server; or sends it away.
    void open(uv_stream_t* listener, bool has_room);
    std::uint32_t number() const { return names_.connection; }
    std::uint16_t link() const { return names_.link; }

    /// As FaultProxy's.
    bool go_on(LinkWay way, const FaultRule* fault);
    bool reset();
    /// Bytes that it holds.
    std::size_t held() const { return held_; }
    /// It holds most bytes of all: its client sees a lost connection.
    void end_for_its_size();

    void connected(Socket& socket, int error) override;
    void came(Socket& socket, std::string_view bytes) override;
    void ended(Socket& socket, int error) override;
    void drained(Socket& socket) override;
    void wake(const Reactor::Alarm& alarm) override;

private:
    /// With this many commands without an answer, no more are sent.
    static constexpr std::size_t kMostWaiting = 100'000;
    /// With this many bytes to write, nothing more is read from their sender.
    static constexpr std::size_t kMostPending = 1'000'000;

    enum Held : std::uint32_t { requests, replies, farewell, late };
    /// One direction.
    struct Way {
        FrameBuffer frames;
        std::string out;     ///< to be written once all frames that came were handled
        bool held = false;   ///< until an alarm, or the gate, lets it go on
        bool gated = false;  ///< held by the gate
        bool lost = false;   ///< nothing passes any more
        bool bytes = false;  ///< bytes pass as they come
        bool ended = false;  ///< the sender has closed its end
    };

    /// Of a link of bytes.
    void request_bytes(std::string_view bytes);
    void reply_bytes(std::string_view bytes);

    /// Passes everything that can go on, both ways.
    void pass_requests();
    void send_requests();
    void request(std::string_view frame);
    /// False: the command does not go to the server, or not yet.
    bool strike_request(const FaultRule& rule);
    void repeat_later(Duration amount);
    void cut_link(Duration amount);
    /// For how long nothing gets through; zero: all does.
    Duration cut_for() const;
    void strike_answer(Dialogue::Asked& asked, std::string_view frame, const FaultRule& rule);
    void forward(std::string_view frame, const FrameWords& words, const FaultRule* rule);
    void discard(const FrameWords& words, std::string error);

    void pass_replies();
    void reply(std::string_view frame);
    /// False: the answer does not go to the client now, or never will.
    bool treat(Dialogue::Asked& asked, std::string_view frame);
    void tell_error(std::string_view error);
    void end_of_requests();
    void end_of_replies();
    void tell(std::string_view bytes);
    void write_replies();
    void hold_back(std::string_view bytes);
    void let_out_oldest();
    /// Room for answers, also the proxy's own; if false, drained() tells when there is.
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
    /// `said`: the words of an error, or how long a link is cut.
    void note_strike(LinkFault fault, std::string_view said = {});
    /// Waits for the link to work again.
    bool waits_for_link(Way& way, Held which);
    EventHead head(LinkMoment moment, std::uint64_t number) const;

    Services& services_;
    const ProxyLink& link_;
    const Names names_;
    Socket client_;
    Socket server_;
    Way requests_{FrameBuffer(RespScanner::Speaker::client), {}};
    Way replies_{FrameBuffer(RespScanner::Speaker::server), {}};
    Dialogue dialogue_;
    bool is_struck_ = false;  ///< the first request was struck already, and is not struck again
    std::optional<FaultRule> order_;  ///< the gate's fault for the first request
    /// Of a link of bytes: strikes what the server says next.
    const FaultRule* strikes_answer_ = nullptr;
    bool is_let_out_ = false;  ///< the first answer has passed the gate
    bool is_delayed_ = false;  ///< the first answer has come, and waits for its link
    bool has_alarm_ = false;
    std::deque<std::string> late_;  ///< held back by the link's lag, oldest first
    std::size_t late_bytes_ = 0;
    std::size_t held_ = 0;
    bool over_ = false;
};

}  // namespace locklab
