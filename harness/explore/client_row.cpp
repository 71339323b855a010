// The row that is kept for a client state: what can be said of it without looking further.

#include "harness/explore/client_table.h"

namespace locklab {

namespace {

constexpr Step::Kind kNone = Step::Kind::pass;

}  // namespace

bool ClientTable::can_act(const ClientState& state, std::uint32_t task) const {
    return state.paused == 0 && (task == 0 || state.stalled == 0);
}

/// A client that has learnt of the failover asks the replica; commands sent before stay where they
/// are.
bool ClientTable::asks(const ClientState& state, std::uint32_t slot) const {
    const LocalWait& wait = clients_.at(state.node).waits[task_of(slot)];
    if (!has_replica_ || wait.kind != LocalWait::Kind::redis) return wait.asks(server_of(slot));
    const std::uint32_t at_master = task_of(slot);
    const std::uint32_t at_replica = slot_of(task_of(slot), 1);
    if (state.status[at_master] != kUnsent) return slot == at_master;
    if (state.status[at_replica] != kUnsent) return slot == at_replica;
    return slot == (state.learnt != 0 ? at_replica : at_master);
}

Step::Kind ClientTable::offer_at(const ClientState& state, std::uint32_t slot) const {
    const LocalWait& wait = clients_.at(state.node).waits[task_of(slot)];
    const bool sends = wait.kind == LocalWait::Kind::redis || wait.kind == LocalWait::Kind::oracle;
    if (!sends || !asks(state, slot) || !can_act(state, task_of(slot))) return kNone;
    if (state.status[slot] == kUnsent) return waits_behind(state, slot) ? kNone : Step::Kind::send;
    const bool sends_again = state.status[slot] == kSilentRetry && state.due[slot] == 0;
    return sends_again ? Step::Kind::expire : kNone;
}

Step::Kind ClientTable::end_of(const ClientState& state, std::uint32_t task) const {
    const LocalWait& wait = clients_.at(state.node).waits[task];
    if (wait.kind == LocalWait::Kind::none || !can_act(state, task)) return kNone;
    if (wait.kind == LocalWait::Kind::timer) {
        if (wait.timing == Timing::never) return kNone;
        const bool fires = state.due[task] == 0 || wait.timing != Timing::exact;
        return fires ? Step::Kind::wake : kNone;
    }
    bool gives_up = false;
    for (std::uint32_t slot = task; slot < slots_; slot += kTasks) {
        if (!asks(state, slot) || state.status[slot] >= kReplied) continue;
        if (state.status[slot] != kSilent || state.due[slot] > 0) return kNone;
        gives_up = true;
    }
    return gives_up ? Step::Kind::expire : Step::Kind::take;
}

ClientTable::Elsewhere ClientTable::offers_elsewhere(const ClientState& state) const {
    Elsewhere offers;
    offers.fill(kNone);
    for (std::uint32_t slot = kTasks; slot < slots_; ++slot) {
        offers[slot - kTasks] = offer_at(state, slot);
    }
    return offers;
}

// Fills in a row, field by field. NOLINTNEXTLINE(readability-function-size)
ClientRow ClientTable::row_of(const ClientState& state) const {
    ClientRow row;
    const LocalState& local = clients_.at(state.node);
    const auto consider = [&](std::uint16_t due) {
        if (due > 0 && (row.next_due == 0 || due < row.next_due)) row.next_due = due;
    };
    for (std::uint32_t task = 0; task < kTasks; ++task) {
        const LocalWait& wait = local.waits[task];
        row.offer[task] = offer_at(state, task);
        bool early = wait.timing == Timing::early && state.due[task] > 0;
        bool sends = row.offer[task] != kNone;
        for (std::uint32_t slot = task; slot < slots_; slot += kTasks) {
            consider(state.due[slot]);
            sends = sends || offer_at(state, slot) != kNone;
            if (state.status[slot] < kReplied) continue;
            early = early || state.due[slot] > 0;
            const auto reply = static_cast<std::uint16_t>(state.status[slot] - kReplied);
            row.names_others |= ClientModel::names_others(clients_.reply(reply));
        }
        const Step::Kind end = end_of(state, task);
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
    for (const std::uint16_t cut : state.cut) consider(cut);
    consider(state.paused);
    consider(state.stalled);
    for (const LateRequest& late : state.late) {
        consider(late.due);
        if (late.slot_plus_1 == 0) continue;
        row.late_is_due |= late.due == 0 && late.place == 0;
        // Counts even if the client, and what it had seen, is gone.
        row.names_others |= ClientModel::names_others(clients_.command(late.command));
    }
    const bool has_background = local.waits[1].kind != LocalWait::Kind::none;
    row.has_late = state.late != ClientState().late;
    row.inside = local.inside;
    row.done = state.node == ClientModel::kDone || local.waits[0].timing == Timing::never;
    const bool waits = local.waits[0].timing == Timing::lazy && !has_background;
    row.cut = state.is_cut();
    row.rests = !row.has_late && !row.cut && (row.done || waits);
    row.begun = !ClientModel::is_first(state.node);
    row.paused = state.paused > 0;
    row.stalled = state.stalled > 0;
    row.can_stall = has_background && state.stalled == 0;
    row.begins_job = local.begins_job;
    row.has_oracle = state.has_oracle != 0;
    bool has_sent = false;
    for (std::uint32_t slot = 0; slot < slots_; slot += kTasks) {
        has_sent = has_sent || state.status[slot] != kUnsent;
    }
    row.leaves = local.leaves && state.paused == 0 && !has_sent;
    row.tries = local.waits[0].first_of_try && row.offer[0] == Step::Kind::send;
    row.refused = local.refused && !row.done;
    row.can_learn = row.begun && !row.done && state.paused == 0 && state.learnt == 0;
    row.names_others |= local.names_others;
    return row;
}

std::optional<std::uint16_t> ClientTable::reply_of(const ClientState& state, std::uint32_t task,
                                                   ClientModel* teacher) const {
    std::vector<std::uint16_t> replies;
    for (std::uint32_t slot = task; slot < slots_; slot += kTasks) {
        if (!asks(state, slot)) continue;
        const std::uint16_t status = state.status[slot];
        replies.push_back(status >= kReplied ? static_cast<std::uint16_t>(status - kReplied)
                                             : clients_.unknown());
    }
    if (replies.size() == 1) return replies.front();
    if (clients_.has_like_servers()) std::ranges::sort(replies);
    if (teacher == nullptr) return clients_.known_number_of_all(replies);
    return teacher->number_of_all(replies);
}

/// The worker leaves its connections. What it waits for there is on its way over left ones.
ClientState ClientTable::with_left(const ClientState& state, const Change& change) const {
    using enum Step::Kind;
    const bool leaves = change.kind == expire || change.kind == crash || change.kind == leave;
    if (!leaves || change.value == 0) return state;
    ClientState after = state;
    const LocalWait& wait = clients_.at(state.node).waits[0];
    for (LateRequest& late : after.late) {
        if (is_waited_for(state, wait, late)) late.left = change.value & 3U;
    }
    order_late(after);
    return after;
}

}  // namespace locklab
