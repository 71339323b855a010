#include "harness/foreign/command_teller.h"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/sha1.h"

namespace locklab {

namespace {

bool only_reads(const std::string& signature) {
    static constexpr std::array<std::string_view, 9> kReads{
        "GET", "EXISTS", "TTL", "PTTL", "TYPE", "HGET", "HGETALL", "HEXISTS", "STRLEN"};
    return std::ranges::find(kReads, signature) != kReads.end();
}

bool names(const Command& command, std::string_view key) {
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i] == key) return true;
    }
    return false;
}

bool is_unknown_script(const Reply& reply) {
    return reply.is_error() && reply.text().starts_with("NOSCRIPT");
}

}  // namespace

CommandTeller::Frame* CommandTeller::frame_of(const Name& name) {
    const auto found = frames_.find(name);
    return found == frames_.end() ? nullptr : &found->second;
}

const CommandTeller::Frame* CommandTeller::frame_of(const Name& name) const {
    const auto found = frames_.find(name);
    return found == frames_.end() ? nullptr : &found->second;
}

bool CommandTeller::takes_all(std::string_view frame, const GatedCommand& gated) {
    if (takes_every_key(gated)) return true;
    const std::string text = script_text(frame);
    if (script_takes_every_key(text)) scripts_that_take_all_.insert(to_hex(sha1(text)));
    return scripts_that_take_all_.contains(gated.signature);
}

void CommandTeller::came(const Came& came) {
    GatedCommand gated = gated_command(came.frame);
    if (gated.signature == "MULTI") {
        queues_[came.name.connection];
        return;
    }
    const auto queue = queues_.find(came.name.connection);
    const bool is_queued = queue != queues_.end();
    const bool is_exec = gated.signature == Renewals::kExec;
    if (is_queued && (is_exec || gated.signature == "DISCARD")) {
        if (is_exec) {
            Frame& frame = frames_[came.name];
            frame.commands = std::move(queue->second);
            frame.is_transaction = true;
            if (terms_.sees_effects) frame.exec = add(came, std::move(gated), false);
        }
        queues_.erase(queue);
        return;
    }
    const bool names_key =
        came.frame.find(terms_.asked) != std::string_view::npos && !is_about_channel(gated);
    const bool is_about_key = takes_all(came.frame, gated) || names_key;
    std::optional<std::size_t> command;
    if (is_about_key || terms_.sees_effects) {
        command = add(came, std::move(gated), is_about_key);
    }
    if (is_queued) {
        queue->second.push_back(command);
    } else if (command) {
        frames_[came.name].commands.push_back(command);
    }
}

std::size_t CommandTeller::add(const Came& came, GatedCommand gated, bool is_about_key) {
    Known known;
    known.client = came.client;
    known.node = came.node;
    known.came = came.at;
    known.is_asked = came.is_asked;
    if (is_about_key) known.call = ++calls_;
    // EXEC runs commands that name the key, and names no key itself.
    if (is_about_key || gated.signature == Renewals::kExec) {
        known.client_phase = came.phase;
        const bool is_renewal = renewals_of(came.client).take(gated.signature, came.is_asked);
        known.phase = is_renewal ? Phase::background : came.phase;
    }
    known.command = command_of(gated, came.is_whole && gated.is_whole);
    known.signature = std::move(gated.signature);
    known_.push_back(std::move(known));
    return known_.size() - 1;
}

/// A script as its text; as a script without text, if its text or keys were not seen.
Command CommandTeller::command_of(const GatedCommand& gated, bool is_whole) const {
    const Command& words = gated.command;
    if (terms_.scripts == nullptr) return words;
    if (!is_whole) {
        Command command(terms_.scripts->cut_off(gated.signature), 0);
        command.add(terms_.keys.front());
        return command;
    }
    if (!is_script_as_it_came(words)) return words;
    Command command(terms_.scripts->named(gated.signature),
                    static_cast<std::uint8_t>(keys_of_script(words).value_or(0)));
    for (std::size_t i = kFirstOfScript; i < words.size(); ++i) command.add(words[i]);
    return command;
}

void CommandTeller::send(Frame& frame, std::optional<Instant> at) {
    for (const std::optional<std::size_t>& command : frame.commands) {
        if (!is_about_key(command)) continue;
        Known& known = known_[*command];
        if (!std::exchange(known.is_sent, true) && at) known.came = *at;
    }
    if (!is_about_key(frame.exec)) return;
    Known& exec = known_[*frame.exec];
    if (!std::exchange(exec.is_sent, true) && at) exec.came = *at;
}

void CommandTeller::sent(const Name& name, std::optional<Instant> at) {
    if (Frame* frame = frame_of(name)) send(*frame, at);
}

std::optional<std::size_t> CommandTeller::doer(const Frame& frame) const {
    std::optional<std::size_t> last;
    for (const std::optional<std::size_t>& command : frame.commands) {
        const bool may_be = is_about_key(command) && !only_reads(known_[*command].signature);
        if (may_be) last = command;
    }
    return last;
}

bool CommandTeller::did_any(const Frame& frame) {
    return std::ranges::any_of(frame.effects, [](const KeyEffect& effect) {
        return effect.kind != KeyEffect::Kind::none;
    });
}

void CommandTeller::went(const Name& name, Instant at, std::span<const KeyEffect> effects) {
    Frame* frame = frame_of(name);
    if (frame == nullptr) return;
    frame->went = at;
    frame->effects.assign(effects.begin(), effects.end());
    if (did_any(*frame)) {
        // A command that changed the key is about it, even if it does not name it.
        std::optional<std::size_t> did = frame->is_transaction ? doer(*frame) : frame->commands[0];
        if (!did) did = frame->exec;
        if (known_[*did].call == 0) known_[*did].call = ++calls_;
        doers_.insert(*did);
    }
    note_ran(*frame, at);
}

