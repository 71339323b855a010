// Records the picks of another Choices, and replays recorded picks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "harness/core/choices.h"

namespace locklab {

using Picks = std::vector<std::uint32_t>;

class RecordingChoices final : public Choices {
public:
    /// `inner` must outlive the recorder.
    explicit RecordingChoices(Choices& inner) : inner_(inner) {}

    std::uint32_t pick(ChoiceKind kind, std::uint32_t count) override {
        picks_.push_back(inner_.pick(kind, count));
        return picks_.back();
    }
    /// The picks so far, without zeros at the end: a replay picks 0 after the last.
    Picks picks() const {
        Picks picks = picks_;
        while (!picks.empty() && picks.back() == 0) picks.pop_back();
        return picks;
    }

private:
    Choices& inner_;
    Picks picks_;
};

/// Replays the picks; 0 after the last. A pick that is too large for its question (an edited trace)
/// becomes the largest that is allowed.
class ReplayChoices final : public Choices {
public:
    explicit ReplayChoices(Picks picks) : picks_(std::move(picks)) {}

    std::uint32_t pick(ChoiceKind, std::uint32_t count) override {
        if (next_ == picks_.size()) return 0;
        return std::min(picks_[next_++], count - 1);
    }

private:
    Picks picks_;
    std::size_t next_ = 0;
};

}  // namespace locklab
