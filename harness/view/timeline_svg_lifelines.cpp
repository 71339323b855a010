#include "harness/view/timeline_svg_lifelines.h"

#include <algorithm>
#include <optional>

#include "harness/view/timeline_words.h"

namespace locklab {

namespace {

constexpr int kInside = 14;  ///< width of the bar of a client that is inside
constexpr int kLeastKey = 5;
constexpr std::size_t kColours = 8;

std::string first_letter(const std::string& name) {
    return columns_of(name) == 1 ? name : name.substr(0, 1);
}

class Lifelines {
public:
    Lifelines(SvgShapes& shapes, const Timeline& timeline, const SvgLayout& layout)
        : shapes_(shapes), timeline_(timeline), layout_(layout) {}

    void draw() {
        overlaps();
        const int top = layout_.lifelines_top;
        shapes_.line("life", layout_.redis_x, top, layout_.redis_x, layout_.lifelines_bottom);
        for (std::size_t i = 0; i < timeline_.names.size(); ++i) lifeline(i);
        if (timeline_.has_key) key();
    }

private:
    /// Calls `act(first, to)` for each stretch of rows in which `holds` is true.
    template <class Holds, class Act>
    void stretches(const Holds& holds, const Act& act) const {
        const SvgRow* first = nullptr;
        for (std::size_t r = 0; r < layout_.rows.size(); ++r) {
            const bool now = holds(timeline_.rows[r]);
            if (now && first == nullptr) first = &layout_.rows[r];
            if (!now && first != nullptr) act(*first, layout_.rows[r].lifeline_y);
            if (!now) first = nullptr;
        }
        if (first != nullptr) act(*first, layout_.lifelines_bottom);
    }

    void lifeline(std::size_t client) {
        const int x = layout_.client_x[client];
        const SvgRow* crash = nullptr;
        stretches([&](const TimelineRow& row) { return row.lifelines[client].crashed; },
                  [&](const SvgRow& first, int) { crash = &first; });
        const int bottom = crash == nullptr ? layout_.lifelines_bottom : crash->lifeline_y;
        shapes_.line("life", x, layout_.lifelines_top, x, bottom);
        stretches([&](const TimelineRow& row) { return row.lifelines[client].inside; },
                  [&](const SvgRow& first, int to) { stay(client, first, to); });
        stretches([&](const TimelineRow& row) { return row.lifelines[client].paused; },
                  [&](const SvgRow& first, int to) {
                      const int from = first.lifeline_y;
                      shapes_.begin_step("lifeline", first.step);
                      shapes_.rect("paused", x - 12, from, 24, std::max(to - from, 4), 2);
                      shapes_.end_step();
                  });
        if (crash == nullptr) return;
        shapes_.begin_step("lifeline", crash->step);
        shapes_.cross("dead", x, bottom, 7);
        shapes_.end_step();
    }

    void stay(std::size_t client, const SvgRow& first, int to) {
        const int x = layout_.client_x[client];
        const int from = first.lifeline_y;
        const int height = std::max(to - from, 4);
        shapes_.begin_step("lifeline", first.step);
        shapes_.rect("edge " + client_look(client), x - kInside / 2, from, kInside, height, 2);
        if (height >= 30) {
            shapes_.text(words_on(client, "in-bar"), x, from + 13,
                         first_letter(timeline_.names[client]));
        }
        shapes_.end_step();
    }

    bool is_too_many(const TimelineRow& row) const {
        Crowd inside;
        for (const Lifeline& lifeline : row.lifelines) {
            if (lifeline.inside) inside.add(lifeline.mode);
        }
        return !inside.is_allowed(timeline_.permits);
    }

