#include "harness/foreign/driver_worker.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/core/assert.h"
#include "harness/foreign/team.h"

namespace locklab {

namespace {

/// Of the time that a grant is valid, after which it is extended.
constexpr int kExtendedAfterPart = 2;

}  // namespace

void DriverWorker::enter(Phase phase) {
    phase_ = phase;
    story_->entered(id_, phase);
}

DriverWorker::Request DriverWorker::request(DriverOp op) {
    // Its answer may be here before its number is known.
    asked_ = Asked{0, op};
    return {op};
}

DriverWorker::Request DriverWorker::next() {
    switch (phase_) {
        case Phase::idle:
            ++round_;
            tries_ = 0;
            story_->note(id_, Phase::acquire, event::Wants{});
            [[fallthrough]];
        case Phase::acquire: {
            enter(Phase::acquire);
            Request asks = request(DriverOp::acquire);
            asks.more = {{"wait_ms", terms_.wait / std::chrono::milliseconds(1)}};
            return asks;
        }
        case Phase::inside: return is_out() ? leave() : step();
        case Phase::release: return request(DriverOp::release);
        case Phase::background: break;
    }
    LOCKLAB_ASSERT(false && "a worker works in the foreground");
    return {};
}

DriverWorker::Request DriverWorker::step() {
    story_->step_asked(id_);
    return request(DriverOp::step);
}

DriverWorker::Request DriverWorker::extend() {
    story_->entered(id_, Phase::background);
    return request(DriverOp::extend);
}

std::optional<Duration> DriverWorker::extends_after() const {
    if (terms_.extended == Duration(0)) return std::nullopt;
    return std::max(Duration(0), valid_.value_or(terms_.extended)) / kExtendedAfterPart;
}

DriverWorker::Request DriverWorker::leave() {
    story_->release_asked(id_);
    enter(Phase::release);
    return request(DriverOp::release);
}

void DriverWorker::note_error(const std::string& error) {
    if (first_error_.empty()) first_error_ = error;
}

DriverWorker::Heard DriverWorker::hear(const DriverWord& word) {
    if (const auto* failure = std::get_if<DriverFailure>(&word)) {
        throw DriverGone(failure->sentence);
    }
    if (const auto* event = std::get_if<DriverEvent>(&word)) {
        if (event->kind != DriverEvent::Kind::lost) {
            ++complaints_;
            note_error(event->what);
            return Heard::complaint;
        }
        if (phase_ != Phase::inside || std::exchange(lost_, true)) return Heard::nothing;
        story_->told_lost(id_);
        return Heard::lost;
    }
    const auto* answer = std::get_if<DriverAnswer>(&word);
    if (answer == nullptr || !asked_ || answer->id != asked_->id) return Heard::nothing;
    asked_.reset();
    note_error(answer->error);
    return Heard::answer;
}

DriverWorker::Outcome DriverWorker::take(const DriverAnswer& answer) {
    switch (answer.op) {
        case DriverOp::acquire: return take_acquired(answer);
        case DriverOp::step: return take_step(answer);
        case DriverOp::extend: return take_extension(answer);
        case DriverOp::release: return take_released(answer);
        case DriverOp::hello:
        case DriverOp::open:
        case DriverOp::close:
        case DriverOp::exit: break;
    }
    return Outcome::nobodys_news;
}

DriverWorker::Outcome DriverWorker::take_acquired(const DriverAnswer& answer) {
    if (answer.yes != true) {
        failure_ = answer.definite ? answer.error : "";
        unsure_ = !answer.error.empty() && !answer.definite;
        if (!terms_.always_releases) return refused();
        in_vain_ = true;
        enter(Phase::release);
        return Outcome::releases;
    }
    enter(Phase::inside);
    lost_ = extension_failed_ = false;
    valid_ = answer.valid;
    fence_ = terms_.fences ? answer.fence.value_or(0) : 0;
    story_->granted(id_, answer.token, terms_.lease, fence_, answer.valid);
    grant_ = story_->grants();
    return Outcome::granted;
}

DriverWorker::Outcome DriverWorker::refused() {
    phase_ = Phase::acquire;
    if (failure_.empty()) {
        story_->note(id_, phase_, event::Refused{unsure_});
    } else {
        story_->note(id_, phase_, event::Failed{failure_});
    }
    // Between two tries the client does nothing, though it wants the lock.
    story_->entered(id_, Phase::idle);
    ++tries_;
    return Outcome::refused;
}

DriverWorker::Outcome DriverWorker::take_step(const DriverAnswer& answer) {
    if (answer.yes == true && !answer.lost && !lost_) {
        story_->inside(id_);
        return Outcome::inside;
    }
    story_->told_lost(id_);
    lost_ = true;
    return Outcome::outside;
}

/// An error tells nothing of a loss, but a caller does not work on what it could not extend.
DriverWorker::Outcome DriverWorker::take_extension(const DriverAnswer& answer) {
    story_->entered(id_, phase_);
    if (answer.yes == true && !lost_) {
        valid_ = answer.valid;
        return Outcome::extended;
    }
    extension_failed_ = true;
    if (answer.yes == false && !std::exchange(lost_, true)) story_->told_lost(id_);
    return Outcome::outside;
}

DriverWorker::Outcome DriverWorker::take_released(const DriverAnswer& answer) {
    if (std::exchange(in_vain_, false)) return refused();
    Release outcome = Release::unknown;
    if (answer.yes) outcome = *answer.yes ? Release::yes : Release::not_ours;
    story_->released(id_, outcome, answer.yes.has_value() || !answer.error.empty());
    enter(Phase::idle);
    return Outcome::released;
}

void DriverWorker::give_up() {
    if (phase_ == Phase::acquire) enter(Phase::idle);
}

void DriverWorker::finish() {
    give_up();
    story_->note(id_, phase_, event::Finished{});
    finished_ = true;
}

void DriverWorker::crash() {
    gone();
    story_->crashed(id_);
}

void DriverWorker::gone() {
    dead_ = true;
    asked_.reset();
}

}  // namespace locklab
