#include "harness/explore/bounded_client.h"

namespace locklab {

Workload workload_of(const Bounds& bounds) {
    Workload workload;
    workload.job = {bounds.job, bounds.job};
    workload.wait = {WaitPolicy::Kind::fixed, bounds.wait};
    if (bounds.takes_again) workload.takes_again = Workload::Again::always;
    return workload;
}

void BoundedClient::begin_step(TaskId task) {
    if (task.is_worker()) between_tries_ = false;
    leaves_ = false;
    refused_ = false;
    fence_ = 0;
}

void BoundedClient::note(const EventDetail& detail) {
    if (const auto* wants = std::get_if<event::Wants>(&detail)) {
        tries_ = 0;
        was_refused_ = false;
        holds_ = wants->again;
    } else if (std::holds_alternative<event::Refused>(detail) ||
               std::holds_alternative<event::Failed>(detail)) {
        ++tries_;
        between_tries_ = true;
        const auto* refused = std::get_if<event::Refused>(&detail);
        was_refused_ = refused_ = refused != nullptr && !refused->unsure;
    } else if (const auto* granted = std::get_if<event::Granted>(&detail)) {
        ++grants_;
        was_refused_ = false;
        if (!inside_) ++rounds_;
        if (!inside_ && granted->mode == Mode::alone) fence_ = granted->fence;
        inside_ = true;
    } else if (std::holds_alternative<event::Leaving>(detail)) {
        inside_ = false;
        leaves_ = true;
    } else if (std::holds_alternative<event::Lost>(detail)) {
        inside_ = false;
    }
}

bool BoundedClient::enough() const {
    const bool all = rounds_ >= bounds_->rounds && !inside_;
    return all || (tries_ >= bounds_->attempts && !tries_on_ && !waits_on());
}

bool BoundedClient::waits_on() const {
    const bool is_last = tries_ >= bounds_->attempts;
    return bounds_->waits_on && was_refused_ && is_last && !holds_ && !tries_on_;
}

Timing BoundedClient::timing_of(TaskId task, Phase phase) const {
    if (!task.is_worker()) return Timing::exact;
    if (phase == Phase::idle) return Timing::lazy;
    if (between_tries_ && !inside_) {
        if (tries_on_) return Timing::exact;
        return waits_on() ? Timing::never : Timing::lazy;
    }
    // A holder that tries again does so in time.
    if (phase == Phase::inside || between_tries_) return Timing::early;
    return Timing::exact;
}

bool BoundedClient::passes_over(const Command& command, NodeId node) {
    return node == kOracle && (command[0] == "READ" || command[0] == "WRITE");
}

bool BoundedClient::passes_over_sleep(Phase phase) const {
    return enough() && (phase == Phase::idle || phase == Phase::acquire);
}

}  // namespace locklab
