#include "harness/foreign/play_commands.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace locklab {

namespace {

/// No time passes between two looks.
constexpr Duration kAtOnce{0};
/// What was drawn by chance, or read from a clock, is as long.
constexpr std::size_t kDrawn = 8;

bool is_drawn(const std::string& word) {
    return word.size() >= kDrawn && word.find_first_of("0123456789") != std::string::npos;
}

}  // namespace

void PlayCommands::see(std::span<const PlayClient> clients) {
    for (std::uint32_t i = 0; i < clients.size(); ++i) {
        if (clients[i].dead) dead_.insert(i);
    }
    for (const HeldFrame& frame : world_.held()) {
        const auto found = known_.find(name_of(frame));
        if (frame.way == LinkWay::reply) {
            if (found == known_.end() || found->second.answer) continue;
            found->second.answer = frame.text;
            note_ran(found->second);
            continue;
        }
        if (found != known_.end()) continue;
        Known& known = known_[name_of(frame)];
        known.client = frame.client;
        known.node = frame.node;
        known.gated = gated_command(frame.text);
        known.is_about_key = frame.text.find(world_.key()) != std::string::npos;
        known.came = story_.stamp();
        known.call = ++calls_;
        // EXEC runs what names the key, and names nothing itself.
        if (!known.is_about_key && known.gated.signature != Renewals::kExec) continue;
        const PlayClient& client = clients[frame.client];
        const bool is_asked = client.asked && client.asked->op != DriverOp::step;
        const bool is_renewal = renewals_[frame.client].take(known.gated.signature, is_asked);
        known.phase = is_renewal ? Phase::background : client.phase;
    }
}

void PlayCommands::before(const HeldFrame& frame, bool is_struck) {
    const auto found = known_.find(name_of(frame));
    if (frame.way == LinkWay::reply) {
        if (is_struck) deaf_.insert(frame.connection);
        if (found == known_.end()) return;
        const Known& known = found->second;
        const bool is_told = known.is_noted && !known.tells_nobody &&
                             !deaf_.contains(frame.connection) &&
                             !world_.has_left(frame.connection) && !dead_.contains(frame.client);
        if (!is_told) return;
        story_.note(ClientId{known.client}, known.phase,
                    event::Replied{known.call, gated_reply(frame.text)});
        return;
    }
    if (found == known_.end()) return;
    Known& known = found->second;
    if (known.is_about_key) note_sent(known);
    known.before = world_.look_at_key(frame.node);
}

/// It was struck, and is at the gate again, as another command of its connection.
bool PlayCommands::comes_again(const HeldFrame& frame) const {
    return std::ranges::any_of(world_.held(), [&](const HeldFrame& each) {
        return each.way == LinkWay::request && each.connection == frame.connection &&
               each.number == frame.number + 1 && each.text == frame.text;
    });
}

void PlayCommands::after(const HeldFrame& frame, bool is_struck) {
    const auto found = known_.find(name_of(frame));
    if (frame.way == LinkWay::reply || found == known_.end()) return;
    Known& known = found->second;
    if (is_struck && comes_again(frame)) {
        known_[{frame.connection, frame.number + 1}] = known;
        known.tells_nobody = true;
    }
    known.effect =
        effect_of(known.gated.command, known.before, world_.look_at_key(frame.node), kAtOnce);
    known.went = story_.stamp();
    known.is_about_key |= known.effect.kind != KeyEffect::Kind::none;
    if (known.effect.kind != KeyEffect::Kind::none) note_ran(known);
}

/// Once, though it may come again.
void PlayCommands::note_sent(Known& known) {
    if (std::exchange(known.is_noted, true)) return;
    story_.note_at(known.came, ClientId{known.client}, known.phase,
                   event::Sent{known.call, known.node, known.gated.command});
}

/// Its answer may be behind another at the gate, and come later.
void PlayCommands::note_ran(Known& known) {
    if (!known.is_about_key || !known.went || known.is_over) return;
    if (!known.answer) return;
    known.is_over = true;
    note_sent(known);
    story_.note_at(*known.went, ClientId{known.client}, known.phase,
                   event::Executed(known.call, known.node, known.came, known.gated.command,
                                   gated_reply(*known.answer), known.effect));
}

void PlayCommands::answered(std::uint32_t client, bool grants) {
    for (auto& [name, known] : known_) {
        const bool is_its = known.client == client && known.phase != Phase::background;
        if (!is_its || !known.is_about_key) continue;
        if (grants && renews_ && !known.is_noted) {
            known.phase = Phase::background;
            renewals_[client].add(known.gated.signature);
        } else {
            note_sent(known);
            known.tells_nobody = true;
        }
    }
}

void PlayCommands::delayed(const HeldFrame& frame) {
    const auto found = known_.find(name_of(frame));
    if (found != known_.end() && found->second.is_about_key) note_sent(found->second);
}

std::uint64_t PlayCommands::call_of(const HeldFrame& frame) const {
    const auto found = known_.find(name_of(frame));
    return found == known_.end() || !found->second.is_about_key ? 0 : found->second.call;
}

void PlayCommands::end() {
    for (auto& [name, known] : known_) {
        if (!known.is_about_key) continue;
        note_sent(known);
        const bool did = known.effect.kind != KeyEffect::Kind::none;
        if (!did || known.is_over) continue;
        known.is_over = true;
        story_.note_at(*known.went, ClientId{known.client}, known.phase,
                       event::Executed(known.call, known.node, known.came, known.gated.command,
                                       Reply::unknown(), known.effect));
    }
}

void name_words(History& history, const std::string& key, const std::set<std::string>& tokens) {
    std::map<std::string, std::string> names;
    const auto named = [&](const std::string& word) {
        const std::size_t at = word.find(key);
        if (at != std::string::npos) return std::string(word).replace(at, key.size(), history.key);
        if (!tokens.contains(word) && !is_drawn(word)) return word;
        const auto next = "token " + std::to_string(names.size() + 1);
        return names.try_emplace(word, next).first->second;
    };
    const auto in_command = [&](Command& command) {
        // What a script is called, and how many keys it has, is no token.
        const std::size_t first = command.empty() || command[0] != "EVAL" ? 1 : 3;
        Command other;
        for (std::size_t i = 0; i < command.size(); ++i) {
            const std::string word(command[i]);
            other.add(i < first ? word : named(word));
        }
        command = std::move(other);
    };
    const std::function<void(Reply&)> in_reply = [&](Reply& reply) {
        if (reply.is_bulk()) reply = Reply::bulk(named(reply.text()));
        if (reply.kind() != Reply::Kind::array) return;
        std::vector<Reply> elements = reply.elements();
        std::ranges::for_each(elements, in_reply);
        reply = Reply::array(std::move(elements));
    };
    for (Event& event : history.events) {
        if (auto* sent = std::get_if<event::Sent>(&event.detail)) {
            in_command(sent->command);
        } else if (auto* ran = std::get_if<event::Executed>(&event.detail)) {
            in_command(ran->command);
            in_reply(ran->reply);
        } else if (auto* replied = std::get_if<event::Replied>(&event.detail)) {
            in_reply(replied->reply);
        } else if (auto* granted = std::get_if<event::Granted>(&event.detail)) {
            std::string& token = granted->token.text;
            if (!token.empty()) token = named(token);
        }
    }
}

}  // namespace locklab
