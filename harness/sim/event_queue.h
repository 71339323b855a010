// Pending events, and the rule of the simulator: Choices picks the next event among those due at
// the earliest instant.
//
// Invariants: 1. due_[head_..] holds every event at the instant that is being served, in the
// order in which they were pushed. 2. heap_ holds only events after that instant. 3. Nothing is
// ever pushed before that instant.
#pragma once

#include <algorithm>
#include <vector>

#include "harness/cluster/agenda.h"

namespace locklab {

/// A move at its instant.
struct SimEvent {
    Instant at;
    std::uint64_t order = 0;  ///< position in the order of pushing
    Move move;
};

class EventQueue {
public:
    bool empty() const { return head_ == due_.size() && heap_.empty(); }
    std::size_t size() const { return due_.size() - head_ + heap_.size(); }

    /// The instant of the earliest event; the queue must not be empty.
    Instant next_instant() const { return head_ < due_.size() ? serving_ : heap_.front().at; }

    void push(SimEvent event) {
        event.order = ++pushed_;
        if (event.at <= serving_) {
            event.at = serving_;
            due_.push_back(event);
            return;
        }
        heap_.push_back(event);
        std::push_heap(heap_.begin(), heap_.end(), later);
    }

    SimEvent pop(Choices& choices) {
        if (head_ == due_.size()) {
            SimEvent event = pop_heap();
            serving_ = event.at;
            if (heap_.empty() || heap_.front().at != serving_) return event;
            due_.clear();
            head_ = 0;
            due_.push_back(event);
            while (!heap_.empty() && heap_.front().at == serving_) due_.push_back(pop_heap());
        }
        const auto ties = static_cast<std::uint32_t>(due_.size() - head_);
        return take(ties == 1 ? 0 : choices.pick(ChoiceKind::next_event, ties));
    }

private:
    /// Up to this many ties stay in the order of pushing; beyond that, speed matters more than
    /// order.
    static constexpr std::uint32_t kOrderedTies = 64;

    static bool later(const SimEvent& a, const SimEvent& b) {
        return a.at != b.at ? a.at > b.at : a.order > b.order;
    }

    SimEvent pop_heap() {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        const SimEvent event = heap_.back();
        heap_.pop_back();
        return event;
    }

    SimEvent take(std::uint32_t k) {
        const auto first = due_.begin() + static_cast<std::ptrdiff_t>(head_);
        const SimEvent event = first[k];
        if (k <= kOrderedTies) {
            std::move_backward(first, first + k, first + k + 1);
        } else {
            first[k] = *first;
        }
        if (++head_ == due_.size()) {
            due_.clear();
            head_ = 0;
        }
        return event;
    }

    std::vector<SimEvent> heap_;
    std::vector<SimEvent> due_;
    std::size_t head_ = 0;
    Instant serving_{};
    std::uint64_t pushed_ = 0;
};

}  // namespace locklab
