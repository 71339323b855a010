#include "harness/foreign/play_lateness.h"

#include <algorithm>

namespace locklab {

namespace {

/// Adds the stretch `times` times: once, or -1 times to take it away.
void add_to(PlayLateness::Stretch& sum, const PlayLateness::Stretch& stretch, int times = 1) {
    sum.late += times * stretch.late;
    sum.machine += times * stretch.machine;
    sum.own += times * stretch.own;
    sum.step += times * stretch.step;
}

}  // namespace

void PlayLateness::add(const Stretch& stretch) { stretches_.push_back(stretch); }

PlayLateness::Stretch PlayLateness::worst(Duration window) const {
    Stretch sum;
    Stretch worst;
    std::size_t first = 0;
    for (const Stretch& last : stretches_) {
        add_to(sum, last);
        for (; stretches_[first].end <= last.end - window; ++first) {
            add_to(sum, stretches_[first], -1);
        }
        if (sum.late > worst.late) worst = sum;
    }
    return worst;
}

PlayLateness::Found PlayLateness::more_than(Duration most, Duration window) const {
    Stretch found = worst(window);
    if (found.late <= most) {
        const auto longest = std::ranges::max_element(stretches_, {}, &Stretch::length);
        if (longest == stretches_.end() || longest->length <= most) return {};
        found = *longest;
        found.late = found.length;
    }
    Duration left = found.late;
    if ((left -= found.machine) <= most) return {"the machine was late each time", true};
    if ((left -= found.step) <= most) return {"its driver was too slow by itself in each step"};
    if ((left -= found.own) <= most) {
        return {"its own waiting, between tries or at a server, took too long each time"};
    }
    return {"its clients send so much that the play does not keep up with them"};
}

}  // namespace locklab
