// Messages of a running suite: the current part, its progress and remaining time, and each verdict
// as soon as it is decided. It also decides when the page is written again.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "harness/record/stopwatch.h"
#include "harness/suite/cell_row.h"

namespace locklab {

/// Receivers of the messages. Both are called by one thread at a time.
struct SuiteVoice {
    std::function<void(std::string_view text)> show;    ///< replaces what was shown before
    std::function<void(const std::string& line)> line;  ///< stays
};

class SuiteProgress {
public:
    /// `draw` writes the page with the results so far.
    SuiteProgress(SuiteVoice voice, std::function<void()> draw)
        : voice_(std::move(voice)), draw_(std::move(draw)) {}

    void begin_part(std::size_t number, std::size_t of, std::string_view title);
    /// Call it after the part's rows were saved.
    void end_part();

    /// Shows the current work; `done` of `all` steps are over (0 of 0: not known). Only on a
    /// terminal.
    void show(std::string_view what, std::size_t done = 0, std::size_t all = 0);
    /// Prints the verdicts of cells of one hazard in one world, as a line that stays.
    void decided(std::span<const SuiteCellRow> cells);
    /// Prints a sentence that stays.
    void tell(const std::string& sentence) const { voice_.line("locklab: " + sentence); }
    /// Call it during a part. Draws if there is no page yet and it is due.
    void can_draw();

private:
    void draw();

    SuiteVoice voice_;
    std::function<void()> draw_;
    std::string part_;
    Stopwatch in_part_;
    Stopwatch since_drawn_;
    bool drawn_ = false;
};

}  // namespace locklab
