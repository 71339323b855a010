#include "harness/suite/progress.h"

#include <array>
#include <cmath>

#include "harness/core/counted.h"

namespace locklab {

namespace {

/// Longest wait for the first page, and least time between two.
constexpr double kDrawEvery = 15;
/// Before this, no estimate of the remaining time is shown: it would be wrong.
constexpr double kTooEarly = 3;

/// With more locks than this, only their number is told.
constexpr std::size_t kMostNamed = 4;

std::string about(double seconds) {
    if (seconds < 90) return std::to_string(std::lround(seconds)) + " s";
    return std::to_string(std::lround(seconds / 60)) + " min";
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

}  // namespace

void SuiteProgress::begin_part(std::size_t number, std::size_t of, std::string_view title) {
    part_ =
        "part " + std::to_string(number) + " of " + std::to_string(of) + ", " + std::string(title);
    in_part_ = Stopwatch();
    tell(part_);
}

void SuiteProgress::end_part() {
    if (since_drawn_.seconds() >= kDrawEvery) draw();
}

void SuiteProgress::show(std::string_view what, std::size_t done, std::size_t all) {
    std::string text = part_ + ": ";
    if (all > 0) text += std::to_string(done) + " of " + std::to_string(all) + ", ";
    text += what;
    const double seconds = in_part_.seconds();
    if (done > 0 && seconds > kTooEarly) {
        const double left = seconds * static_cast<double>(all - done) / static_cast<double>(done);
        text += "; about " + about(left) + " left";
    }
    voice_.show(text);
}

void SuiteProgress::decided(std::span<const SuiteCellRow> cells) {
    if (cells.empty()) return;
    std::string text = padded(std::string(name_of(cells[0].world)), 6) +
                       padded(std::string(name_of(cells[0].hazard)), 20);
    constexpr std::array kWorstFirst{Verdict::violated, Verdict::stuck, Verdict::unknown,
                                     Verdict::not_seen, Verdict::holds};
    const char* between = "";
    for (const Verdict verdict : kWorstFirst) {
        std::string names;
        std::size_t count = 0;
        for (const SuiteCellRow& row : cells) {
            if (row.cell.verdict != verdict) continue;
            names += (count++ == 0 ? "" : ", ") + row.cell.algorithm;
        }
        if (count == 0) continue;
        text += between + std::string(name_of(verdict)) + " " +
                (count > kMostNamed ? counted(count, "lock") : names);
        between = "; ";
    }
    voice_.line("  " + text);
}

void SuiteProgress::can_draw() {
    if (!drawn_ && since_drawn_.seconds() >= kDrawEvery) draw();
}

void SuiteProgress::draw() {
    draw_();
    drawn_ = true;
    since_drawn_ = Stopwatch();
}

}  // namespace locklab
