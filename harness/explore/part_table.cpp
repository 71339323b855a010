#include "harness/explore/part_table.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "harness/explore/state.h"

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

void age(ClientPart& part, std::uint16_t ms) {
    const auto shorten = [ms](std::uint16_t& due) {
        due = due > ms ? static_cast<std::uint16_t>(due - ms) : 0;
    };
    for (std::uint16_t& due : part.due) shorten(due);
    shorten(part.paused);
    shorten(part.stalled);
    for (LateRequest& late : part.late) shorten(late.due);
}

}  // namespace

Times::Times(const Bounds& bounds)
    : timeout(ms_of(bounds.timeout())),
      pause(ms_of(bounds.pause)),
      delay(ms_of(bounds.delay)),
      reply_delay(ms_of(bounds.reply_delay())),
      clock(ms_of(bounds.clock)),
      outage(ms_of(bounds.outage)) {}

std::size_t PartTable::Hash::operator()(const ClientPart& part) const {
    const auto* raw = reinterpret_cast<const std::byte*>(&part);
    std::uint64_t hash = 0x9E3779B97F4A7C15U;
    for (std::size_t i = 0; i < sizeof part; i += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, raw + i, 4);
        hash = (hash ^ word) * 0xD6E8FEB86659FD93U;
    }
    return hash ^ hash >> 32;
}

PartTable::PartTable(ClientModel& clients, const Bounds& bounds)
    : clients_(clients),
      times_(bounds),
      has_replica_(bounds.nodes() > bounds.servers),
      slots_(kTasks * bounds.nodes()),
      most_(Packing(bounds).most()) {
    if (bounds.nodes() > Bounds::kMostServers) {
        throw std::length_error("locks on more than " + std::to_string(Bounds::kMostServers) +
                                " servers are not searched");
    }
    number_of(ClientPart());
}

std::uint32_t PartTable::first(std::uint32_t client, std::int16_t clock) {
    ClientPart part;
    part.node = clients_.first(client);
    part.clock = clock;
    return number_of(part);
}

std::uint32_t PartTable::number_of(const ClientPart& part) {
    if (const auto known = parts_.find(part)) return *known;
    if (rows_.size() == most_) throw std::length_error("too many states of a client");
    rows_.push_back(row_of(part));
    if (slots_ > kTasks) elsewhere_.push_back(offers_elsewhere(part));
    return parts_.add(part);
}

std::optional<std::uint16_t> PartTable::reply_of(const ClientPart& part, std::uint32_t task,
                                                 ClientModel* teacher) const {
    std::vector<std::uint16_t> replies;
    for (std::uint32_t slot = task; slot < slots_; slot += kTasks) {
        if (!asks(part, slot)) continue;
        const std::uint16_t status = part.status[slot];
        replies.push_back(status >= kReplied ? static_cast<std::uint16_t>(status - kReplied)
                                             : clients_.unknown());
    }
    if (replies.size() == 1) return replies.front();
    if (teacher == nullptr) return clients_.known_number_of_all(replies);
    return teacher->number_of_all(replies);
}

std::uint32_t PartTable::learn(std::uint32_t part, const Change& change, std::uint32_t now) {
    const Changed after = *changed(parts_[part], change, now, &clients_);
    const std::uint32_t number = number_of(after.part);
    if (after.reads_clock) return number;
    if (std::uint32_t* place = place_in(rows_[part], change)) {
        *place = number;
    } else {
        next_.add(key_of(part, change), number);
    }
    return number;
}

std::optional<std::uint32_t> PartTable::known_by_clock(std::uint32_t part, const Change& change,
                                                       std::uint32_t now) const {
    const auto after = changed(parts_[part], change, now, nullptr);
    if (!after) return std::nullopt;
    return parts_.find(after->part);
}

