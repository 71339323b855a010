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
        in_vain_ = is_over_ = false;
        holds_ = wants->again;
    } else if (std::holds_alternative<event::Refused>(detail) ||
               std::holds_alternative<event::Failed>(detail)) {
        ++tries_;
        between_tries_ = true;
        in_vain_ = true;
        const auto* refused = std::get_if<event::Refused>(&detail);
        refused_ = refused != nullptr && !refused->unsure;
    } else if (const auto* granted = std::get_if<event::Granted>(&detail)) {
        ++grants_;
        in_vain_ = false;
        if (!inside_) ++rounds_;
        if (!inside_ && granted->mode == Mode::alone) fence_ = granted->fence;
        inside_ = true;
    } else if (std::holds_alternative<event::Leaving>(detail)) {
        inside_ = false;
        leaves_ = true;
    } else if (std::holds_alternative<event::Lost>(detail)) {
        inside_ = false;
    } else if (std::holds_alternative<event::Released>(detail)) {
        holds_ = false;
        is_over_ = rounds_ >= bounds_->rounds;
    }
}

bool BoundedClient::enough() const {
    // A client that rests could come again; a try to take the lock a second time never rests.
    if (bounds_->waits_on && !holds_) return false;
    const bool all = rounds_ >= bounds_->rounds && !inside_;
    return all || (tries_ >= bounds_->attempts && !tries_on_);
}

bool BoundedClient::waits_on() const {
    const bool used_up = in_vain_ && tries_ >= bounds_->attempts && !holds_;
    return bounds_->waits_on && !tries_on_ && (is_over_ || used_up);
}

Timing BoundedClient::timing_of(TaskId task, Phase phase) const {
    if (!task.is_worker()) return Timing::exact;
    if (phase == Phase::idle) return waits_on() ? Timing::never : Timing::lazy;
    if (between_tries_ && !inside_) {
        if (tries_on_) return Timing::exact;
        return waits_on() ? Timing::never : Timing::lazy;
    }
    // A holder makes its next try by then.
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
