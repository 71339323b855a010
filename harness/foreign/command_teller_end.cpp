// Queries on commands, and telling the commands of a run when all have come.

#include <algorithm>
#include <utility>

#include "harness/foreign/command_teller.h"

namespace locklab {

Renewals& CommandTeller::renewals_of(ClientId client) {
    return renewals_.try_emplace(client.value, terms_.renews).first->second;
}

bool CommandTeller::is_watchdogs(const Name& name) const {
    const Frame* frame = frame_of(name);
    if (frame == nullptr) return false;
    const std::optional<std::size_t> command =
        frame->is_transaction ? frame->exec : frame->commands[0];
    return command && known_[*command].phase == Phase::background;
}

std::uint64_t CommandTeller::call_of(const Name& name) const {
    const Frame* frame = frame_of(name);
    if (frame == nullptr) return 0;
    for (const std::optional<std::size_t>& command : frame->commands) {
        if (is_about_key(command)) return known_[*command].call;
    }
    return is_about_key(frame->exec) ? known_[*frame->exec].call : 0;
}

void CommandTeller::learn_kinds() {
    for (Known& known : known_) {
        const bool is_renewal = renewals_of(known.client).take(known.signature, known.is_asked);
        known.phase = is_renewal ? Phase::background : known.client_phase;
    }
}

void CommandTeller::end() {
    for (auto& [name, frame] : frames_) {
        send(frame, {});
        const bool did = frame.went && did_any(frame);
        if (!did || frame.is_over) continue;
        frame.reply = Reply::unknown();
        note_ran(frame, *frame.went);
    }
}

/// True if one of the lock's keys is among a script's keys, or a plain command's words.
bool CommandTeller::has_key(const Known& known) const {
    const Command& command = known.command;
    std::size_t begin = 0;
    std::size_t end = command.script() != nullptr ? command.keys() : command.size();
    if (command.script() == nullptr && is_script_as_it_came(command)) {
        begin = kFirstOfScript;
        end = kFirstOfScript + keys_of_script(command).value_or(0);
    }
    for (std::size_t i = begin; i < std::min(end, command.size()); ++i) {
        if (std::ranges::find(terms_.keys, command[i]) != terms_.keys.end()) return true;
    }
    return false;
}

void CommandTeller::tell(RunStory& story) const {
    const bool tells_commands =
        !doers_.empty() || std::ranges::any_of(known_, [&](const Known& known) {
            return known.call != 0 && has_key(known);
        });
    for (const Known& known : known_) {
        const bool is_told =
            tells_commands && known.call != 0 && known.is_sent && !known.asks_nothing;
        if (!is_told) continue;
        story.note_at(known.came, known.client, known.phase,
                      event::Sent{known.call, known.node, known.command});
    }
    for (const Noted& noted : noted_) {
        EventDetail detail = noted.detail;
        if (!noted.known) {
            if (!tells_commands) std::get<event::Fault>(detail).call = 0;
            story.note_at(noted.at, noted.client, Phase::background, std::move(detail));
            continue;
        }
        const Known& known = known_[*noted.known];
        if (!tells_commands || known.asks_nothing) continue;
        story.note_at(noted.at, noted.client, known.phase, std::move(detail));
    }
}

}  // namespace locklab
