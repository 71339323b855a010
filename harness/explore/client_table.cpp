#include "harness/explore/client_table.h"

#include <algorithm>
#include <stdexcept>

#include "harness/explore/state.h"
#include "harness/explore/step_table.h"

namespace locklab {

namespace {

std::uint16_t ms_of(Duration duration) {
    const std::int64_t ms = duration / std::chrono::milliseconds(1);
    LOCKLAB_ASSERT(ms >= 0 && ms <= Bounds::kLongest / std::chrono::milliseconds(1));
    return static_cast<std::uint16_t>(ms);
}

std::int16_t clock_of(std::int32_t ms) {
    LOCKLAB_ASSERT(ms == static_cast<std::int16_t>(ms));
    return static_cast<std::int16_t>(ms);
}

void age(ClientState& state, std::uint16_t ms) {
    const auto shorten = [ms](std::uint16_t& due) {
        due = due > ms ? static_cast<std::uint16_t>(due - ms) : 0;
    };
    for (std::uint16_t& due : state.due) shorten(due);
    shorten(state.paused);
    shorten(state.stalled);
    for (std::uint16_t& cut : state.cut) shorten(cut);
    for (LateRequest& late : state.late) shorten(late.due);
}
}  // namespace

Times::Times(const Bounds& bounds)
    : timeout(ms_of(bounds.timeout())),
      latency(ms_of(bounds.latency)),
      pause(ms_of(bounds.pause)),
      delay(ms_of(bounds.delay)),
      reply_delay(ms_of(bounds.reply_delay())),
      clock(ms_of(bounds.clock)),
      outage(ms_of(bounds.outage)) {}

ClientTable::ClientTable(ClientModel& clients, const Bounds& bounds)
    : clients_(clients),
      times_(bounds),
      has_replica_(bounds.nodes() > bounds.servers),
      slots_(kTasks * bounds.nodes()),
      most_(Packing(bounds).most()) {
    if (bounds.nodes() > Bounds::kMostServers) {
        throw std::length_error("locks on more than " + std::to_string(Bounds::kMostServers) +
                                " servers are not searched");
    }
    number_of(ClientState());
}

std::uint32_t ClientTable::first(std::uint32_t client, std::int16_t clock) {
    ClientState state;
    state.node = clients_.first(client);
    state.clock = clock;
    return number_of(state);
}

std::uint32_t ClientTable::number_of(const ClientState& state) {
    if (const auto known = states_.find(state)) return *known;
    if (rows_.size() == most_) throw std::length_error("too many states of a client");
    rows_.push_back(row_of(state));
    if (slots_ > kTasks) elsewhere_.push_back(offers_elsewhere(state));
    const std::uint32_t number = states_.add(state);
    if (clients_.has_like_servers()) add_like(number);
    return number;
}

std::uint32_t ClientTable::learn(std::uint32_t state, const Change& change, std::uint32_t now) {
    const Changed after = *changed(states_[state], change, now, &clients_);
    const std::uint32_t number = number_of(after.state);
    if (after.reads_clock) return number;
    if (std::uint32_t* place = place_in(rows_[state], change)) {
        *place = number;
    } else {
        next_.add(key_of(state, change), number);
    }
    return number;
}

std::optional<std::uint32_t> ClientTable::known_by_clock(std::uint32_t state, const Change& change,
                                                         std::uint32_t now) const {
    const auto after = changed(states_[state], change, now, nullptr);
    if (!after) return std::nullopt;
    return states_.find(after->state);
}

// One switch with a case for each kind of step, so that its effects on a client stand in one place.
// NOLINTNEXTLINE(readability-function-size)
std::optional<ClientTable::Changed> ClientTable::changed(const ClientState& given,
                                                         const Change& change, std::uint32_t now,
                                                         ClientModel* teacher) const {
    const ClientState state = with_left(given, change);
    ClientState after = state;
    std::uint16_t& status = after.status[change.slot];
    std::uint16_t& due = after.due[change.slot];
    const std::uint32_t task = task_of(change.slot);
    const LocalWait& wait = clients_.at(state.node).waits[task];
    Observed what;
    what.task = task;
    what.slow = change.slow;
    what.clock_ms = static_cast<std::int32_t>(now) + state.clock;
    what.now_ms = static_cast<std::int32_t>(clients_.has_stopwatch() ? state.stopwatch : now);
    // A client that is refused by a server that is down learns of it as it gives up.
    const bool is_refused = change.value == clients_.unknown();
    const bool is_reply =
        (change.kind == Step::Kind::send && !change.slow) || change.kind == Step::Kind::delay_reply;
    const bool to_oracle = wait.kind == LocalWait::Kind::oracle;
    const std::uint32_t server = server_of(change.slot);
    const bool is_lost = change.kind == Step::Kind::send && !to_oracle && state.cut[server] > 0;
    switch (is_lost || (is_refused && is_reply) ? Step::Kind::lose_request : change.kind) {
        using enum Step::Kind;
        case send:
            if ((times_.latency > 0 || change.slow) && !to_oracle) {
                status = kSilent;
                due = times_.timeout;
                LateRequest request{wait.command, wait.ticket, times_.latency,
                                    static_cast<std::uint8_t>(change.slot + 1)};
                if (change.slow) join_queue(after, request);
                add_late(after, request);
                break;
            }
            status = static_cast<std::uint16_t>(kReplied + change.value);
            if (to_oracle && change.value == clients_.one()) {
                after.has_oracle = clients_.command(wait.command)[0] == "TAKE" ? 1 : 0;
            }
            break;
        case lose_request:
        case lose_reply:
        case delay:
        case cut_request:
        case cut_reply:
            status = kSilent;
            due = times_.timeout;
            if (hazard_of(change.kind) == Hazard::partition) after.cut[server] = times_.pause;
            if (change.kind == delay) {
                add_late(after, {wait.command, wait.ticket, times_.delay,
                                 static_cast<std::uint8_t>(change.slot + 1)});
            }
            break;
        case delay_reply:
        case error:
        case noscript:
        case reset_request:
        case reset_reply:
            status = static_cast<std::uint16_t>(kReplied + change.value);
            due = change.kind == delay_reply ? times_.reply_delay : times_.latency;
            break;
        case retry:
            status = kSilentRetry;
            due = times_.timeout;
            break;
        case wake: return observed(state, what, teacher);
        case expire:
            if (status == kSilentRetry) {
                status = kUnsent;
                break;
            }
            [[fallthrough]];
        case take: {
            const std::optional<std::uint16_t> reply = reply_of(state, task, teacher);
            if (!reply) return std::nullopt;
            what.reply = *reply;
            return observed(state, what, teacher);
        }
        case arrive: {
            const std::uint32_t in_queue = first_in_queue(state, server_of(change.slot));
            const bool is_served = !change.slow && in_queue != ClientState::kMostLate;
            const std::uint32_t place = is_served ? in_queue : first_late(state, change.slot);
            LOCKLAB_ASSERT(place < ClientState::kMostLate);
            LateRequest* const late = &after.late[place];
            if (change.slow) {
                join_queue(after, *late);
                order_late(after);
                break;
            }
            if (is_served) leave_queue(after, *late);
            const bool waited_for = wait.kind == LocalWait::Kind::redis &&
                                    wait.ticket == late->ticket && status == kSilent;
            if (waited_for && !is_refused) {
                status = static_cast<std::uint16_t>(kReplied + change.value);
                due = times_.latency;
            }
            *late = LateRequest();
            order_late(after);
            break;
        }
        case pass:
            age(after, change.value);
            if (runs_stopwatch(state.node)) after.stopwatch += change.value;
            break;
        case crash:
        case leave: after = gone(state); break;
        case pause: after.paused = times_.pause; break;
        case stall: after.stalled = times_.pause; break;
        case resume: (change.slot == 0 ? after.paused : after.stalled) = 0; break;
        case heal: after.cut[server] = 0; break;
        case clock_ahead: after.clock = clock_of(state.clock + times_.clock); break;
        case clock_back: after.clock = clock_of(state.clock - times_.clock); break;
        // The server is down for a moment, and what became of a command is unknown. Each client
        // learns of that at the latest when a late reply would come or when it gives up.
        case restart:
            for (LateRequest& late : after.late) {
                const bool is_its = late.slot_plus_1 != 0 &&
                                    server_of(late.slot_plus_1 - 1U) == server_of(change.slot);
                if (!is_its) continue;
                if (late.place != 0) leave_queue(after, late);
                late = LateRequest();
            }
            order_late(after);
            for (std::uint32_t i = 0; i < kTasks; ++i) {
                const std::uint32_t slot = slot_of(i, server_of(change.slot));
                const bool sent = state.status[slot] != kUnsent &&
                                  clients_.at(state.node).waits[i].kind == LocalWait::Kind::redis;
                if (!sent) continue;
                after.status[slot] = static_cast<std::uint16_t>(kReplied + clients_.unknown());
            }
            break;
        case learn: after.learnt = 1; break;
        case server_ahead:
        case server_back:
        case evict:
        case flush:
        case back:
        case save:
        case restore:
        case failover:
        case freeze:
        case thaw: break;  // clients do not see these
    }
    return Changed{after, false};
}

std::optional<ClientTable::Changed> ClientTable::observed(const ClientState& state,
                                                          const Observed& what,
                                                          ClientModel* teacher) const {
    const auto next = teacher == nullptr ? clients_.known(state.node, what)
                                         : std::optional(teacher->next(state.node, what));
    if (!next) return std::nullopt;
    const LocalState& was = clients_.at(state.node);
    const LocalState& is = clients_.at(next->node);
    ClientState after = state;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
        const std::uint32_t task = task_of(slot);
        const LocalWait& wait = was.waits[task];
        const bool sends = wait.kind == LocalWait::Kind::redis && asks(state, slot);
        const bool left = task != what.task && sends && state.status[slot] == kUnsent &&
                          !is.waits[task].is_same(wait) && state.cut[server_of(slot)] == 0;
        if (!left) continue;
        add_late(after, {wait.command, wait.ticket, 0, static_cast<std::uint8_t>(slot + 1), 1});
    }
    if (next->node == ClientModel::kDone) {
        after = gone(after);
        after.has_oracle = state.has_oracle;
        return Changed{after, next->reads_clock};
    }
    if (ClientModel::is_ended(next->node)) {
        // Its past no longer counts, except its clock and which server it takes for the master.
        after = gone(after);
        after.clock = state.clock;
        after.has_oracle = state.has_oracle;
        after.learnt = state.learnt;
    }
    after.node = next->node;
    if (is.begins_anew) {
        forget_waits(after);
        after.stopwatch = 0;
    }
    if (is.waits[0].timing == Timing::never) after.stalled = 0;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
        const std::uint32_t task = task_of(slot);
        const LocalWait& wait = is.waits[task];
        // The old wait has ended, even if the next one looks the same.
        if (task != what.task && wait.is_same(was.waits[task])) continue;
        after.status[slot] = kUnsent;
        const bool is_timer = wait.kind == LocalWait::Kind::timer && slot == task;
        after.due[slot] = is_timer ? wait.sleep_ms : 0;
    }
    return Changed{after, next->reads_clock};
}

}  // namespace locklab
