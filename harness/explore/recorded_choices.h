// Picks on record: taken down while another Choices makes them, and made again.
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
    /// The picks so far, without the calm ones at the end: a replay makes those by itself.
    Picks picks() const {
        Picks picks = picks_;
        while (!picks.empty() && picks.back() == 0) picks.pop_back();
        return picks;
    }

private:
    Choices& inner_;
    Picks picks_;
};

/// Makes the picks again; 0 after the last. A pick that is too large for its question (the
/// trace was edited) becomes the largest that is not.
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
