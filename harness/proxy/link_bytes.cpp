// A link whose protocol is not RESP. Rules strike what comes at once from the client as they strike
// a command, and what comes next from the server as its answer. It has no name.

#include <utility>

#include "harness/proxy/link_connection.h"

namespace locklab {

void LinkConnection::request_bytes(std::string_view bytes) {
    const FaultRule* rule =
        requests_.held ? nullptr : services_.rules.strikes(link_.name, FrameWords(""));
    if (rule != nullptr && strikes_bytes(rule->fault)) {
        if (strike_request(*rule)) strikes_answer_ = rule;
        if (over_ || requests_.lost) return balance();
    }
    if (!requests_.held) waits_for_link(requests_, requests);
    requests_.frames.append(bytes);
    pass_requests();
}

void LinkConnection::reply_bytes(std::string_view bytes) {
    const FaultRule* rule = std::exchange(strikes_answer_, nullptr);
    if (rule != nullptr) {
        if (rule->fault == LinkFault::reset_reply) return cut();
        replies_.lost = rule->fault == LinkFault::lose_reply;
        if (replies_.lost) return balance();
        if (rule->fault == LinkFault::delay_reply) hold(replies_, replies, rule->amount);
    }
    if (!replies_.held) waits_for_link(replies_, replies);
    replies_.frames.append(bytes);
    pass_replies();
}

}  // namespace locklab
