// Commands that are held at the gate, and their answers.

#include <algorithm>
#include <utility>

#include "harness/core/printable.h"
#include "harness/foreign/driver_stage.h"
#include "harness/foreign/gated_command.h"

namespace locklab {

namespace {

/// Far longer than a running server takes.
constexpr Duration kLongestReply = std::chrono::seconds(2);
/// A process that was told something reacts within this, unless it waits by itself.
constexpr Duration kReaction = std::chrono::milliseconds(20);
/// What a background task tells its process is heard within this.
constexpr Duration kAfterBackground = std::chrono::milliseconds(3);

}  // namespace

void DriverStage::let(const Held& wait, LinkWay way, std::optional<LinkFault> fault) {
    FaultRule rule;
    if (fault) rule.fault = *fault;
    if (const auto error = error_of(wait.fault)) rule.error = row_of(*error).words;
    rule.amount = kUntilTold;
    proxy_->post([connection = wait.name.connection, way, fault, rule](FaultProxy& proxy) {
        proxy.go_on(connection, way, fault ? &rule : nullptr);
    });
}

void DriverStage::reset(const Held& wait) {
    proxy_->post(
        [connection = wait.name.connection](FaultProxy& proxy) { proxy.reset(connection); });
}

void DriverStage::note_fault(const Held& wait, CommandFault fault) {
    const std::optional<Hazard> hazard = hazard_of(fault);
    if (!hazard) return;
    const std::uint64_t call = teller_->call_of(wait.name);
    event::Fault noted{*hazard, {}, call, {}};
    noted.error = error_of(fault);
    noted.ran = fault == CommandFault::reset_reply;
    story_->note(wait.client, wait.phase, noted);
}

/// The command is told only now, when it is known whether it is a watchdog's. Once, though it may
/// come again.
void DriverStage::note_sent(Held& wait) {
    if (!std::exchange(wait.is_noted, true)) teller_->sent(wait.name, story_->stamp());
}

void DriverStage::send(Held& wait) {
    note_sent(wait);
    wait.fault = faults_.on_send(wait);
    if (wait.fault == CommandFault::none && hung_.contains(wait.node)) {
        wait.fault = CommandFault::travels;
    }
    wait.sent = true;
    wait.due = now() + config_.command_timeout;
    note_fault(wait, wait.fault);
    switch (wait.fault) {
        case CommandFault::lose_request:
            return let(wait, LinkWay::request, LinkFault::lose_request);
        case CommandFault::delay:
        case CommandFault::travels: wait.in_network = true; return;
        case CommandFault::retry:
            run(wait, LinkFault::repeat_request);
            let(wait, LinkWay::reply);
            return;
        case CommandFault::lose_reply:
            run(wait);
            let(wait, LinkWay::reply, LinkFault::lose_reply);
            return;
        // At the gate until its client is told.
        case CommandFault::error:
        case CommandFault::noscript:
        case CommandFault::reset_request: wait.answered = true; return;
        case CommandFault::reset_reply:
        case CommandFault::delay_reply:
        case CommandFault::none: break;
    }
    run(wait);
    const bool is_held = wait.fault == CommandFault::delay_reply;
    (is_held ? wait.reply_held : wait.answered) = !wait.over;
}

/// The server runs the command, and its answer comes to the gate.
void DriverStage::run(Held& wait, std::optional<LinkFault> fault) {
    wait.before = look(wait.node);
    wait.replied = false;
    let(wait, LinkWay::request, fault);
    const Instant began = now();
    pump_until(kLongestReply, [&] { return wait.replied || wait.over; });
    if (wait.may_wait) unasked_.own += now() - began;
    if (wait.over) return;
    if (!wait.replied) {
        throw NotPlayed("the server did not answer " + printable(to_string(wait.command)) +
                        ", or it is a command that waits");
    }
    const std::vector<KeyLook> after = look(wait.node);
    const Instant at = story_->stamp();
    teller_->went(wait.name, at, effects_of(wait.command, wait.before, after));
    teller_->answered(wait.name, at, gated_reply(wait.frame));
    see(wait.node, after);
    keep_snapshot(wait.node);
    if (wait.frame.starts_with("-NOSCRIPT")) send_text(wait);
}

/// The server does not know the script, as after a restart. Its client learns that and sends the
/// text: the play means that command.
void DriverStage::send_text(Held& wait) {
    const std::uint32_t before = last_wait_;
    let(wait, LinkWay::reply);
    // Leaves out commands of a watchdog.
    const auto is_text = [&](const std::unique_ptr<Held>& other) {
        return other->id > before && other->client == wait.client && other->node == wait.node &&
               other->task.is_worker() == wait.task.is_worker() && !other->command.empty() &&
               other->command[0] == "EVAL" && !other->told;
    };
    auto text = waits_.end();
    pump_until(kReaction,
               [&] { return (text = std::ranges::find_if(waits_, is_text)) != waits_.end(); });
    if (text == waits_.end()) return;
    const CommandTeller::Name digest = std::exchange(wait.name, (*text)->name);
    wait.command = (*text)->command;
    waits_.erase(text);
    teller_->takes_its_place(digest, wait.name);
    wait.is_noted = false;
    note_sent(wait);
    run(wait);
}

std::vector<KeyLook> DriverStage::look(NodeId node) {
    std::vector<KeyLook> looks;
    for (const std::string& key : lock_keys_) looks.push_back(key_watches_[node.value]->look(key));
    return looks;
}

void DriverStage::see(NodeId node, const std::vector<KeyLook>& looks) {
    const KeyLook& look = looks.front();
    KeySight sight;
    sight.node = node;
    sight.at = now();
    sight.value = look.value;
    sight.ttl = look.ttl;
    const auto last = std::find_if(sights_.rbegin(), sights_.rend(),
                                   [&](const KeySight& each) { return each.node == node; });
    const bool same = last != sights_.rend() && last->value == sight.value &&
                      last->ttl.has_value() == sight.ttl.has_value();
    if (!same) sights_.push_back(std::move(sight));
}

/// The client is told what a fault says in place of an answer. False: no such fault struck it.
bool DriverStage::tell_by_fault(Held& wait) {
    if (!is_told_at_once(hazard_of(wait.fault).value_or(kNoFault))) return false;
    const auto error = error_of(wait.fault);
    teller_->told(wait.name, story_->stamp(),
                  error ? Reply::error(std::string(row_of(*error).words)) : Reply::unknown());
    if (error) {
        let(wait, LinkWay::request, LinkFault::error);
    } else {
        reset(wait);
    }
    return true;
}

void DriverStage::take_reply(Held& wait) {
    if (wait.broken) return expire(wait);
    wait.told = true;
    if (!tell_by_fault(wait)) {
        teller_->told(wait.name, story_->stamp(), gated_reply(wait.frame));
        let(wait, LinkWay::reply);
    }
    if (wait.task.is_worker()) {
        settle(actors_[wait.client.value]);
    } else {
        const Clock::time_point end = Clock::now() + kAfterBackground;
        while (Clock::now() < end) pump(kAfterBackground);
    }
}

/// Its client gives up on the command; a client that does not by itself loses its connection.
void DriverStage::expire(Held& wait) {
    if (wait.fault == CommandFault::retry && !wait.broken) {
        wait.fault = CommandFault::none;
        wait.due = Instant::max();
        wait.sent = false;
        // The repetition is another command of its connection.
        teller_->comes_again(wait.name);
        inbox_->expect(wait.name.connection, ++wait.name.number);
        return;
    }
    teller_->told(wait.name, story_->stamp(), Reply::unknown());
    wait.told = true;
    if (wait.in_network) {
        let(wait, LinkWay::request, LinkFault::late_request);
    } else {
        reset(wait);
    }
    settle(actors_[wait.client.value]);
}

/// A delayed command arrives at the server.
void DriverStage::arrive(Held& wait) {
    run(wait);
    if (wait.over) return;
    if (wait.told) {
        let(wait, LinkWay::reply);
    } else {
        wait.answered = true;
    }
}

/// The client's operation is over: its commands without a cue are on their way now.
void DriverStage::give_up_on(Actor& actor) {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
        Held& wait = *waits_[i];
        const bool is_its = wait.client == actor.id() && wait.task.is_worker() && !wait.is_timer &&
                            wait.node != kOracle && !wait.told;
        if (!is_its) continue;
        wait.told = true;
        if (wait.in_network || wait.over) continue;
        if (!wait.sent) {
            note_sent(wait);
            wait.sent = wait.in_network = wait.abandoned = true;
        } else if (wait.answered || wait.reply_held) {
            // With several servers: an answer that the client no longer needs still reaches it.
            let(wait, LinkWay::reply);
        }
    }
}

/// Waits until the process is blocked again: it has answered, or waits for the answer to a command.
void DriverStage::settle(const Actor& actor, bool is_worker) {
    const auto is_blocked = [&] {
        return actor.is_dead() || !actor.worker.is_asked() ||
               std::ranges::any_of(waits_, [&](const auto& wait) {
                   return wait->client == actor.id() && wait->task.is_worker() == is_worker &&
                          !wait->told && !wait->is_timer;
               });
    };
    if (!pump_until(kReaction, is_blocked)) unasked_.own += kReaction;
    // With several servers the others are asked at the same time, or hardly later.
    if (links_.nodes() > 1) pump_until(kAfterBackground, [] { return false; });
    // A watchdog's first command may come before the line that says that the lock is granted.
    if (parts_.subject.renews_by_itself())
        pump_until(kAfterBackground, [&] { return !actor.worker.is_asked(); });
}

}  // namespace locklab