    void overlaps() {
        std::size_t first = 0;
        while (first < layout_.rows.size()) {
            const TimelineRow& row = timeline_.rows[first];
            std::size_t next = first + 1;
            if (is_too_many(row)) {
                while (next < layout_.rows.size() && same(row, timeline_.rows[next])) ++next;
                overlap(row, layout_.rows[first],
                        next < layout_.rows.size() ? layout_.rows[next].lifeline_y
                                                   : layout_.lifelines_bottom);
            }
            first = next;
        }
    }
    static bool same(const TimelineRow& a, const TimelineRow& b) {
        return std::ranges::equal(a.lifelines, b.lifelines, {}, &Lifeline::inside,
                                  &Lifeline::inside);
    }
    void overlap(const TimelineRow& row, const SvgRow& first, int to) {
        int left = layout_.width;
        int right = 0;
        for (std::size_t i = 0; i < row.lifelines.size(); ++i) {
            if (!row.lifelines[i].inside) continue;
            left = std::min(left, layout_.client_x[i] - 18);
            right = std::max(right, layout_.client_x[i] + 18);
        }
        shapes_.begin_step("lifeline", first.step);
        shapes_.rect("overlap", left, first.lifeline_y, right - left, to - first.lifeline_y);
        shapes_.end_step();
    }

    /// The width of the key's bar at an instant, if `servers` share its room.
    int bar(const TimelineKey& key, Instant at, std::size_t servers) const {
        const int most = servers == 1 ? kKeyBar : kKeyBar / static_cast<int>(servers) - 4;
        if (!key.deadline || timeline_.longest_ttl <= Duration::zero()) return most;
        const double left = static_cast<double>(us(*key.deadline - at));
        const double whole = static_cast<double>(us(timeline_.longest_ttl));
        return std::clamp(static_cast<int>(most * left / whole), std::min(kLeastKey, most), most);
    }

    /// Rows that do not change the key: its bar passes them in one piece.
    static bool runs_on(TimelineRow::Kind kind) {
        return kind == TimelineRow::Kind::gap || kind == TimelineRow::Kind::violation;
    }

    void key() {
        shapes_.line("life", layout_.key_x, layout_.lifelines_top, layout_.key_x,
                     layout_.lifelines_bottom);
        for (std::size_t r = 0; r < layout_.rows.size();) {
            const TimelineRow& row = timeline_.rows[r];
            std::size_t next = r + 1;
            while (next < layout_.rows.size() && runs_on(timeline_.rows[next].kind)) ++next;
            const bool last = next == layout_.rows.size();
            for (std::size_t i = 0; i < row.keys.size(); ++i) {
                if (!row.keys[i]) continue;
                const TimelineKey& key = *row.keys[i];
                const int wide = bar(key, row.at, row.keys.size());
                // The renewals that one row counts keep the key alive meanwhile.
                const bool kept = last || timeline_.rows[next].kind == TimelineRow::Kind::repeats;
                const int narrow = kept ? wide : bar(key, timeline_.rows[next].at, row.keys.size());
                shapes_.begin_step("lifeline", layout_.rows[r].step);
                trapezium(key.owner,
                          layout_.key_x +
                              kKeyBar * static_cast<int>(i) / static_cast<int>(row.keys.size()),
                          layout_.rows[r].key_y,
                          last ? layout_.lifelines_bottom : layout_.rows[next].key_y, wide, narrow);
                shapes_.end_step();
            }
            r = next;
        }
    }
    void trapezium(std::optional<std::uint32_t> owner, int x, int from, int to, int wide,
                   int narrow) {
        const auto point = [](int across, int down) {
            return std::to_string(across) + "," + std::to_string(down) + " ";
        };
        shapes_.polygon(
            "ttl " + (owner ? client_look(*owner) : std::string("nobody")),
            point(x, from) + point(x + wide, from) + point(x + narrow, to) + point(x, to));
    }

    SvgShapes& shapes_;
    const Timeline& timeline_;
    const SvgLayout& layout_;
};

}  // namespace

std::string words_on(std::size_t client, std::string_view look) {
    const bool dark = client % kColours == 0 || client % kColours == 6;
    return std::string(look) + (dark ? " on-dark" : " on-light");
}

std::string client_look(std::size_t client) { return "c" + std::to_string(client % kColours); }

void draw_lifelines(SvgShapes& shapes, const Timeline& timeline, const SvgLayout& layout) {
    Lifelines(shapes, timeline, layout).draw();
}

}  // namespace locklab
