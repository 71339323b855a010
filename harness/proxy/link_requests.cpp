// The way from the client to the server.

#include <utility>

#include "harness/core/duration_text.h"
#include "harness/proxy/link_connection.h"

namespace locklab {

namespace {

constexpr std::string_view kDiscard = "*1\r\n$7\r\nDISCARD\r\n";

}  // namespace

void LinkConnection::pass_requests() {
    bool was_full = false;
    do {
        send_requests();
        if (over_) return;
        if (requests_.frames.is_nonsense() && !requests_.lost) {
            return refuse("A client", requests_.frames.complaint());
        }
        was_full = dialogue_.waiting() >= kMostWaiting;
        // The proxy itself answers commands whose turn has come.
        pass_replies();
    } while (was_full && !over_ && dialogue_.waiting() < kMostWaiting);
    end_of_requests();
}

void LinkConnection::send_requests() {
    while (!over_ && !requests_.held && !requests_.lost && !requests_.bytes) {
        if (dialogue_.waiting() >= kMostWaiting) break;
        const std::optional<std::string_view> frame = requests_.frames.front();
        if (!frame) break;
        request(*frame);
    }
    if (over_) return;
    server_.write(requests_.out);
    empty(requests_.out);
}

void LinkConnection::request(std::string_view frame) {
    const FrameWords words(frame);
    const FaultRule* rule = nullptr;
    if (!is_struck_) {
        note(LinkMoment::request, dialogue_.asked() + 1, frame);
        // No rule strikes what does not get through anyhow.
        is_struck_ = waits_for_link(requests_, requests);
        if (is_struck_) return note_strike(LinkFault::delay_request);
        if (words.count() > 0) rule = services_.rules.strikes(link_.name, words);
        if (rule == nullptr && waits_at_gate(LinkWay::request, dialogue_.asked() + 1, frame)) {
            return;
        }
    }
    if (is_struck_ && waits_for_link(requests_, requests)) return;
    is_struck_ = false;
    const std::optional<FaultRule> order = std::exchange(order_, {});
    if (order) rule = &*order;
    const bool executes = words.is(0, "EXEC") && dialogue_.in_transaction();
    const bool is_refused = rule != nullptr && rule->fault == LinkFault::error;
    const std::string error = is_refused ? error_for(*rule, words) : "";
    if (is_refused) {
        note_strike(rule->fault, error);
    } else if (rule != nullptr && !strike_request(*rule)) {
        return;
    }
    if (executes && is_refused) {
        discard(words, "EXECABORT Transaction discarded because of: " + error);
    } else if (executes && dialogue_.is_spoilt()) {
        discard(words, "EXECABORT Transaction discarded because of previous errors.");
    } else if (is_refused) {
        Dialogue::Asked* asked = dialogue_.refuse(words);
        if (asked != nullptr) asked->treatment = Treatment::invent;
        if (asked != nullptr) asked->error = error;
    } else {
        forward(frame, words, rule);
    }
    requests_.frames.pop();
}

bool LinkConnection::strike_request(const FaultRule& rule) {
    note_strike(rule.fault, cuts_link(rule.fault) ? to_string(rule.amount) : "");
    switch (rule.fault) {
        case LinkFault::late_request:
            client_.reset();
            requests_.ended = true;
            replies_.lost = true;
            [[fallthrough]];
        case LinkFault::delay_request:
            is_struck_ = true;
            hold(requests_, requests, rule.amount);
            return false;
        case LinkFault::partition:
            is_struck_ = true;
            cut_link(rule.amount);
            hold(requests_, requests, rule.amount);
            return false;
        case LinkFault::partition_after: cut_link(rule.amount); break;
        case LinkFault::lose_request:
            requests_.lost = true;
            requests_.frames.clear();
            return false;
        case LinkFault::reset_request: cut(); return false;
        case LinkFault::repeat_request:
            if (rule.amount == Duration::zero()) break;
            repeat_later(rule.amount);
            return false;
        case LinkFault::delay_reply:
        case LinkFault::lose_reply:
        case LinkFault::reset_reply:
        case LinkFault::error: break;
    }
    return true;
}

/// Sends the command now without passing on its answer, and again after `amount`.
void LinkConnection::repeat_later(Duration amount) {
    const std::string_view frame = *requests_.frames.front();
    Dialogue::Asked* first = dialogue_.ask(FrameWords(frame));
    requests_.out.append(frame);
    // A client that subscribes twice must not get twice the confirmations.
    if (first == nullptr || first->shape != Dialogue::Shape::plain) return requests_.frames.pop();
    first->treatment = Treatment::swallow;
    is_struck_ = true;
    hold(requests_, requests, amount);
}

void LinkConnection::forward(std::string_view frame, const FrameWords& words,
                             const FaultRule* rule) {
    Dialogue::Asked* asked = dialogue_.ask(words);
    requests_.out.append(frame);
    if (asked != nullptr && asked->shape == Dialogue::Shape::stream) {
        requests_.bytes = true;
    } else if (asked != nullptr && rule != nullptr) {
        strike_answer(*asked, frame, *rule);
    }
}

void LinkConnection::strike_answer(Dialogue::Asked& asked, std::string_view frame,
                                   const FaultRule& rule) {
    if (rule.fault == LinkFault::delay_reply) {
        asked.treatment = Treatment::delay;
        asked.rule = &rule;
    }
    if (rule.fault == LinkFault::lose_reply) asked.treatment = Treatment::lose;
    if (rule.fault == LinkFault::reset_reply) asked.treatment = Treatment::reset;
    // A client that subscribes twice must not get twice the confirmations.
    const bool repeats = rule.fault == LinkFault::repeat_request;
    if (!repeats || asked.shape != Dialogue::Shape::plain) return;
    asked.treatment = Treatment::swallow;
    dialogue_.ask_again().treatment = Treatment::pass;
    requests_.out.append(frame);
}

/// The server discards the transaction, and the client is told why.
void LinkConnection::discard(const FrameWords& words, std::string error) {
    Dialogue::Asked* asked = dialogue_.ask(words);
    requests_.out.append(kDiscard);
    if (asked == nullptr) return;
    asked->treatment = Treatment::replace;
    asked->error = std::move(error);
}

/// Closes the server's connection once the client has closed its own, and the server has got
/// everything.
void LinkConnection::end_of_requests() {
    if (over_) return;
    if (requests_.bytes && !requests_.held && requests_.frames.size() > 0) {
        server_.write(requests_.frames.rest());
        requests_.frames.clear();
    }
    const bool blocked = requests_.held || dialogue_.waiting() >= kMostWaiting;
    if (requests_.ended && !requests_.lost && !blocked) server_.end();
    balance();
}

}  // namespace locklab
