#include "harness/view/timeline_steps.h"

#include <utility>

#include "harness/view/timeline_words.h"

namespace locklab {

namespace {

using Kind = TimelineRow::Kind;

TimelineStep step_of(const Timeline& timeline, const TimelineRow& row) {
    TimelineStep step;
    step.kind = row.kind;
    const bool timed =
        row.kind != Kind::gap && row.kind != Kind::remark && row.kind != Kind::violation;
    if (timed) step.time = seconds_text(row.at);
    step.words = sentence(timeline, row);
    if (row.kind == Kind::remark) step.words = "(" + step.words + ")";
    if (timeline.has_key) step.key = key_text(timeline, row);
    step.key_changed = row.key_changed;
    for (std::size_t i = 0; i < row.lifelines.size(); ++i) {
        if (row.lifelines[i].inside) step.inside.push_back(timeline.names[i]);
    }
    return step;
}

}  // namespace

std::vector<std::size_t> step_numbers(const Timeline& timeline) {
    std::vector<std::size_t> numbers;
    std::size_t step = 0;
    for (const TimelineRow& row : timeline.rows) {
        if (row.kind != Kind::violation || step == 0) ++step;
        numbers.push_back(step);
    }
    return numbers;
}

std::vector<TimelineStep> steps_of(const Timeline& timeline) {
    const std::vector<std::size_t> numbers = step_numbers(timeline);
    std::vector<TimelineStep> steps;
    for (std::size_t r = 0; r < timeline.rows.size(); ++r) {
        const TimelineRow& row = timeline.rows[r];
        if (numbers[r] > steps.size()) {
            steps.push_back(step_of(timeline, row));
        } else {
            steps.back().marks.push_back({sentence(timeline, row), row.detail});
        }
    }
    return steps;
}

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::gap: return "gap";
        case Kind::command: return "command";
        case Kind::repeats: return "repeats";
        case Kind::note: return "note";
        case Kind::fault: return "fault";
        case Kind::expired: return "expired";
        case Kind::remark: return "remark";
        case Kind::violation: return "violation";
        case Kind::stuck: return "stuck";
    }
    return "note";
}

}  // namespace locklab
