#include "harness/view/timeline_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/view/timeline_words.h"

namespace locklab {

namespace {

using Kind = TimelineRow::Kind;

constexpr std::size_t kColumns = 106;
constexpr std::size_t kTime = 9;
constexpr std::size_t kKey = 25;
constexpr std::size_t kLongestName = 8;
constexpr std::size_t kLifelines = 38;  ///< columns for all lifelines, if possible
constexpr std::size_t kLeastText = 34;

std::string padded(std::string text, std::size_t columns) {
    text.append(columns - std::min(columns, columns_of(text)), ' ');
    return text;
}

std::string right_aligned(const std::string& text, std::size_t columns) {
    return std::string(columns - std::min(columns, columns_of(text)), ' ') + text;
}

class Page {
public:
    explicit Page(const Timeline& timeline) : timeline_(timeline) {
        const std::size_t clients = std::max<std::size_t>(timeline.names.size(), 1);
        name_ = std::clamp<std::size_t>(kLifelines / clients, 3, kLongestName + 2) - 2;
        for (const std::string& name : timeline.names) {
            lifeline_ = std::max(lifeline_, columns_of(shortened(name, name_)) + 2);
        }
        const std::size_t left = kTime + 2 + lifeline_ * timeline.names.size();
        const std::size_t right = timeline.has_key ? kKey + 2 : 0;
        text_ = std::max(kLeastText, kColumns - std::min(kColumns, left + right));
    }

    std::string print() {
        title();
        for (const TimelineRow& row : timeline_.rows) {
            switch (row.kind) {
                case Kind::gap: line("", lifelines(row, false), row.text, ""); break;
                case Kind::violation: violation(row); break;
                case Kind::remark: paragraph(row, "", "(" + sentence(timeline_, row) + ")"); break;
                default: paragraph(row, seconds_text(row.at), sentence(timeline_, row)); break;
            }
        }
        if (timeline_.rows.empty()) out_ += "nothing happened\n";
        out_ +=
            "\n│ outside  ┃ inside  ├ ┣ acts  ┊ ┇ paused  † crashed  ✗ goes wrong; times in s\n";
        return std::move(out_);
    }

private:
    void title() {
        if (!timeline_.algorithm.empty()) out_ += timeline_.algorithm + ": ";
        out_ += timeline_.verdict + "\n\n";
        std::string names;
        for (const std::string& name : timeline_.names) {
            names += padded(shortened(name, name_), lifeline_);
        }
        line("time", names, "what happens", timeline_.has_key ? "the lock's key" : "");
    }

    /// Redis runs a late command without its client; and a violation is no client's action.
    static bool is_act(const TimelineRow& row) {
        const TimelineCommand& command = row.command;
        if (row.kind != Kind::command) return row.kind != Kind::violation;
        return command.sent || command.again || command.answered || command.unknown;
    }

    static const char* lifeline_sign(const Lifeline& lifeline, bool acts) {
        if (lifeline.crashed) return acts ? "†" : " ";
        if (lifeline.paused) return lifeline.inside ? "┇" : "┊";
        if (acts) return lifeline.inside ? "┣" : "├";
        return lifeline.inside ? "┃" : "│";
    }

    std::string lifelines(const TimelineRow& row, bool first) const {
        std::string text;
        for (std::size_t i = 0; i < row.lifelines.size(); ++i) {
            const bool acts = first && row.client == i && is_act(row);
            text += padded(lifeline_sign(row.lifelines[i], acts), lifeline_);
        }
        return text;
    }

    void line(const std::string& time, const std::string& lifelines, const std::string& text,
              const std::string& key) {
        std::string made = right_aligned(time, kTime) + "  " + lifelines + text;
        if (!key.empty()) {
            const std::size_t before = kTime + 2 + lifeline_ * timeline_.names.size() + text_ + 2;
            made = padded(std::move(made), before) + key;
        }
        while (made.ends_with(' ')) made.pop_back();
        out_ += made + "\n";
    }

    /// Prints `text` beside the lifelines; further lines are indented.
    void paragraph(const TimelineRow& row, const std::string& time, const std::string& text) {
        const std::vector<std::string> lines = wrapped(text, text_ - 2);
        std::vector<std::string> key;
        if (row.key_changed) key = wrapped(key_text(timeline_, row), kKey);
        for (std::size_t i = 0; i < std::max(lines.size(), key.size()); ++i) {
            const bool first = i == 0;
            const std::string indent = first ? "" : "  ";
            line(first ? time : "", lifelines(row, first),
                 i < lines.size() ? indent + lines[i] : "", i < key.size() ? key[i] : "");
        }
    }

    void violation(const TimelineRow& row) {
        paragraph(row, "✗", sentence(timeline_, row));
        for (const std::string& text : wrapped(row.detail, text_ - 2)) {
            line("", lifelines(row, false), "  " + text, "");
        }
    }

    const Timeline& timeline_;
    std::size_t name_ = 1;
    std::size_t lifeline_ = 3;
    std::size_t text_ = kLeastText;
    std::string out_;
};

}  // namespace

std::string to_text(const Timeline& timeline) { return Page(timeline).print(); }

}  // namespace locklab
