// What can be said of a part without looking further: the row that is kept for it.

#include "harness/explore/part_table.h"

namespace locklab {

namespace {

constexpr Step::Kind kNone = Step::Kind::pass;

}  // namespace

bool PartTable::can_act(const ClientPart& part, std::uint32_t task) const {
    return part.paused == 0 && (task == 0 || part.stalled == 0);
}

/// A replica is asked by whoever has learnt that it took over; what was sent before stays.
bool PartTable::asks(const ClientPart& part, std::uint32_t slot) const {
    const LocalWait& wait = clients_.at(part.node).waits[task_of(slot)];
    if (!has_replica_ || wait.kind != LocalWait::Kind::redis) return wait.asks(server_of(slot));
    const std::uint32_t at_master = task_of(slot);
    const std::uint32_t at_replica = slot_of(task_of(slot), 1);
    if (part.status[at_master] != kUnsent) return slot == at_master;
    if (part.status[at_replica] != kUnsent) return slot == at_replica;
    return slot == (part.learnt != 0 ? at_replica : at_master);
}

Step::Kind PartTable::offer_at(const ClientPart& part, std::uint32_t slot) const {
    const LocalWait& wait = clients_.at(part.node).waits[task_of(slot)];
    const bool sends = wait.kind == LocalWait::Kind::redis || wait.kind == LocalWait::Kind::oracle;
    if (!sends || !asks(part, slot) || !can_act(part, task_of(slot))) return kNone;
    if (part.status[slot] == kUnsent) return waits_behind(part, slot) ? kNone : Step::Kind::send;
    const bool sends_again = part.status[slot] == kSilentRetry && part.due[slot] == 0;
    return sends_again ? Step::Kind::expire : kNone;
}

Step::Kind PartTable::end_of(const ClientPart& part, std::uint32_t task) const {
    const LocalWait& wait = clients_.at(part.node).waits[task];
    if (wait.kind == LocalWait::Kind::none || !can_act(part, task)) return kNone;
    if (wait.kind == LocalWait::Kind::timer) {
        const bool fires = part.due[task] == 0 || wait.timing != Timing::exact;
        return fires ? Step::Kind::wake : kNone;
    }
    bool gives_up = false;
    for (std::uint32_t slot = task; slot < slots_; slot += kTasks) {
        if (!asks(part, slot) || part.status[slot] >= kReplied) continue;
        if (part.status[slot] != kSilent || part.due[slot] > 0) return kNone;
        gives_up = true;
    }
    return gives_up ? Step::Kind::expire : Step::Kind::take;
}

PartTable::Elsewhere PartTable::offers_elsewhere(const ClientPart& part) const {
    Elsewhere offers;
    offers.fill(kNone);
    for (std::uint32_t slot = kTasks; slot < slots_; ++slot) {
        offers[slot - kTasks] = offer_at(part, slot);
    }
    return offers;
}

PartRow PartTable::row_of(const ClientPart& part) const {
    PartRow row;
    const LocalState& local = clients_.at(part.node);
    const auto consider = [&](std::uint16_t due) {
        if (due > 0 && (row.next_due == 0 || due < row.next_due)) row.next_due = due;
    };
    for (std::uint32_t task = 0; task < kTasks; ++task) {
        const LocalWait& wait = local.waits[task];
        row.offer[task] = offer_at(part, task);
        bool early = wait.timing == Timing::early && part.due[task] > 0;
        bool sends = row.offer[task] != kNone;
        for (std::uint32_t slot = task; slot < slots_; slot += kTasks) {
            consider(part.due[slot]);
            sends = sends || offer_at(part, slot) != kNone;
            if (part.status[slot] < kReplied) continue;
            early = early || part.due[slot] > 0;
            const auto reply = static_cast<std::uint16_t>(part.status[slot] - kReplied);
            row.names_others |= ClientModel::names_others(clients_.reply(reply));
        }
        const Step::Kind end = end_of(part, task);
        if (row.offer[task] == kNone) row.offer[task] = end;
        row.command[task] = wait.command;
        row.phase[task] = wait.phase;
        const auto bit = static_cast<std::uint8_t>(1U << task);
        if (end != kNone && early) {
            row.early = static_cast<std::uint8_t>(row.early | bit);
        } else if (sends || (end != kNone && wait.timing != Timing::lazy)) {
            row.must_act = static_cast<std::uint8_t>(row.must_act | bit);
        }
        if (wait.kind == LocalWait::Kind::oracle) {
            row.to_oracle = static_cast<std::uint8_t>(row.to_oracle | bit);
        }
    }
    consider(part.paused);
    consider(part.stalled);
    for (const LateRequest& late : part.late) {
        consider(late.due);
        if (late.slot_plus_1 == 0) continue;
        row.late_is_due |= late.due == 0;
        // Its client may be gone, and with it what it had seen.
        row.names_others |= ClientModel::names_others(clients_.command(late.command));
    }
    const bool has_background = local.waits[1].kind != LocalWait::Kind::none;
    row.has_late = part.late != ClientPart().late;
    row.inside = local.inside;
    row.done = part.node == ClientModel::kDone;
    const bool waits = local.waits[0].timing == Timing::lazy && !has_background;
    row.rests = !row.has_late && (row.done || waits);
    row.begun = !ClientModel::is_first(part.node);
    row.paused = part.paused > 0;
    row.stalled = part.stalled > 0;
    row.can_stall = has_background && part.stalled == 0;
    row.begins_job = local.begins_job;
    row.has_oracle = part.has_oracle != 0;
    bool has_sent = false;
    for (std::uint32_t slot = 0; slot < slots_; slot += kTasks) {
        has_sent = has_sent || part.status[slot] != kUnsent;
    }
    row.leaves = local.leaves && part.paused == 0 && !has_sent;
    row.tries = local.waits[0].first_of_try && row.offer[0] == Step::Kind::send;
    row.refused = local.refused;
    row.can_learn = row.begun && !row.done && part.paused == 0 && part.learnt == 0;
    row.names_others |= local.names_others;
    return row;
}

}  // namespace locklab