std::optional<PartTable::Changed> PartTable::changed(const ClientPart& part, const Change& change,
                                                     std::uint32_t now,
                                                     ClientModel* teacher) const {
    ClientPart after = part;
    std::uint16_t& status = after.status[change.slot];
    std::uint16_t& due = after.due[change.slot];
    const std::uint32_t task = task_of(change.slot);
    const LocalWait& wait = clients_.at(part.node).waits[task];
    Observed what;
    what.task = task;
    what.slow = change.slow;
    what.clock_ms = static_cast<std::int32_t>(now) + part.clock;
    what.now_ms = static_cast<std::int32_t>(now);
    // Who is refused by a server that is away learns of it as it gives up.
    const bool is_refused = change.value == clients_.unknown();
    const bool is_reply = change.kind == Step::Kind::send || change.kind == Step::Kind::delay_reply;
    switch (is_refused && is_reply ? Step::Kind::lose_request : change.kind) {
        using enum Step::Kind;
        case send:
            status = static_cast<std::uint16_t>(kReplied + change.value);
            if (wait.kind == LocalWait::Kind::oracle && change.value == clients_.one()) {
                after.has_oracle = clients_.command(wait.command)[0] == "TAKE" ? 1 : 0;
            }
            break;
        case lose_request:
        case lose_reply:
        case delay:
            status = kSilent;
            due = times_.timeout;
            if (change.kind == delay) {
                add_late(after, {wait.command, wait.ticket, times_.delay,
                                 static_cast<std::uint8_t>(change.slot + 1)});
            }
            break;
        case delay_reply:
            status = static_cast<std::uint16_t>(kReplied + change.value);
            due = times_.reply_delay;
            break;
        case retry:
            status = kSilentRetry;
            due = times_.timeout;
            break;
        case wake: return observed(part, what, teacher);
        case expire:
            if (status == kSilentRetry) {
                status = kUnsent;
                break;
            }
            [[fallthrough]];
        case take: {
            const std::optional<std::uint16_t> reply = reply_of(part, task, teacher);
            if (!reply) return std::nullopt;
            what.reply = *reply;
            return observed(part, what, teacher);
        }
        case arrive: {
            const auto late = after.late.begin() + first_late(part, change.slot);
            LOCKLAB_ASSERT(late != after.late.end());
            const bool waited_for = wait.kind == LocalWait::Kind::redis &&
                                    wait.ticket == late->ticket && status == kSilent;
            if (waited_for && !is_refused) {
                status = static_cast<std::uint16_t>(kReplied + change.value);
                due = 0;
            }
            *late = LateRequest();
            order_late(after);
            break;
        }
        case pass: age(after, change.value); break;
        case crash:
        case leave: after = gone(part); break;
        case pause: after.paused = times_.pause; break;
        case stall: after.stalled = times_.pause; break;
        case resume: (change.slot == 0 ? after.paused : after.stalled) = 0; break;
        case clock_ahead: after.clock = clock_of(part.clock + times_.clock); break;
        case clock_back: after.clock = clock_of(part.clock - times_.clock); break;
        // The server is gone for a moment, and tells nobody what became of a command. Each client
        // learns of it, at the latest when a late reply would come or it gives up.
        case restart:
            for (LateRequest& late : after.late) {
                const bool is_its = late.slot_plus_1 != 0 &&
                                    server_of(late.slot_plus_1 - 1U) == server_of(change.slot);
                if (is_its) late = LateRequest();
            }
            order_late(after);
            for (std::uint32_t i = 0; i < kTasks; ++i) {
                const std::uint32_t slot = slot_of(i, server_of(change.slot));
                const bool sent = part.status[slot] != kUnsent &&
                                  clients_.at(part.node).waits[i].kind == LocalWait::Kind::redis;
                if (!sent) continue;
                after.status[slot] = static_cast<std::uint16_t>(kReplied + clients_.unknown());
            }
            break;
        case learn: after.learnt = 1; break;
        case server_ahead:
        case server_back:
        case evict:
        case back:
        case save:
        case restore:
        case failover: break;  // no client sees these
    }
    return Changed{after, false};
}

std::optional<PartTable::Changed> PartTable::observed(const ClientPart& part, const Observed& what,
                                                      ClientModel* teacher) const {
    const auto next = teacher == nullptr ? clients_.known(part.node, what)
                                         : std::optional(teacher->next(part.node, what));
    if (!next) return std::nullopt;
    const LocalState& was = clients_.at(part.node);
    const LocalState& is = clients_.at(next->node);
    ClientPart after = part;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
        const std::uint32_t task = task_of(slot);
        const LocalWait& wait = was.waits[task];
        const bool sends = wait.kind == LocalWait::Kind::redis && asks(part, slot);
        const bool left = task != what.task && sends && part.status[slot] == kUnsent &&
                          !is.waits[task].is_same(wait);
        if (!left) continue;
        add_late(after, {wait.command, wait.ticket, 0, static_cast<std::uint8_t>(slot + 1), 1});
    }
    if (next->node == ClientModel::kDone) {
        after = gone(after);
        after.has_oracle = part.has_oracle;
        return Changed{after, next->reads_clock};
    }
    after.node = next->node;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
        const std::uint32_t task = task_of(slot);
        const LocalWait& wait = is.waits[task];
        // What the wait was is over, also where the next one looks the same.
        if (task != what.task && wait.is_same(was.waits[task])) continue;
        after.status[slot] = kUnsent;
        const bool is_timer = wait.kind == LocalWait::Kind::timer && slot == task;
        after.due[slot] = is_timer ? wait.sleep_ms : 0;
    }
    return Changed{after, next->reads_clock};
}

}  // namespace locklab
