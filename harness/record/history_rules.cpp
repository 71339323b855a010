#include "harness/record/history_rules.h"

#include <algorithm>
#include <string>

#include "harness/check/inside.h"

namespace locklab {

namespace {

std::string client_name(const Event& event) {
    return "client " + std::to_string(event.client.value);
}

template <class... Kinds>
bool is_any(const EventDetail& detail) {
    return (std::holds_alternative<Kinds>(detail) || ...);
}

/// Events of live clients only. A command or a write of a dead client may still arrive.
bool needs_life(const EventDetail& detail) {
    return is_any<event::Wants, event::Refused, event::Granted, event::Lost, event::Leaving,
                  event::Released, event::Finished, event::Failed>(detail);
}

}  // namespace

void HistoryRules::check(const JsonLine& line, Event& event) {
    check_time(line, event.at);
    last_ = event.at;
    last_line_ = line.number();
    if (clients_ != 0 && event.client.value >= clients_) {
        line.fail(client_name(event) + " does not exist; the header announces " +
                  std::to_string(clients_) + ", counted from 0");
    }
    met_ = std::max(met_, event.client.value + 1);
    Client& client = state_[event.client];
    if (client.crashed != 0 && needs_life(event.detail)) {
        line.fail(client_name(event) + " crashed in line " + std::to_string(client.crashed) +
                  " and can do no more; one that comes back needs a number of its own");
    }
    check_lock(line, event.resource);
    Hold& hold = client.holds[event.resource.value];
    if (const auto* wants = std::get_if<event::Wants>(&event.detail)) {
        check_wants(line, event, wants->again, hold);
    }
    if (is_any<event::Granted>(event.detail)) check_grant(line, event, hold);
    if (is_any<event::Leaving, event::Released>(event.detail)) check_leaving(line, event, hold);
    if (is_any<event::Lost>(event.detail)) hold.inside = false;
    if (auto* wrote = std::get_if<event::Wrote>(&event.detail)) check_write(line, *wrote, hold);
    if (is_crash(event)) client.crashed = line.number();
}

void HistoryRules::check_time(const JsonLine& line, Instant at) const {
    if (at >= last_) return;
    line.fail("time goes backwards: 't_us' is " + std::to_string(us(at)) + ", and was " +
              std::to_string(us(last_)) + " in line " + std::to_string(last_line_) +
              "; order the lines by time");
}

void HistoryRules::check_lock(const JsonLine& line, ResourceId lock) const {
    if (lock.value < locks_) return;
    line.fail("lock " + std::to_string(lock.value) + " does not exist; each client takes " +
              std::to_string(locks_) + ", counted from 0 ('locks' in the header)");
}

void HistoryRules::check_wants(const JsonLine& line, const Event& event, bool again,
                               Hold& hold) const {
    if (hold.inside && !again) {
        line.fail(client_name(event) + " wants the lock while it is inside; a 'leaving' or " +
                  "'released' line of it is missing, or \"again\":true here");
    }
    hold.wants_again = hold.inside && again;
}

void HistoryRules::check_grant(const JsonLine& line, const Event& event, Hold& hold) {
    if (hold.inside && !hold.wants_again) {
        line.fail(client_name(event) + " is granted the lock (grant " + std::to_string(hold.grant) +
                  " before) without having left; a 'leaving' or " +
                  "'released' line of it is missing");
    }
    const std::uint64_t grant = std::get<event::Granted>(event.detail).grant;
    if (grant != next_grant()) {
        const bool again = grant != 0 && grant <= grants_;
        line.fail("grant " + std::to_string(grant) +
                  (again ? " was given before" : " is out of order") + "; grants of all clients " +
                  "are counted 1, 2, 3, ..., and this one is " + std::to_string(next_grant()));
    }
    ++grants_;
    hold.grant = grant;
    hold.inside = hold.releasable = true;
    hold.wants_again = false;
}

void HistoryRules::check_leaving(const JsonLine& line, const Event& event, Hold& hold) const {
    const bool leaves = is_any<event::Leaving>(event.detail);
    if (!hold.releasable) {
        line.fail(client_name(event) + (leaves ? " leaves" : " has released the lock") +
                  " without a grant; its 'granted' line is missing");
    }
    hold.inside = false;
    hold.releasable = leaves;
}

void HistoryRules::check_write(const JsonLine& line, event::Wrote& wrote, const Hold& hold) const {
    if (wrote.grant == 0) wrote.grant = hold.grant;
    if (wrote.grant == 0) {
        line.fail("the write has no 'grant', and its client was never granted the lock");
    }
    if (wrote.grant > grants_) {
        line.fail("the write names grant " + std::to_string(wrote.grant) + ", and only " +
                  std::to_string(grants_) + " have been granted by now");
    }
}

}  // namespace locklab
