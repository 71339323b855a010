// What a suite says on stderr while it runs: which part of how many, how far it is and how long
// that part may still take, and each verdict as soon as it is decided. It also knows when the page
// is to be written again.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "harness/cli/progress.h"
#include "harness/cli/stopwatch.h"

namespace locklab {

class SuiteProgress {
public:
    /// `draw` writes the page of what there is so far.
    explicit SuiteProgress(std::function<void()> draw) : draw_(std::move(draw)) {}

    void begin_part(std::size_t number, std::size_t of, std::string_view title);
    /// After the part's rows were saved.
    void end_part();

    /// What it is at; `done` of `all` steps are over (0 of 0: not known). Seen on a terminal only.
    void show(std::string_view what, std::size_t done = 0, std::size_t all = 0);
    /// The verdicts of the rows from `first` on, of one hazard in one world, as a line that stays.
    void decided(const nlohmann::ordered_json& cells, std::size_t first);
    /// In the middle of a part. Draws if there is no page yet and it has been waited for.
    void can_draw();

private:
    void draw();

    std::function<void()> draw_;
    ProgressLine line_;
    std::string part_;
    Stopwatch in_part_;
    Stopwatch since_drawn_;
    bool drawn_ = false;
};

}  // namespace locklab
