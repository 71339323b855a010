#include "harness/view/timeline_steps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/view/timeline_text.h"
#include "tests/view/timeline_scenes.h"
#include "tests/view/told_lines.h"

namespace locklab::timeline_steps_test {
namespace {

std::vector<ToldLine> told(const std::vector<TimelineStep>& steps) {
    std::vector<ToldLine> lines;
    for (const TimelineStep& step : steps) {
        lines.push_back({step.time, step.words});
        for (const TimelineStep::Mark& mark : step.marks) lines.push_back({"✗", mark.words});
    }
    return lines;
}

TEST(TimelineSteps, are_the_rows_of_the_text) {
    for (const Scene& scene : {slow_holder(), crashed_holder(), late_delete(), paused_between(),
                               bad_network(), crowd(), Scene{}}) {
        const Timeline timeline = make_timeline(scene);
        const std::string text = to_text(timeline);
        const std::vector<ToldLine> lines = told(steps_of(timeline));
        EXPECT_EQ(misfit_of(text, lines), "") << text;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].time.empty()) continue;
            std::vector<ToldLine> less = lines;
            less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
            EXPECT_NE(misfit_of(text, less), "") << i << text;
        }
    }
}

TEST(TimelineSteps, have_the_violations_that_follow) {
    const std::vector<TimelineStep> steps = steps_of(make_timeline(slow_holder()));
    ASSERT_GE(steps.size(), 5U);
    EXPECT_EQ(name_of(steps[0].kind), "command");
    EXPECT_EQ(steps[0].time, "0.000");
    EXPECT_EQ(steps[0].inside, std::vector<std::string>{"A"});
    EXPECT_TRUE(steps[0].key_changed);
    EXPECT_TRUE(steps[0].marks.empty());
    EXPECT_EQ(name_of(steps[1].kind), "gap");
    EXPECT_EQ(steps[1].time, "");
    const std::vector<std::string> both{"A", "B"};
    EXPECT_EQ(steps[4].inside, both);
    ASSERT_EQ(steps[4].marks.size(), 1U);
    EXPECT_EQ(steps[4].marks[0].words, "A and B are inside at once for 1 s");
    EXPECT_TRUE(steps[4].marks[0].cause.starts_with("expired_while_held"));
}

TEST(TimelineSteps, begin_with_one_even_if_something_is_wrong_at_once) {
    Timeline timeline;
    timeline.rows.resize(3);
    timeline.rows[0].kind = timeline.rows[1].kind = TimelineRow::Kind::violation;
    EXPECT_EQ(step_numbers(timeline), (std::vector<std::size_t>{1, 1, 2}));
    EXPECT_EQ(steps_of(timeline).size(), 2U);
    EXPECT_EQ(steps_of(timeline)[0].marks.size(), 1U);
}

}  // namespace
}  // namespace locklab::timeline_steps_test
