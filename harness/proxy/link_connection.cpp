#include "harness/proxy/link_connection.h"

#include <algorithm>
#include <utility>

#include "harness/core/assert.h"

namespace locklab {

namespace {

/// With this many bytes held, nothing more is read from their sender.
constexpr std::size_t kMostHeld = 1'000'000;
/// If a client's commands are lost, its server does not learn that it is gone: it stays connected
/// this long.
constexpr Duration kFarewell = std::chrono::seconds(10);

}  // namespace

LinkConnection::LinkConnection(Services& services, const ProxyLink& link, Names names)
    : services_(services), link_(link), names_(names), client_(*this), server_(*this) {
    requests_.bytes = replies_.bytes = link.bytes;
}

LinkConnection::~LinkConnection() {
    if (has_alarm_) services_.reactor.forget(*this);
}

void LinkConnection::open(uv_stream_t* listener, bool has_room) {
    note(LinkMoment::opened, 0);
    const bool taken = client_.accept(services_.reactor.loop(), listener);
    if (!taken || !has_room) return finish("the proxy");
    server_.connect(services_.reactor.loop(), link_.node);
}

void LinkConnection::connected(Socket&, int error) {
    if (error != 0) {
        note(LinkMoment::refused, 0, uv_strerror(error));
        client_.reset();
        return finish("the proxy");
    }
    balance();
}

void LinkConnection::came(Socket& socket, std::string_view bytes) {
    const bool from_client = &socket == &client_;
    Way& way = from_client ? requests_ : replies_;
    // Lost answers are logged all the same: they show that a command has run.
    const bool is_noted = services_.gate != nullptr || services_.events.keeps();
    if (way.lost && (from_client || way.bytes || !is_noted)) return;
    if (way.bytes && !from_client && link_.lag > Duration::zero()) return hold_back(bytes);
    if (link_.bytes) return from_client ? request_bytes(bytes) : reply_bytes(bytes);
    if (way.bytes) {
        (from_client ? server_ : client_).write(bytes);
        return balance();
    }
    way.frames.append(bytes);
    if (!from_client) pass_replies();
    // Commands may have waited because too many had no answer.
    if (from_client || requests_.frames.size() > 0 || requests_.ended) pass_requests();
}

void LinkConnection::ended(Socket& socket, int error) {
    if (&socket == &client_) {
        requests_.ended = true;
        if (services_.gate != nullptr) services_.gate->left(names_.link, names_.connection);
        if (error != 0) client_.close();
        if (requests_.lost) {
            client_.close();
            services_.reactor.wake_after(kFarewell, *this, {farewell, 0, 0});
            has_alarm_ = true;
        } else {
            pass_requests();
        }
        return;
    }
    replies_.ended = true;
    if (error != 0) {
        client_.reset();
        return finish("the server");
    }
    pass_replies();
}

void LinkConnection::drained(Socket&) {
    if (!over_) pass_requests();
}

void LinkConnection::wake(const Reactor::Alarm& alarm) {
    if (over_) return;
    if (alarm.kind == farewell) return finish("the client");
    if (alarm.kind == late) return let_out_oldest();
    const bool is_request = alarm.kind == requests;
    Way& way = is_request ? requests_ : replies_;
    if (way.bytes && waits_for_link(way, is_request ? requests : replies)) return;
    const std::uint64_t answered = dialogue_.empty() ? 0 : dialogue_.front().number;
    note(LinkMoment::released, is_request ? dialogue_.asked() + 1 : answered);
    way.held = false;
    pass_requests();
}

void LinkConnection::hold_back(std::string_view bytes) {
    late_.emplace_back(bytes);
    late_bytes_ += bytes.size();
    has_alarm_ = true;
    services_.reactor.wake_after(link_.lag, *this, {late, 0, 0});
    balance();
}

/// Each piece has an alarm of its own, and alarms sound in order. Where this process is late, the
/// server may be gone without it having noticed.
void LinkConnection::let_out_oldest() {
    if (late_.empty() || server_.is_hung_up()) return;
    client_.write(late_.front());
    late_bytes_ -= late_.front().size();
    late_.pop_front();
    balance();
}

void LinkConnection::hold(Way& way, Held which, Duration amount) {
    way.held = true;
    way.gated = amount == kUntilTold;
    if (way.gated) return;
    has_alarm_ = true;
    services_.reactor.wake_after(amount, *this, {which, 0, 0});
}

void LinkConnection::cut_link(Duration amount) {
    Reactor::Clock::time_point& until = services_.cut_until[names_.link];
    until = std::max(until, Reactor::Clock::now() + amount);
}

Duration LinkConnection::cut_for() const {
    const auto left = services_.cut_until[names_.link] - Reactor::Clock::now();
    return std::max(std::chrono::ceil<Duration>(left), Duration::zero());
}

bool LinkConnection::waits_for_link(Way& way, Held which) {
    const Duration cut = cut_for();
    if (cut > Duration::zero()) hold(way, which, cut);
    return cut > Duration::zero();
}

bool LinkConnection::waits_at_gate(LinkWay which, std::uint64_t number, std::string_view frame) {
    if (services_.gate == nullptr) return false;
    Way& way = which == LinkWay::request ? requests_ : replies_;
    const AtGate at{names_.link, names_.connection, number, which, frame};
    way.held = way.gated = services_.gate->holds(at);
    return way.held;
}

bool LinkConnection::go_on(LinkWay which, const FaultRule* fault) {
    const bool is_request = which == LinkWay::request;
    Way& way = is_request ? requests_ : replies_;
    if (over_ || !way.gated) return false;
    way.held = way.gated = false;
    const bool unasked = !is_request && dialogue_.empty();
    note(LinkMoment::released,
         is_request ? dialogue_.asked() + 1 : (unasked ? 0 : dialogue_.front().number));
    if (is_request) {
        is_struck_ = true;
        if (fault != nullptr) order_ = *fault;
        LOCKLAB_ASSERT(fault == nullptr || fault->fault != LinkFault::delay_reply);
    } else {
        is_let_out_ = true;
        const bool is_reset = fault != nullptr && fault->fault == LinkFault::reset_reply;
        if (is_reset) return reset();
        replies_.lost |= fault != nullptr;
    }
    pass_requests();
    return true;
}

bool LinkConnection::reset() {
    if (over_) return false;
    cut();
    return true;
}

/// Reads from each side if the other one has room.
void LinkConnection::balance() {
    weigh();
    if (over_) return;
    const auto has_room = [](const Way& way, const Socket& to, bool stuck) {
        return !way.ended && to.pending() < kMostPending &&
               (!stuck || way.frames.size() < kMostHeld);
    };
    const bool unanswered = dialogue_.waiting() >= kMostWaiting;
    client_.read(has_room(requests_, server_, requests_.held || unanswered));
    server_.read(has_room(replies_, client_, replies_.held) && late_bytes_ < kMostHeld);
}

/// Bytes stay for long only if they wait for their turn, or for the rest of their frame.
void LinkConnection::weigh() {
    if (over_) return;
    const std::size_t before = held_;
    held_ = requests_.frames.size() + replies_.frames.size() + requests_.out.size() +
            replies_.out.size() + client_.pending() + server_.pending() + late_bytes_ +
            dialogue_.waiting() * sizeof(Dialogue::Asked);
    services_.held += held_ - before;
    if (held_ > before && services_.held > services_.most_held) services_.too_much();
}

void LinkConnection::end_for_its_size() {
    const std::string sentence = "The connection of " + link_.name.client + " to " +
                                 link_.name.node + " was ended: all connections together hold " +
                                 "more than the proxy keeps, and it holds most of it.";
    note(LinkMoment::refused, dialogue_.asked(), sentence);
    services_.complain(sentence);
    cut();
}

void LinkConnection::cut() {
    note(LinkMoment::cut, dialogue_.asked());
    client_.reset();
    finish("the proxy");
}

void LinkConnection::refuse(const char* who, const char* complaint) {
    const std::string sentence = std::string(who) + " on the link from " + link_.name.client +
                                 " to " + link_.name.node + " speaks no RESP: " + complaint + ".";
    note(LinkMoment::refused, dialogue_.asked(), sentence);
    services_.complain(sentence);
    client_.reset();
    finish("the proxy");
}

void LinkConnection::finish(std::string_view who) {
    if (over_) return;
    over_ = true;
    services_.held -= std::exchange(held_, 0);
    note(LinkMoment::closed, 0, who);
    if (services_.gate != nullptr) services_.gate->over(names_.link, names_.connection);
    client_.close();
    server_.close();
    services_.over(*this);
}

EventHead LinkConnection::head(LinkMoment moment, std::uint64_t number) const {
    EventHead head;
    head.at_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                     Reactor::Clock::now().time_since_epoch())
                     .count();
    head.number = number;
    head.link = names_.link;
    head.connection = names_.connection;
    head.moment = moment;
    return head;
}

void LinkConnection::note(LinkMoment moment, std::uint64_t number, std::string_view frame) {
    if (!services_.events.keeps()) return;
    services_.events.add(head(moment, number), frame);
}

void LinkConnection::note_strike(LinkFault fault, std::string_view said) {
    EventHead strike = head(LinkMoment::struck, dialogue_.asked() + 1);
    strike.fault = static_cast<std::uint8_t>(fault);
    services_.events.add(strike, said);
}

}  // namespace locklab
