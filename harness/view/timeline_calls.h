// The commands of a run on their way: each call's row, and what is known of it so far.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "harness/core/history.h"
#include "harness/view/timeline_draft.h"
#include "harness/view/timeline_words.h"

namespace locklab {

class CallTrail {
public:
    explicit CallTrail(ShortWords& words) : words_(words) {}

    TimelineCommand sent(const Event& event, const event::Sent& sent);
    TimelineCommand ran(const Event& event, const event::Executed& executed);
    /// Nothing if the history does not tell which command was answered.
    std::optional<TimelineCommand> replied(const Event& event, const event::Replied& replied);

    /// A fault struck a command: marks its rows. False if the fault did not strike a command.
    bool strike(const event::Fault& fault, std::vector<TimelineDraft>& drafts);

    std::size_t nodes() const { return nodes_; }

private:
    struct Call {
        TimelineCommand command;
        bool ran = false;
        bool given_up = false;
    };
    void meet(NodeId node);

    ShortWords& words_;
    std::map<std::uint64_t, Call> calls_;
    std::size_t nodes_ = 1;
};

}  // namespace locklab
