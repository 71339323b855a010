#include "harness/foreign/link_commands.h"

#include <algorithm>

#include "harness/foreign/link_plan.h"

namespace locklab {

namespace {

/// They name the key in the channel that they are about, and do nothing to it.
bool is_about_channel(const GatedCommand& gated) {
    return gated.signature.find("SUBSCRIBE") != std::string::npos ||
           gated.signature.find("PUBLISH") != std::string::npos;
}

}  // namespace

LinkCommands::LinkCommands(const LinkTable& table, Terms terms, ScriptTexts& scripts)
    : table_(table), terms_(std::move(terms)), scripts_(scripts) {}

void LinkCommands::see(const LinkEvent& event) {
    const Time at{std::chrono::nanoseconds(event.head.at_ns)};
    switch (event.head.moment) {
        case LinkMoment::request: return see_request(event, at);
        case LinkMoment::struck: return see_strike(event, at);
        case LinkMoment::answer:
            return see_answer(event, at, {.ran = !delayed_.contains(name_of(event))});
        case LinkMoment::withheld: return see_answer(event, at, {.told = false});
        case LinkMoment::delayed:
            delayed_.insert(name_of(event));
            return see_answer(event, at, {.told = false});
        case LinkMoment::opened:
        case LinkMoment::released:
        case LinkMoment::push:
        case LinkMoment::closed:
        case LinkMoment::refused:
        case LinkMoment::cut: return;
    }
}

void LinkCommands::see_request(const LinkEvent& event, Time at) {
    const EventHead& head = event.head;
    const bool is_whole = head.kept == head.size;
    const std::string text = is_whole ? script_text(event.bytes) : "";
    if (!text.empty()) scripts_.see(text);
    if (at < terms_.since) return;
    const Name name = name_of(event);
    GatedCommand gated = gated_command(event.bytes);
    if (gated.signature == "MULTI") {
        queues_[head.connection];
        return;
    }
    const auto queue = queues_.find(head.connection);
    const bool is_queued = queue != queues_.end();
    if (is_queued && (gated.signature == "EXEC" || gated.signature == "DISCARD")) {
        if (gated.signature == "EXEC") executing_[name] = std::move(queue->second);
        queues_.erase(queue);
        return;
    }
    const bool names_key = event.bytes.find(terms_.key) != std::string::npos;
    std::optional<std::size_t> known;
    if (names_key && !is_about_channel(gated)) {
        known = known_.size();
        Command command = command_of(gated, is_whole && gated.is_whole);
        known_.push_back({table_.client_of(head.link), table_.node_of(head.link), std::move(gated),
                          std::move(command), Phase::idle, at});
    }
    if (is_queued) {
        queue->second.push_back(known);
    } else if (known) {
        names_[name] = *known;
    }
}

/// A script as its text; as none, where that or the keys were not seen.
Command LinkCommands::command_of(const GatedCommand& gated, bool is_whole) const {
    const Command& words = gated.command;
    if (!is_whole) {
        Command command(scripts_.cut_off(gated.signature), 0);
        command.add(terms_.key);
        return command;
    }
    if (words.empty() || words[0] != "EVAL") return words;
    constexpr std::size_t kFirst = 3;  // after the word, the text and how many keys there are
    const std::int64_t keys = words.size() > kFirst ? words.number(2) : 0;
    const bool are_there = keys >= 0 && kFirst + static_cast<std::size_t>(keys) <= words.size();
    Command command(scripts_.named(gated.signature),
                    are_there ? static_cast<std::uint8_t>(keys) : std::uint8_t{0});
    for (std::size_t i = kFirst; i < words.size(); ++i) command.add(words[i]);
    return command;
}

std::optional<std::size_t> LinkCommands::known_as(const Name& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? std::nullopt : std::optional(found->second);
}

void LinkCommands::see_strike(const LinkEvent& event, Time at) {
    const EventHead& head = event.head;
    if (at < terms_.since) return;
    const auto fault = static_cast<LinkFault>(head.fault);
    const auto known = known_as(name_of(event));
    struck_.push_back({at, table_.client_of(head.link), table_.node_of(head.link), fault, known});
    // When it comes again it is the next command of its connection.
    const bool repeats = known && fault == LinkFault::repeat_request;
    if (repeats) names_[{head.connection, head.number + 1}] = *known;
}

void LinkCommands::see_answer(const LinkEvent& event, Time at, Shows shows) {
    const Name name = name_of(event);
    Reply reply = gated_reply(event.bytes);
    if (const auto known = known_as(name)) {
        if (reply.is_error() && reply.text().starts_with("NOSCRIPT")) {
            known_[*known].asks_nothing = true;
        } else {
            answered_.push_back({*known, at, std::move(reply), shows});
        }
        return;
    }
    const auto executing = executing_.find(name);
    if (executing == executing_.end() || reply.kind() != Reply::Kind::array) return;
    const Queue queue = std::move(executing->second);
    executing_.erase(executing);
    for (std::size_t i = 0; i < std::min(queue.size(), reply.elements().size()); ++i) {
        if (queue[i]) answered_.push_back({*queue[i], at, reply.elements()[i], shows});
    }
}

/// Among the keys of a script, or the words of a plain command.
bool LinkCommands::names_key() const {
    return std::ranges::any_of(known_, [&](const Known& known) {
        const Command& command = known.command;
        const std::size_t end = command.script() != nullptr ? command.keys() : command.size();
        for (std::size_t i = 0; i < end; ++i) {
            if (command[i] == terms_.key) return true;
        }
        return false;
    });
}

void LinkCommands::find_phases(const RunStory& story) {
    std::map<std::uint32_t, Renewals> renewals;
    // First learns which kinds are a watchdog's.
    for (const bool has_learnt : {false, true}) {
        for (Known& known : known_) {
            known.phase = story.phase_at(known.client, story.instant_of(known.came));
            const bool is_asked = known.phase == Phase::acquire || known.phase == Phase::release;
            Renewals& its = renewals.try_emplace(known.client.value, terms_.renews).first->second;
            const bool is_renewal = its.take(known.gated.signature, is_asked);
            if (has_learnt && is_renewal) known.phase = Phase::background;
        }
    }
}

void LinkCommands::tell_answer(RunStory& story, const Answered& answered) const {
    const Known& known = known_[answered.known];
    const std::uint64_t call = call_of(answered.known);
    const Instant at = story.instant_of(answered.at);
    if (answered.shows.ran) {
        story.note_at(at, known.client, known.phase,
                      event::Executed(call, known.node, story.instant_of(known.came), known.command,
                                      answered.reply));
    }
    if (!answered.shows.told) return;
    story.note_at(at, known.client, known.phase, event::Replied{call, answered.reply});
}

void LinkCommands::tell(RunStory& story) {
    const bool tells_commands = names_key();
    find_phases(story);
    for (std::size_t i = 0; i < known_.size() && tells_commands; ++i) {
        const Known& known = known_[i];
        if (known.asks_nothing) continue;
        story.note_at(story.instant_of(known.came), known.client, known.phase,
                      event::Sent{call_of(i), known.node, known.command});
    }
    for (const Struck& struck : struck_) {
        const Hazard hazard = LinkPlan::hazard_of(struck.fault);
        const std::uint64_t call = struck.known && tells_commands ? call_of(*struck.known) : 0;
        story.note_at(story.instant_of(struck.at), struck.client, Phase::background,
                      event::Fault{hazard, Duration(0), call, struck.node});
    }
    for (const Answered& answered : answered_) {
        if (tells_commands) tell_answer(story, answered);
    }
}

}  // namespace locklab
