#include <algorithm>
#include <utility>

#include "harness/view/timeline_draft.h"
#include "harness/view/timeline_words.h"

namespace locklab {

namespace {

/// "is inside" becomes "now inside", and "has lock 2" becomes "now has lock 2".
std::string now(const std::string& text) {
    return "now " + (text.starts_with("is ") ? text.substr(3) : text);
}

using Kind = TimelineRow::Kind;
using Role = TimelineDraft::Role;
using Fate = TimelineCommand::Fate;

bool is_command(const TimelineDraft& draft) { return draft.row.kind == Kind::command; }

/// Whether `next` is the next step of the command that `row` shows.
bool goes_on(const TimelineCommand& row, const TimelineCommand& next) {
    if (row.call == 0 || row.call != next.call || next.sent || next.unknown) return false;
    if (next.ran) {
        const bool straight = row.fate != Fate::delayed && row.fate != Fate::request_lost;
        return row.sent && !row.ran && straight && !next.again;
    }
    const bool reply_gone = row.fate == Fate::reply_lost || row.fate == Fate::reply_delayed ||
                            row.fate == Fate::sent_again;
    return row.ran && !row.answered && (row.again || !reply_gone);
}

/// Whether a command's row may include what its client did with the reply.
bool takes_outcome(const TimelineDraft& draft, Role role) {
    const TimelineCommand& command = draft.row.command;
    if (!is_command(draft) || command.background) return false;
    if (role == Role::read) return draft.role == Role::granted;
    const bool is_outcome =
        role == Role::granted || role == Role::refused || role == Role::released;
    return is_outcome && draft.row.outcome.empty() && (command.answered || command.unknown);
}

/// Takes over the state after `next`, which comes later.
void take_state(TimelineRow& row, TimelineRow& next) {
    row.lifelines = std::move(next.lifelines);
    row.keys = std::move(next.keys);
    row.key_changed = row.key_changed || next.key_changed;
}

void join_command(TimelineRow& row, TimelineRow& next) {
    TimelineCommand& command = row.command;
    if (next.command.ran) row.at = next.at;
    command.ran = command.ran || next.command.ran;
    command.answered = next.command.answered;
    command.fate = next.command.fate;
    if (!next.command.reply.empty()) command.reply = std::move(next.command.reply);
    take_state(row, next);
}

/// Makes `next` a part of `draft`, if they belong together.
bool join(TimelineDraft& draft, TimelineDraft& next, Duration longest) {
    TimelineRow& row = draft.row;
    if (row.client != next.row.client || next.row.at - row.at >= longest) return false;
    if (is_command(draft) && is_command(next)) {
        if (!goes_on(row.command, next.row.command)) return false;
        join_command(row, next.row);
    } else if (takes_outcome(draft, next.role)) {
        // A client without an answer cannot know what it released: the row says so already.
        const bool said = row.command.unknown && next.role == Role::released;
        const std::string text = next.role == Role::granted ? now(next.row.text) : next.row.text;
        if (!said) row.outcome += (row.outcome.empty() ? "" : ", ") + text;
        draft.role = next.role;
        take_state(row, next.row);
    } else if (draft.role == Role::leaving && is_command(next) && next.row.command.sent) {
        next.row.lead = row.text;
        next.row.key_changed = next.row.key_changed || row.key_changed;
        row = std::move(next.row);
        draft.role = Role::none;
    } else if (draft.role == Role::leaving && next.role == Role::released) {
        row.text += ", " + next.row.text;
        draft.role = Role::none;
        take_state(row, next.row);
    } else {
        return false;
    }
    for (TimelineRow& mark : next.marks) draft.marks.push_back(std::move(mark));
    return true;
}

/// Joins `next` to an earlier row, if it is a part of it. Polling by other clients in between does
/// not matter.
bool join_last(std::vector<TimelineDraft>& joined, TimelineDraft& next, Duration longest) {
    std::size_t after = joined.size();
    const auto polls = [&](const TimelineRow& row) {
        return row.kind == Kind::repeats && row.client != next.row.client;
    };
    while (after > 0 && polls(joined[after - 1].row)) --after;
    if (after == 0 || !join(joined[after - 1], next, longest)) return false;
    const TimelineRow& row = joined[after - 1].row;
    for (; after < joined.size(); ++after) {
        TimelineRow& between = joined[after].row;
        between.at = std::max(between.at, row.at);
        between.lifelines = row.lifelines;
        between.keys = row.keys;
    }
    return true;
}

/// Lists rows, and adds one wherever time passes.
class Column {
public:
    explicit Column(Duration gap) : gap_(gap) {}

    void add(TimelineRow row) {
        const Instant begins = row.kind == Kind::repeats ? row.since : row.at;
        if (!rows_.empty() && begins - rows_.back().at >= gap_) {
            TimelineRow passing;
            passing.kind = Kind::gap;
            passing.since = rows_.back().at;
            passing.at = begins;
            const std::string amount = spoken(passing.at - passing.since);
            passing.text = "… " + amount + (amount == "1 s" ? " passes …" : " pass …");
            passing.lifelines = rows_.back().lifelines;
            passing.keys = rows_.back().keys;
            rows_.push_back(std::move(passing));
        }
        rows_.push_back(std::move(row));
    }
    std::vector<TimelineRow> take() { return std::move(rows_); }

private:
    Duration gap_;
    std::vector<TimelineRow> rows_;
};

}  // namespace

std::vector<TimelineRow> join_rows(std::vector<TimelineDraft> drafts, Duration gap,
                                   Duration longest) {
    std::vector<TimelineDraft> joined;
    for (TimelineDraft& draft : drafts) {
        if (!join_last(joined, draft, longest)) joined.push_back(std::move(draft));
    }
    Column column(gap);
    for (TimelineDraft& draft : joined) {
        TimelineRow after = draft.row;
        column.add(std::move(draft.row));
        for (TimelineRow& mark : draft.marks) {
            mark.at = after.at;
            mark.lifelines = after.lifelines;
            mark.keys = after.keys;
            column.add(std::move(mark));
        }
    }
    return column.take();
}

}  // namespace locklab
