#include "harness/view/timeline_svg.h"

#include <algorithm>
#include <string_view>

#include "harness/view/svg_shapes.h"
#include "harness/view/timeline_svg_layout.h"
#include "harness/view/timeline_svg_lifelines.h"
#include "harness/view/timeline_words.h"

namespace locklab {

namespace {

using Kind = TimelineRow::Kind;
using Fate = TimelineCommand::Fate;

/// Greatest width of a character of the title.
constexpr int kTitleWidth = 9;

constexpr std::string_view kStyle = R"css(
.timeline { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.timeline .paper { fill: #ffffff; }
.timeline text { fill: #1f1f1f; }
.timeline .mono { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.timeline .title { font-size: 15px; font-weight: 600; }
.timeline .time { fill: #5c5c5c; text-anchor: end; font-variant-numeric: tabular-nums; }
.timeline .dim { fill: #5c5c5c; }
.timeline .slant { font-style: italic; }
.timeline .head-name { font-weight: 600; text-anchor: middle; }
.timeline .in-bar { font-size: 10px; font-weight: 600; text-anchor: middle; }
.timeline .wrong { fill: #a33f00; font-weight: 600; }
.timeline .band { fill: #d55e00; fill-opacity: 0.13; }
.timeline .overlap { fill: #d55e00; fill-opacity: 0.28; }
.timeline .struck { fill: #7f7f7f; fill-opacity: 0.13; }
.timeline .life { stroke: #b4b4b4; }
.timeline .edge, .timeline .box { stroke: #3a3a3a; }
.timeline .box { fill: #f1f1f1; }
.timeline .ttl { fill-opacity: 0.75; }
.timeline .nobody { fill: #999999; }
.timeline .call { stroke: #1f1f1f; stroke-width: 1.3; }
.timeline .answer { stroke: #1f1f1f; stroke-dasharray: 5 3; }
.timeline .leader { stroke: #8a8a8a; stroke-dasharray: 1 3; }
.timeline .head { fill: #1f1f1f; }
.timeline .dot { fill: #1f1f1f; }
.timeline .ring { fill: #ffffff; stroke: #1f1f1f; stroke-width: 1.5; }
.timeline .gone, .timeline .dead { stroke: #a33f00; stroke-width: 2.5; }
.timeline .dead { stroke: #1f1f1f; }
.timeline .paused { fill: url(#timeline-hatch); stroke: #6f6f6f; }
.timeline .hatch { stroke: #6f6f6f; stroke-width: 2.5; }
.timeline .c0 { fill: #0072b2; } .timeline .c1 { fill: #e69f00; }
.timeline .c2 { fill: #009e73; } .timeline .c3 { fill: #cc79a7; }
.timeline .c4 { fill: #56b4e9; } .timeline .c5 { fill: #f0e442; }
.timeline .c6 { fill: #6b6b6b; } .timeline .c7 { fill: #b3b3b3; }
.timeline text.on-light { fill: #000000; } .timeline text.on-dark { fill: #ffffff; }
@media screen and (prefers-color-scheme: dark) {
.timeline .paper { fill: #15181c; }
.timeline text { fill: #ececec; }
.timeline .time, .timeline .dim { fill: #b0b0b0; }
.timeline .in-bar { font-size: 10px; font-weight: 600; text-anchor: middle; }
.timeline .wrong { fill: #ffa366; }
.timeline .band { fill-opacity: 0.22; } .timeline .overlap { fill-opacity: 0.42; }
.timeline .life { stroke: #5a5f66; }
.timeline .edge, .timeline .box { stroke: #c8c8c8; }
.timeline .box { fill: #2a2f36; }
.timeline .call, .timeline .answer, .timeline .dead { stroke: #ececec; }
.timeline .head, .timeline .dot { fill: #ececec; }
.timeline .ring { fill: #15181c; stroke: #ececec; }
.timeline .gone { stroke: #ffa366; }
.timeline .paused, .timeline .hatch { stroke: #a9a9a9; }
}
)css";

class Picture {
public:
    explicit Picture(const Timeline& timeline) : timeline_(timeline), layout_(lay_out(timeline)) {}

    std::string draw() {
        shapes_.rect("paper", 0, 0, layout_.width, layout_.height);
        for (std::size_t r = 0; r < layout_.rows.size(); ++r) band(r);
        draw_lifelines(shapes_, timeline_, layout_);
        heads();
        for (std::size_t r = 0; r < layout_.rows.size(); ++r) row(r);
        legend();
        return opening() + shapes_.markup() + "</svg>\n";
    }

private:
    std::string verdict() const {
        const std::string what = timeline_.algorithm.empty() ? "" : timeline_.algorithm + ": ";
        // A cross below marks another client's key that was changed; mutual exclusion held anyway.
        const bool crossed =
            std::any_of(timeline_.rows.begin(), timeline_.rows.end(),
                        [](const TimelineRow& row) { return row.kind == Kind::violation; });
        if (timeline_.verdict == "holds" && crossed) {
            return what + "no two clients inside at once, but see ✗";
        }
        return what + timeline_.verdict;
    }
    std::string race() const {
        const int room = (layout_.width - 32) / kTitleWidth;
        return shortened(timeline_.title, static_cast<std::size_t>(std::max(room, 1)));
    }

    std::string description() const {
        std::string text;
        for (const TimelineRow& row : timeline_.rows) {
            if (row.kind == Kind::violation || row.kind == Kind::stuck) {
                text += sentence(timeline_, row) + ". ";
            }
        }
        return text.empty() ? "A sequence diagram of one run. Nothing goes wrong." : text;
    }

    std::string opening() const {
        const std::string size = std::to_string(layout_.width) + "\" height=\"" +
                                 std::to_string(layout_.height) + "\" viewBox=\"0 0 " +
                                 std::to_string(layout_.width) + " " +
                                 std::to_string(layout_.height);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline\" role=\"img\" "
               "aria-labelledby=\"timeline-title timeline-desc\" width=\"" +
               size + "\">\n<title id=\"timeline-title\">" +
               xml_escaped(timeline_.title.empty() ? verdict()
                                                   : timeline_.title + " (" + verdict() + ")") +
               "</title>\n<desc id=\"timeline-desc\">" + xml_escaped(description()) +
               "</desc>\n<style>" + std::string(kStyle) +
               "</style>\n<defs><pattern id=\"timeline-hatch\" width=\"7\" height=\"7\" "
               "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
               "<line class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"7\"/></pattern></defs>\n";
    }

    void head(std::string_view look, std::string_view words, std::string_view name, int x,
              int width) {
        shapes_.rect(look, x - width / 2, layout_.lifelines_top - 30, width, 26, 4);
        shapes_.text(words, x, layout_.lifelines_top - 13, name);
    }

    void heads() {
        shapes_.text("title", 16, 30, timeline_.title.empty() ? verdict() : race());
        if (!timeline_.title.empty()) shapes_.text("dim", 16, 30 + kLineHeight, verdict());
        shapes_.text("time", layout_.time_x, layout_.lifelines_top - 13, "time, s");
        for (std::size_t i = 0; i < timeline_.names.size(); ++i) {
            head("edge " + client_look(i), words_on(i, "head-name"),
                 shortened(timeline_.names[i], 10), layout_.client_x[i],
                 layout_.lifeline_width - 14);
        }
        head("box", "head-name", "Redis", layout_.redis_x, 64);
        if (!timeline_.has_key) return;
        head("box", "head-name", "the lock's key", layout_.key_x + 76, 152);
    }

    void band(std::size_t r) {
        const Kind kind = timeline_.rows[r].kind;
        const SvgRow& at = layout_.rows[r];
        const bool wrong = kind == Kind::violation || kind == Kind::stuck;
        if (!wrong && kind != Kind::fault) return;
        const int left = layout_.time_x + 6;
        shapes_.begin_step("lifeline", at.step);
        shapes_.rect(wrong ? "band" : "struck", left, at.top, layout_.redis_x - 14 - left,
                     at.height - 2, 3);
        shapes_.end_step();
    }

    void row(std::size_t r) {
        const TimelineRow& what = timeline_.rows[r];
        const SvgRow& at = layout_.rows[r];
        const bool timed = what.kind != Kind::gap && what.kind != Kind::violation;
        shapes_.begin_step("row", at.step);
        if (timed) shapes_.text("time", layout_.time_x, at.text_y, seconds_text(what.at));
        int y = at.text_y;
        for (const std::string& line : at.lines) {
            shapes_.text(look_of(what.kind), layout_.span_left, y, line);
            y += kLineHeight;
        }
        for (const std::string& line : at.details) {
            shapes_.text("words", layout_.span_left, y, line);
            y += kLineHeight;
        }
        if (!at.lines.empty()) pointer(what, at);
        if (at.request_y > 0) request(what, at);
        if (at.reply_y > 0) reply(what, at);
        y = at.key_y + 4;
        for (const std::string& line : at.key) {
            shapes_.text("words", layout_.key_text_x, y, line);
            y += kLineHeight;
        }
        shapes_.end_step();
    }

    static std::string_view look_of(Kind kind) {
        switch (kind) {
            case Kind::gap: return "dim slant";
            case Kind::remark: return "slant";
            case Kind::violation:
            case Kind::stuck: return "wrong";
            default: return "words";
        }
    }

    /// Draws a line from the actor to the sentence.
    void pointer(const TimelineRow& what, const SvgRow& at) {
        const int y = at.text_y - 4;
        if (what.kind == Kind::expired) {
            shapes_.line("leader", layout_.redis_x, y, layout_.key_x + kKeyBar, y);
            shapes_.circle("dot", layout_.key_x, y, 3);
        } else if (what.client && what.kind != Kind::violation) {
            const int x = layout_.client_x[*what.client];
            shapes_.line("leader", x, y, layout_.span_left - 4, y);
            if (!what.lifelines[*what.client].crashed) shapes_.circle("dot", x, y, 3);
        } else if (what.kind == Kind::fault) {
            shapes_.circle("dot", layout_.redis_x, y, 4);
        }
    }

    void request(const TimelineRow& what, const SvgRow& at) {
        const TimelineCommand& command = what.command;
        const int y = at.request_y;
        const int from = layout_.client_x[*what.client];
        shapes_.text("mono", layout_.span_left, y - 6, at.request);
        const bool late = command.ran && !command.sent && !command.again;
        if (command.ran) {
            shapes_.arrow("call", late ? layout_.span_left - 12 : from, layout_.redis_x - 4, y);
            if (late) shapes_.circle("ring", layout_.span_left - 12, y, 4);
            shapes_.rect("box", layout_.redis_x - 4, y - 5, 8, 24, 1);
            return;
        }
        const int end = layout_.redis_x - 70;
        shapes_.line("call", from, y, end, y);
        if (command.fate == Fate::request_lost) {
            shapes_.cross("gone", end + 6, y, 6);
        } else {
            shapes_.circle("ring", end + 4, y, 4);
        }
        shapes_.text("dim", layout_.span_left, y + 15, at.reply);
    }

    void reply(const TimelineRow& what, const SvgRow& at) {
        const TimelineCommand& command = what.command;
        const int y = at.reply_y;
        shapes_.text("mono", layout_.span_left, y - 6, at.reply);
        const int from = layout_.redis_x - 4;
        if (command.answered) {
            const bool bar = what.lifelines[*what.client].inside;
            shapes_.arrow("answer", from, layout_.client_x[*what.client] + (bar ? 9 : 2), y);
            return;
        }
        const int end = layout_.span_left - 8;
        shapes_.line("answer", from, y, end, y);
        const bool lost = command.fate == Fate::reply_lost || command.fate == Fate::sent_again;
        if (lost && !command.again) {
            shapes_.cross("gone", end - 6, y, 5);
        } else {
            shapes_.circle("ring", end - 4, y, 4);
        }
    }

    void legend() {
        const int y = layout_.lifelines_bottom + 30;
        int x = 16;
        const auto entry = [&](std::string_view look, int width, std::string_view words) {
            shapes_.rect(look, x, y - 11, width, 13, 2);
            shapes_.text("dim", x + width + 6, y, words);
            x += width + 6 + static_cast<int>(words.size()) * kSansWidth + 12;
        };
        entry("edge c0", 12, "inside the lock");
        entry("overlap", 22,
              timeline_.permits == 1 ? "two inside at once" : "too many inside at once");
        entry("paused", 20, "paused");
        if (timeline_.has_key) entry("ttl c0", 30, "key, as wide as its time left");
        const std::string_view words =
            "solid arrow: command; dashed: reply; ring: still under way; cross: lost, or crashed";
        shapes_.text("dim", 16, y + 24, words);
    }

    const Timeline& timeline_;
    const SvgLayout layout_;
    SvgShapes shapes_;
};

}  // namespace

std::string to_svg(const Timeline& timeline) { return Picture(timeline).draw(); }

}  // namespace locklab
