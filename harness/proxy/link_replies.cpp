// The way from the server to the client.

#include <utility>

#include "harness/proxy/link_connection.h"

namespace locklab {

void LinkConnection::pass_replies() {
    while (!over_ && !replies_.held && !replies_.bytes && client_has_room()) {
        if (!dialogue_.empty()) {
            const Dialogue::Asked& first = dialogue_.front();
            if (first.treatment == Treatment::invent) {
                tell_error(first.error);
                continue;
            }
            replies_.bytes = first.shape == Dialogue::Shape::stream;
            if (replies_.bytes) break;
        }
        const std::optional<std::string_view> frame = replies_.frames.front();
        if (!frame) break;
        reply(*frame);
    }
    if (over_) return;
    write_replies();
    if (replies_.bytes && !replies_.held && replies_.frames.size() > 0) {
        if (!replies_.lost) client_.write(replies_.frames.rest());
        replies_.frames.clear();
    }
    if (replies_.frames.is_nonsense()) return refuse("A server", replies_.frames.complaint());
    end_of_replies();
}

void LinkConnection::reply(std::string_view frame) {
    const char type = replies_.frames.type();
    const bool unasked = dialogue_.is_unasked(frame, type);
    // An answer that a rule delays comes to the gate after its delay.
    const bool is_delayed = !unasked && dialogue_.front().treatment == Treatment::delay;
    const std::uint64_t of = unasked ? 0 : dialogue_.front().number;
    if (waits_for_link(replies_, replies)) {
        if (of != 0 && !std::exchange(is_delayed_, true)) note(LinkMoment::delayed, of, frame);
        return;
    }
    is_delayed_ = false;
    const bool is_let_out = std::exchange(is_let_out_, false);
    if (!is_let_out && !is_delayed && waits_at_gate(LinkWay::reply, of, frame)) return;
    if (unasked) {
        static_cast<void>(dialogue_.take(frame, type));
        note(replies_.lost ? LinkMoment::withheld : LinkMoment::push, 0, frame);
        if (!replies_.lost) tell(frame);
        return replies_.frames.pop();
    }
    if (!treat(dialogue_.front(), frame)) return;
    const Treatment treatment = dialogue_.front().treatment;
    const bool is_complete = dialogue_.take(frame, type);
    if (treatment == Treatment::replace) {
        note(LinkMoment::withheld, of, frame);
        replies_.frames.pop();
        return tell_error(dialogue_.front().error);
    }
    const bool passes = !replies_.lost && treatment != Treatment::swallow;
    note(passes ? LinkMoment::answer : LinkMoment::withheld, of, frame);
    if (passes) tell(frame);
    if (is_complete) dialogue_.pop();
    replies_.frames.pop();
}

bool LinkConnection::treat(Dialogue::Asked& asked, std::string_view frame) {
    switch (asked.treatment) {
        case Treatment::delay:
            note(LinkMoment::delayed, asked.number, frame);
            asked.treatment = Treatment::pass;
            hold(replies_, replies, asked.rule->amount);
            return false;
        case Treatment::lose: replies_.lost = true; return true;
        case Treatment::reset:
            note(LinkMoment::withheld, asked.number, frame);
            cut();
            return false;
        case Treatment::pass:
        case Treatment::swallow:
        case Treatment::replace:
        case Treatment::invent: break;
    }
    return true;
}

void LinkConnection::tell(std::string_view bytes) {
    replies_.out.append(bytes);
    if (replies_.out.size() >= kMostPending) write_replies();
}

void LinkConnection::write_replies() {
    client_.write(replies_.out);
    empty(replies_.out);
}

/// Answers the first command, which has no other answer.
void LinkConnection::tell_error(std::string_view error) {
    const std::string line = "-" + std::string(error) + "\r\n";
    note(replies_.lost ? LinkMoment::withheld : LinkMoment::answer, dialogue_.front().number, line);
    if (!replies_.lost) tell(line);
    dialogue_.pop();
}

/// Closes the client's connection once the server has closed its own, and the client has got
/// everything.
void LinkConnection::end_of_replies() {
    if (over_) return;
    if (replies_.ended && !replies_.held && client_has_room() &&
        (!replies_.lost || requests_.ended)) {
        if (!replies_.bytes && !replies_.lost) client_.write(replies_.frames.rest());
        client_.end();
        // Written bytes may still be on their way to the client.
        if (client_.pending() == 0) return finish("the server");
    }
    balance();
}

}  // namespace locklab
