#include "harness/view/timeline_svg_layout.h"

#include <algorithm>
#include <utility>

#include "harness/view/timeline_steps.h"
#include "harness/view/timeline_words.h"

namespace locklab {

namespace {

using Kind = TimelineRow::Kind;
using Fate = TimelineCommand::Fate;

constexpr int kMargin = 16;
constexpr int kTimeWidth = 64;
constexpr int kLeastSpan = 320;
constexpr int kMostSpan = 420;
constexpr int kLeastWidth = 640;
constexpr int kKeyText = 140;
constexpr int kHeader = 84;
constexpr int kFooter = 78;
constexpr std::size_t kKeyLetters = kKeyText / kSansWidth;

int pixels(std::string_view text, int letter) {
    return static_cast<int>(columns_of(text)) * letter;
}

std::string request_text(const Timeline& timeline, const TimelineRow& row) {
    const TimelineCommand& command = row.command;
    std::string text = command.text;
    if (timeline.nodes > 1) text += " at Redis " + std::to_string(command.node + 1);
    if (command.again) return "sent again: " + text;
    if (command.background) {
        text = (command.is_old ? "task of an earlier round: " : "watchdog: ") + text;
    }
    if (is_late(row)) text += " of " + seconds_text(command.sent_at) + " s";
    return command.sent ? text : timeline.names[*row.client] + "'s " + text;
}

std::string reply_text(const TimelineRow& row) {
    const TimelineCommand& command = row.command;
    if (command.unknown) return "";
    const std::string outcome = row.outcome.empty() ? "" : ", " + row.outcome;
    if (command.answered) {
        const bool alone = !command.ran && !command.sent;
        return command.reply + outcome + (alone ? " (" + command.text + ")" : "");
    }
    if (!command.ran) {
        if (command.fate == Fate::delayed) return "held up in the network";
        return command.fate == Fate::request_lost ? "lost: it never arrives" : "on its way";
    }
    if (command.fate == Fate::reply_delayed && !command.given_up) {
        return command.reply + ", held up in the network";
    }
    const bool lost =
        !command.again && (command.fate == Fate::reply_lost || command.fate == Fate::sent_again);
    if (lost) return command.reply + ", but the reply is lost";
    return command.reply + (command.given_up ? ", too late to be seen" : ", not seen yet");
}

bool has_arrows(const TimelineRow& row) {
    return row.kind == Kind::command && !row.command.unknown;
}

class Sizer {
public:
    explicit Sizer(const Timeline& timeline) : timeline_(timeline) {}

    SvgLayout lay_out() {
        columns();
        int y = layout_.lifelines_top + 10;
        const std::vector<std::size_t> steps = step_numbers(timeline_);
        for (const TimelineRow& row : timeline_.rows) {
            SvgRow made = has_arrows(row) ? arrows(row, y) : words(row, y);
            made.step = steps[layout_.rows.size()];
            y += made.height;
            layout_.rows.push_back(std::move(made));
        }
        layout_.lifelines_bottom = y + 14;
        layout_.height = layout_.lifelines_bottom + kFooter;
        return std::move(layout_);
    }

private:
    void columns() {
        int lifeline = 64;
        for (const std::string& name : timeline_.names) {
            lifeline = std::max(lifeline, pixels(shortened(name, 10), kSansWidth + 1) + 26);
        }
        int span = kLeastSpan;
        for (const TimelineRow& row : timeline_.rows) {
            if (!has_arrows(row)) continue;
            const int widest = std::max(pixels(request_text(timeline_, row), kMonoWidth),
                                        pixels(reply_text(row), kMonoWidth));
            span = std::max(span, widest + 34);
        }
        span_ = std::min(span, kMostSpan);
        layout_.lifeline_width = lifeline;
        layout_.time_x = kMargin + kTimeWidth - 8;
        int x = kMargin + kTimeWidth + lifeline / 2;
        for (std::size_t i = 0; i < timeline_.names.size(); ++i, x += lifeline) {
            layout_.client_x.push_back(x);
        }
        layout_.span_left = x - lifeline / 2 + 6;
        layout_.redis_x = layout_.span_left + span_ + 10;
        layout_.key_x = layout_.redis_x + 56;
        layout_.key_text_x = layout_.key_x + kKeyBar + 10;
        const int right = timeline_.has_key ? layout_.key_text_x + kKeyText : layout_.redis_x + 50;
        layout_.width = std::max(kLeastWidth, right + kMargin);
        layout_.lifelines_top = kHeader + (timeline_.title.empty() ? 0 : kLineHeight);
    }

    std::size_t letters(int width) const { return static_cast<std::size_t>((span_ - 14) / width); }

    SvgRow begin(const TimelineRow& row, int top) const {
        SvgRow made;
        made.top = top;
        if (row.key_changed && timeline_.has_key) made.key = key_lines(row);
        return made;
    }

    std::vector<std::string> key_lines(const TimelineRow& row) const {
        const bool none = std::ranges::none_of(row.keys, &std::optional<TimelineKey>::has_value);
        if (none) return {"no key"};
        std::vector<std::string> lines = wrapped(key_text(timeline_, row), kKeyLetters);
        const std::size_t most = 3 * row.keys.size();
        if (lines.size() > most) lines.resize(most);
        return lines;
    }

    void finish(SvgRow& made, int text_bottom) const {
        const int key = made.key_y + static_cast<int>(made.key.size()) * kLineHeight - 6;
        made.height = std::max(text_bottom, made.key.empty() ? 0 : key) + 9 - made.top;
    }

    SvgRow words(const TimelineRow& row, int top) const {
        SvgRow made = begin(row, top);
        const std::string cross = row.kind == Kind::violation ? "✗ " : "";
        const std::size_t most = letters(cross.empty() ? kSansWidth : kMonoWidth);
        made.lines = wrapped(cross + sentence(timeline_, row), most);
        if (!row.detail.empty()) made.details = wrapped(row.detail, letters(kSansWidth));
        made.text_y = top + 15;
        made.lifeline_y = made.key_y = top + 11;
        const std::size_t lines = made.lines.size() + made.details.size();
        finish(made, top + 15 + static_cast<int>(lines - 1) * kLineHeight);
        return made;
    }

    SvgRow arrows(const TimelineRow& row, int top) const {
        const TimelineCommand& command = row.command;
        SvgRow made = begin(row, top);
        int y = top + 15;
        made.text_y = y;
        if (!row.lead.empty()) {
            made.lines = {timeline_.names[*row.client] + " " + row.lead};
            made.lifeline_y = y - 4;
            y += kLineHeight;
        }
        if (command.sent || command.ran) {
            made.request = shortened(request_text(timeline_, row), letters(kMonoWidth));
            made.request_y = y + 6;
            y += 25;
        }
        made.reply = shortened(reply_text(row), letters(kMonoWidth));
        if (command.answered || command.ran) {
            made.reply_y = y + 6;
            y += 6;
        }
        if (made.lifeline_y == 0)
            made.lifeline_y = made.reply_y > 0 ? made.reply_y : made.request_y;
        made.key_y = made.request_y > 0 ? made.request_y : made.reply_y;
        finish(made, y);
        return made;
    }

    const Timeline& timeline_;
    SvgLayout layout_;
    int span_ = kLeastSpan;
};

}  // namespace

SvgLayout lay_out(const Timeline& timeline) { return Sizer(timeline).lay_out(); }

}  // namespace locklab
