#include "harness/view/timeline_svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "harness/view/timeline_steps.h"
#include "harness/view/timeline_svg_layout.h"
#include "harness/view/timeline_words.h"
#include "tests/view/timeline_scenes.h"

namespace locklab::timeline_svg_test {
namespace {

std::vector<Scene> all_scenes() {
    return {slow_holder(), crashed_holder(), late_delete(), paused_between(),
            bad_network(), crowd(),          Scene{}};
}

/// What is wrong with it as XML; empty if nothing is. It knows what our pictures are made of.
std::string malformed(std::string_view xml) {
    std::vector<std::string> open;
    for (std::size_t at = 0; at < xml.size();) {
        const std::size_t begin = xml.find_first_of("<&", at);
        if (begin == std::string_view::npos) break;
        if (xml[begin] == '&') {
            const std::string_view rest = xml.substr(begin);
            const bool entity = rest.starts_with("&amp;") || rest.starts_with("&lt;") ||
                                rest.starts_with("&gt;") || rest.starts_with("&quot;");
            if (!entity) return "a bare & at " + std::to_string(begin);
            at = begin + 1;
            continue;
        }
        const std::size_t end = xml.find('>', begin);
        if (end == std::string_view::npos) return "an open <";
        const std::string_view tag = xml.substr(begin + 1, end - begin - 1);
        if (tag.find('<') != std::string_view::npos) return "a < inside of " + std::string(tag);
        const std::string name(tag.substr(0, tag.find_first_of(" /", 1)));
        if (tag.starts_with('/')) {
            if (open.empty() || "/" + open.back() != tag) return "an unmatched " + std::string(tag);
            open.pop_back();
        } else if (!tag.ends_with('/')) {
            open.push_back(name);
        }
        at = end + 1;
    }
    return open.empty() ? "" : "never closed: " + open.back();
}

TEST(TimelineSvg, a_picture_with_a_cross_in_it_is_not_titled_holds) {
    Timeline timeline = make_timeline(late_delete());
    timeline.verdict = "holds";
    const bool crossed = std::any_of(
        timeline.rows.begin(), timeline.rows.end(),
        [](const TimelineRow& row) { return row.kind == TimelineRow::Kind::violation; });
    ASSERT_TRUE(crossed);
    const std::string svg = to_svg(timeline);
    EXPECT_EQ(svg.find("holds"), std::string::npos) << svg;
    EXPECT_NE(svg.find("but see ✗"), std::string::npos) << svg;
    timeline.rows.clear();
    EXPECT_NE(to_svg(timeline).find("holds"), std::string::npos);
}

TEST(TimelineSvg, is_well_formed) {
    for (const Scene& scene : all_scenes()) {
        const std::string svg = to_svg(make_timeline(scene));
        EXPECT_EQ(malformed(svg), "") << svg;
        EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"")) << svg;
        EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
        EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
    }
}

TEST(TimelineSvg, says_of_which_step_each_row_and_each_bar_is) {
    for (const Scene& scene : all_scenes()) {
        const Timeline timeline = make_timeline(scene);
        const std::string svg = to_svg(timeline);
        std::vector<std::size_t> rows;
        const std::string_view row = "<g class=\"row\" data-step=\"";
        for (auto at = svg.find(row); at != std::string::npos; at = svg.find(row, at + 1)) {
            rows.push_back(std::stoul(svg.substr(at + row.size(), 6)));
        }
        EXPECT_EQ(rows, step_numbers(timeline));
    }
    // B comes in with the fifth step, and so does the overlap; the bar is of its first step.
    const std::string svg = to_svg(make_timeline(slow_holder()));
    const std::string first = "<g class=\"lifeline\" data-step=\"5\">\n<rect class=\"";
    EXPECT_NE(svg.find(first + "overlap"), std::string::npos) << svg;
    EXPECT_NE(svg.find(first + "edge c1"), std::string::npos);
    EXPECT_NE(svg.find(first + "band"), std::string::npos);
    EXPECT_NE(svg.find("<g class=\"lifeline\" data-step=\"1\">\n<rect class=\"edge c0"),
              std::string::npos);
}

TEST(TimelineSvg, knows_malformed_from_well_formed) {
    EXPECT_EQ(malformed("<a b=\"c\"><d/>&lt;</a>"), "");
    EXPECT_NE(malformed("<a><b></a>"), "");
    EXPECT_NE(malformed("<a>&</a>"), "");
    EXPECT_NE(malformed("<a>"), "");
}

TEST(TimelineSvg, describes_what_goes_wrong) {
    const std::string svg = to_svg(make_timeline(slow_holder()));
    EXPECT_NE(svg.find("<desc id=\"timeline-desc\">A and B are inside at once for 1 s. "
                       "A deletes the key of B. "),
              std::string::npos)
        << svg;
    EXPECT_NE(svg.find("class=\"overlap\""), std::string::npos);
    EXPECT_EQ(to_svg(make_timeline(crashed_holder())).find("<rect class=\"overlap\" x=\"94"),
              std::string::npos);
}

TEST(TimelineSvg, marks_only_those_who_are_too_many) {
    const auto drawn = [](std::uint32_t clients) {
        SceneStory scene;
        for (std::uint32_t i = 0; i < clients; ++i) {
            scene.named(std::string(1, static_cast<char>('A' + i)));
            scene.at(10 * i).note(i, Phase::inside,
                                  event::Granted{i + 1, Token{}, Duration(0), 0, Mode::shared});
        }
        Scene shared = scene.end(1'000);
        shared.history.permits = 2;
        return to_svg(make_timeline(shared));
    };
    EXPECT_EQ(drawn(2).find("inside at once for"), std::string::npos);
    const std::string three = drawn(3);
    EXPECT_NE(three.find("C is one of 3 inside at once, which is too many"), std::string::npos)
        << three;
    EXPECT_NE(three.find("too many inside at once"), std::string::npos);
    const auto bars = [](const std::string& svg) {
        std::size_t count = 0;
        for (std::size_t at = 0; (at = svg.find("class=\"overlap\"", at)) != std::string::npos;
             ++at) {
            ++count;
        }
        return count;
    };
    EXPECT_EQ(bars(drawn(2)) + 1, bars(three)) << "the legend has one, too";
}

TEST(TimelineSvg, gives_every_row_and_every_text_its_own_room) {
    for (const Scene& scene : all_scenes()) {
        const Timeline timeline = make_timeline(scene);
        const SvgLayout layout = lay_out(timeline);
        const auto room = static_cast<std::size_t>(layout.redis_x - layout.span_left);
        ASSERT_EQ(layout.rows.size(), timeline.rows.size());
        EXPECT_GE(layout.width, 640);
        int bottom = layout.lifelines_top;
        for (const SvgRow& row : layout.rows) {
            EXPECT_GE(row.top, bottom);
            bottom = row.top + row.height;
            const auto lines = static_cast<int>(row.lines.size() + row.details.size());
            EXPECT_GE(bottom, row.text_y + (lines - 1) * kLineHeight);
            for (const std::string& line : row.lines) {
                EXPECT_LE(columns_of(line) * kSansWidth, room) << line;
            }
            EXPECT_LE(columns_of(row.request) * kMonoWidth, room) << row.request;
            EXPECT_LE(columns_of(row.reply) * kMonoWidth, room) << row.reply;
        }
        EXPECT_LE(bottom, layout.lifelines_bottom);
    }
}

}  // namespace
}  // namespace locklab::timeline_svg_test
