#include "harness/explore/shrink.h"

#include <algorithm>

#include "harness/explore/step_text.h"

namespace locklab {

namespace {

/// Whether both are the same step, apart from `ms`: how long time passes depends on the state.
bool is_same(const Step& a, const Step& b) {
    return a.kind == b.kind && a.client == b.client && a.slot == b.slot && a.slow == b.slow;
}

class Shrinker {
public:
    Shrinker(const Algorithm& algorithm, const Bounds& bounds, const Path& path)
        : rules_(algorithm, bounds), best_(path) {
        // A replay or two teach the rules what they must know from the start.
        for (Rules::Lesson told{true, {true, true}, ~std::size_t{0}}; told != rules_.lesson();) {
            rules_.begin_anew();
            told = rules_.lesson();
            replay(path);
        }
        LOCKLAB_ASSERT(try_path(path) && "what is not violated cannot be shrunk");
    }

    Path shrink() {
        set_clocks_right();
        while (leave_out_faults() || leave_out_runs()) {
        }
        return best_;
    }

private:
    void set_clocks_right() {
        for (std::size_t i = 0; i < best_.clocks.size(); ++i) {
            if (best_.clocks[i] == 0) continue;
            Path other = best_;
            other.clocks[i] = 0;
            try_path(other);
        }
    }

    bool leave_out_faults() {
        bool shorter = false;
        for (std::size_t i = best_.steps.size(); i-- > 0;) {
            if (i >= best_.steps.size() || !is_fault(best_.steps[i])) continue;
            if (try_without(i, 1)) shorter = true;
        }
        return shorter;
    }

    /// Tries to drop runs of steps, longer ones first, from the end.
    bool leave_out_runs() {
        bool shorter = false;
        for (std::size_t length = best_.steps.size() / 2; length > 0; length /= 2) {
            for (std::size_t end = best_.steps.size(); end >= length; end -= length) {
                if (end > best_.steps.size()) continue;
                if (try_without(end - length, length)) shorter = true;
            }
        }
        return shorter;
    }

    bool try_without(std::size_t from, std::size_t count) {
        Path other = best_;
        const auto first = other.steps.begin() + static_cast<std::ptrdiff_t>(from);
        other.steps.erase(first, first + static_cast<std::ptrdiff_t>(count));
        return try_path(other);
    }

    bool try_path(const Path& path) {
        std::optional<Path> made = replay(path);
        if (made) best_ = std::move(*made);
        return made.has_value();
    }

    /// Replays the steps that can be made; nothing if the run is not violated.
    std::optional<Path> replay(const Path& path) {
        const std::vector<State>& starts = rules_.initial();
        const auto start = std::find_if(starts.begin(), starts.end(), [&](const State& state) {
            return path_from(rules_, state).clocks == path.clocks;
        });
        LOCKLAB_ASSERT(start != starts.end());
        State state = *start;
        Path made = path_from(rules_, state);
        for (const Step& wanted : path.steps) {
            rules_.offer(state, offered_);
            const auto step =
                std::find_if(offered_.begin(), offered_.end(),
                             [&](const Step& other) { return is_same(wanted, other); });
            if (step == offered_.end()) continue;
            made.steps.push_back(*step);
            state = rules_.after(state, *step);
            if (rules_.is_violated(state)) return made;
        }
        return std::nullopt;
    }

    Rules rules_;
    Path best_;
    std::vector<Step> offered_;
};

}  // namespace

Path shrink(const Algorithm& algorithm, const Bounds& bounds, const Path& path) {
    return Shrinker(algorithm, bounds, path).shrink();
}

}  // namespace locklab
