#include "harness/view/timeline_mermaid.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/view/timeline_words.h"

namespace locklab {

namespace {

using Kind = TimelineRow::Kind;
using Fate = TimelineCommand::Fate;

/// Mermaid ends a statement at ';', begins an entity at '#', and lets HTML through.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool special = std::string_view("#;<>&\"%$").find(c) != std::string::npos;
        if (special) {
            out += "#" + std::to_string(static_cast<int>(c)) + ";";
        } else {
            out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

class Diagram {
public:
    explicit Diagram(const Timeline& timeline)
        : timeline_(timeline), inside_(timeline.names.size()) {}

    std::string print() {
        out_ = "sequenceDiagram\n";
        if (!timeline_.title.empty()) put("title " + escaped(timeline_.title));
        for (std::size_t i = 0; i < timeline_.names.size(); ++i) {
            put("participant " + client(i) + " as " + escaped(timeline_.names[i]));
        }
        put("participant redis as Redis");
        for (const TimelineRow& row : timeline_.rows) {
            draw(row);
            follow(row);
            if (row.key_changed) note("redis", "key: " + key_text(timeline_, row));
        }
        for (std::size_t i = 0; i < inside_.size(); ++i) {
            if (inside_[i]) put("deactivate " + client(i));
        }
        return std::move(out_);
    }

private:
    static std::string client(std::size_t i) { return "c" + std::to_string(i); }
    void put(const std::string& statement) { out_ += "    " + statement + "\n"; }
    void note(const std::string& over, const std::string& text) {
        put("Note over " + over + ": " + escaped(text));
    }
    std::string everybody() const {
        return timeline_.names.empty() ? "redis" : client(0) + ",redis";
    }
    static std::string stamp(const TimelineRow& row) { return seconds_text(row.at) + " s "; }

    void draw(const TimelineRow& row) {
        switch (row.kind) {
            case Kind::command: command(row); break;
            case Kind::violation: violation(row); break;
            case Kind::gap: note(everybody(), row.text); break;
            case Kind::remark: note(everybody(), "(" + row.text + ")"); break;
            default: {
                const std::string over = row.client ? client(*row.client) : "redis";
                note(over, stamp(row) + sentence(timeline_, row));
            }
        }
    }

    void violation(const TimelineRow& row) {
        std::string over = client(row.client.value_or(0));
        if (row.other && row.client && row.other != row.client) {
            const auto [left, right] = std::minmax(*row.client, *row.other);
            over = client(left) + "," + client(right);
        }
        put("rect rgba(213, 94, 0, 0.3)");
        note(over, "✗ " + row.text + " (" + row.detail + ")");
        put("end");
    }

    static std::string way_of(const TimelineRow& row) {
        const TimelineCommand& command = row.command;
        if (command.again) return "sent again: ";
        if (is_late(row)) return "sent at " + seconds_text(command.sent_at) + " s: ";
        if (command.is_old) return "task of an earlier round: ";
        return command.background ? "watchdog: " : "";
    }

    void command(const TimelineRow& row) {
        const TimelineCommand& command = row.command;
        const std::string who = client(row.client.value_or(0));
        if (command.unknown) return note(who, stamp(row) + sentence(timeline_, row));
        const bool server_told = timeline_.nodes > 1;
        const std::string server =
            server_told ? " (Redis " + std::to_string(command.node + 1) + ")" : "";
        if (!row.lead.empty())
            note(who, stamp(row) + timeline_.names[*row.client] + " " + row.lead);
        const bool lost = command.fate == Fate::request_lost;
        if (command.sent || command.ran) {
            const std::string arrow = command.ran ? "->>" : lost ? "-x" : "-)";
            const std::string rest = command.ran ? "" : aftermath(timeline_, row);
            put(who + arrow +
                "redis: " + escaped(stamp(row) + way_of(row) + command.text + server + rest));
        }
        if (!command.ran && !command.answered) return;
        const bool lost_reply = !command.again && (command.fate == Fate::reply_lost ||
                                                   command.fate == Fate::sent_again);
        const std::string seen = command.given_up                      ? ", too late to be seen"
                                 : command.fate == Fate::reply_delayed ? ", held up in the network"
                                                                       : ", not seen yet";
        const std::string outcome = row.outcome.empty() ? "" : ", " + row.outcome;
        if (command.answered) {
            put("redis-->>" + who + ": " + escaped(command.reply + outcome));
        } else if (lost_reply) {
            put("redis--x" + who + ": " + escaped(command.reply + ", but the reply is lost"));
        } else {
            put("redis--)" + who + ": " + escaped(command.reply + seen));
        }
    }

    /// Draws a bar for each client while it is inside.
    void follow(const TimelineRow& row) {
        for (std::size_t i = 0; i < row.lifelines.size(); ++i) {
            if (row.lifelines[i].inside == inside_[i]) continue;
            inside_[i] = row.lifelines[i].inside;
            put((inside_[i] ? "activate " : "deactivate ") + client(i));
        }
    }

    const Timeline& timeline_;
    std::vector<bool> inside_;
    std::string out_;
};

}  // namespace

std::string to_mermaid(const Timeline& timeline) { return Diagram(timeline).print(); }

}  // namespace locklab
