#include "harness/foreign/play_commands.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace locklab {

namespace {

/// No time passes between two looks.
constexpr Duration kAtOnce{0};
/// Least length of a word that may be random, or read from a clock.
constexpr std::size_t kDrawn = 8;

bool is_drawn(const std::string& word) {
    return word.size() >= kDrawn && word.find_first_of("0123456789") != std::string::npos;
}

}  // namespace

void PlayCommands::see(std::span<const PlayClient> clients,
                       const std::function<bool(const HeldFrame&)>& came_before) {
    for (std::uint32_t i = 0; i < clients.size(); ++i) {
        if (clients[i].is_dead()) dead_.insert(i);
    }
    for (const HeldFrame& frame : world_.held()) {
        const Name name = name_of(frame);
        if (frame.way == LinkWay::reply) {
            const bool is_news = teller_.knows(name) && !teller_.is_answered(name);
            if (is_news) teller_.answered(name, world_.now(), gated_reply(frame.text));
            continue;
        }
        if (!seen_.insert(name).second) continue;
        const PlayClient& client = clients[frame.client];
        // That it comes unasked now does not make it a watchdog's.
        const bool is_asked = client.worker.is_asked_to_send() || came_before(frame);
        teller_.came({name, ClientId{frame.client}, frame.node, frame.text, true, story_.stamp(),
                      client.worker.phase_of_command(), is_asked});
    }
}

void PlayCommands::before(const HeldFrame& frame, bool is_struck) {
    const Name name = name_of(frame);
    if (frame.way == LinkWay::reply) {
        if (is_struck) deaf_.insert(frame.connection);
        const bool is_told = teller_.awaits_answer(name) && !deaf_.contains(frame.connection) &&
                             !world_.has_left(frame.connection) && !dead_.contains(frame.client);
        if (is_told) teller_.told(name, story_.stamp(), gated_reply(frame.text));
        return;
    }
    if (!teller_.knows(name)) return;
    teller_.sent(name);
    before_ = look(frame.node);
}

std::vector<KeyLook> PlayCommands::look(NodeId node) {
    std::vector<KeyLook> looks;
    for (const std::string& key : keys_) looks.push_back(world_.look_at_key(node, key));
    return looks;
}

/// The frame was struck, and is at the gate again, as another command of its connection.
bool PlayCommands::comes_again(const HeldFrame& frame) const {
    return std::ranges::any_of(world_.held(), [&](const HeldFrame& each) {
        return each.way == LinkWay::request && each.connection == frame.connection &&
               each.number == frame.number + 1 && each.text == frame.text;
    });
}

void PlayCommands::after(const HeldFrame& frame, bool is_struck) {
    const Name name = name_of(frame);
    if (frame.way == LinkWay::reply || !teller_.knows(name)) return;
    if (is_struck && comes_again(frame)) {
        teller_.comes_again(name);
        seen_.insert({frame.connection, frame.number + 1});
    }
    const std::vector<KeyEffect> effects =
        effects_of(gated_command(frame.text).command, before_, look(frame.node), kAtOnce);
    teller_.went(name, story_.stamp(), effects);
}

/// In place of its answer. Without an error its connection is reset.
void PlayCommands::told_by_fault(const HeldFrame& frame, std::optional<ErrorKind> error) {
    const Name name = name_of(frame);
    if (!teller_.awaits_answer(name) || dead_.contains(frame.client)) return;
    teller_.told(name, story_.stamp(),
                 error ? Reply::error(std::string(row_of(*error).words)) : Reply::unknown());
}

void PlayCommands::delayed(const HeldFrame& frame) { teller_.sent(name_of(frame)); }

void PlayCommands::end() {
    teller_.end();
    teller_.tell(story_);
}

void name_words(History& history, const std::string& name, const std::string& as,
                const std::set<std::string>& tokens) {
    std::map<std::string, std::string> names;
    const auto named = [&](const std::string& word) {
        const std::size_t at = word.find(name);
        if (at != std::string::npos) return std::string(word).replace(at, name.size(), as);
        if (!tokens.contains(word) && !is_drawn(word)) return word;
        const auto next = "token " + std::to_string(names.size() + 1);
        return names.try_emplace(word, next).first->second;
    };
    const auto in_command = [&](Command& command) {
        // A script's digest and number of keys are no tokens.
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
            for (event::OtherKey& other : ran->others) other.key = named(other.key);
        } else if (auto* replied = std::get_if<event::Replied>(&event.detail)) {
            in_reply(replied->reply);
        } else if (auto* fault = std::get_if<event::Fault>(&event.detail)) {
            if (!fault->key.empty()) fault->key = named(fault->key);
        } else if (auto* granted = std::get_if<event::Granted>(&event.detail)) {
            std::string& token = granted->token.text;
            if (!token.empty()) token = named(token);
        }
    }
}

}  // namespace locklab