void CommandTeller::answered(const Name& name, Instant at, const Reply& reply) {
    Frame* frame = frame_of(name);
    if (frame == nullptr || frame->reply) return;
    frame->reply = reply;
    note_ran(*frame, at);
}

const Reply* CommandTeller::reply_to(const Frame& frame, const Reply& whole, std::size_t i) {
    if (!frame.is_transaction || whole.is_unknown()) return &whole;
    const bool is_there = whole.kind() == Reply::Kind::array && i < whole.elements().size();
    return is_there ? &whole.elements()[i] : nullptr;
}

void CommandTeller::note_effects(event::Executed& ran, const Frame& frame) const {
    const std::string* named = nullptr;
    if (!ran.command.empty()) {
        const auto key = std::ranges::find(terms_.keys, ran.command.key());
        if (key != terms_.keys.end()) named = &*key;
    }
    ran.effect = frame.effects.front();
    for (std::size_t i = 1; i < frame.effects.size(); ++i) {
        const KeyEffect& effect = frame.effects[i];
        if (effect.kind == KeyEffect::Kind::none) continue;
        // A command that names this key, and not the lock's own, has its effect here.
        if (named == &terms_.keys[i] && !names(ran.command, terms_.keys.front())) {
            ran.effect = effect;
        } else {
            ran.others.push_back({terms_.keys[i], effect});
        }
    }
    std::ranges::sort(ran.others, {}, &event::OtherKey::key);
}

/// Its answer may be behind another at the gate, and come later.
void CommandTeller::note_ran(Frame& frame, Instant at) {
    const bool is_known = frame.reply && (frame.went || !terms_.sees_effects);
    if (!is_known || frame.is_over) return;
    frame.is_over = true;
    const auto note = [&](std::size_t command, const Reply& reply) {
        Known& known = known_[command];
        if (is_unknown_script(reply)) known.asks_nothing = true;
        const bool did = !frame.is_transaction || doers_.contains(command);
        event::Executed ran(known.call, known.node, known.came, known.command, reply);
        if (terms_.sees_effects) {
            ran.effect = {};
            if (did) note_effects(ran, frame);
        }
        noted_.push_back({frame.went.value_or(at), known.client, command, std::move(ran)});
    };
    for (std::size_t i = 0; i < frame.commands.size(); ++i) {
        const Reply* own = reply_to(frame, *frame.reply, i);
        if (own == nullptr || !is_about_key(frame.commands[i])) continue;
        send(frame, {});
        note(*frame.commands[i], *own);
    }
    if (!is_about_key(frame.exec)) return;
    send(frame, {});
    note(*frame.exec, *frame.reply);
}

void CommandTeller::told(const Name& name, Instant at, const Reply& reply) {
    const Frame* frame = frame_of(name);
    if (frame == nullptr) return;
    for (std::size_t i = 0; i < frame->commands.size(); ++i) {
        const Reply* own = reply_to(*frame, reply, i);
        if (own == nullptr || !is_about_key(frame->commands[i])) continue;
        const Known& known = known_[*frame->commands[i]];
        noted_.push_back({at, known.client, frame->commands[i], event::Replied{known.call, *own}});
    }
    if (!is_about_key(frame->exec)) return;
    const Known& exec = known_[*frame->exec];
    noted_.push_back({at, exec.client, frame->exec, event::Replied{exec.call, reply}});
}

void CommandTeller::struck(const Name& name, Instant at, ClientId client, event::Fault fault) {
    fault.call = call_of(name);
    noted_.push_back({at, client, {}, std::move(fault)});
}

void CommandTeller::comes_again(const Name& name) {
    Frame* frame = frame_of(name);
    if (frame == nullptr) return;
    frame->tells_nobody = true;
    Frame again;
    again.commands = frame->commands;
    again.is_transaction = frame->is_transaction;
    again.exec = frame->exec;
    frames_[{name.connection, name.number + 1}] = std::move(again);
}

void CommandTeller::takes_its_place(const Name& first, const Name& later) {
    const Frame* its = frame_of(first);
    const Frame* others = frame_of(later);
    if (its == nullptr || others == nullptr || others->is_transaction) return;
    known_[*others->commands[0]].call = call_of(first);
}

void CommandTeller::give_to_watchdog(const Name& name) {
    const Frame* frame = frame_of(name);
    if (frame == nullptr) return;
    std::vector<std::optional<std::size_t>> all = frame->commands;
    all.push_back(frame->exec);
    for (const std::optional<std::size_t>& command : all) {
        if (!command) continue;
        known_[*command].phase = Phase::background;
        renewals_of(known_[*command].client).add(known_[*command].signature);
    }
}

void CommandTeller::is_over(ClientId client, bool grants) {
    for (auto& [name, frame] : frames_) {
        const auto its = std::ranges::find_if(frame.commands, [&](const auto& command) {
            return is_about_key(command) && known_[*command].client == client &&
                   known_[*command].phase != Phase::background;
        });
        if (its == frame.commands.end()) continue;
        if (grants && terms_.renews && !known_[**its].is_sent) {
            give_to_watchdog(name);
        } else {
            send(frame, {});
            frame.tells_nobody = true;
        }
    }
}

bool CommandTeller::awaits_answer(const Name& name) const {
    const Frame* frame = frame_of(name);
    if (frame == nullptr || frame->tells_nobody) return false;
    return std::ranges::any_of(frame->commands,
                               [&](const auto& command) {
                                   return is_about_key(command) && known_[*command].is_sent;
                               }) ||
           (is_about_key(frame->exec) && known_[*frame->exec].is_sent);
}

}  // namespace locklab
