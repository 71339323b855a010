#include "harness/stage/script_rules.h"

#include <algorithm>

#include "harness/core/nearest.h"
#include "harness/stage/sentence_pattern.h"

namespace locklab {

namespace {

using Verb = Line::Verb;

bool is_about_client(Verb verb) {
    switch (verb) {
        case Verb::time_passes:
        case Verb::redis_restarts:
        case Verb::redis_restores:
        case Verb::redis_hangs:
        case Verb::redis_goes_on:
        case Verb::redis_evicts:
        case Verb::redis_flushed:
        case Verb::redis_clock_jumps:
        case Verb::operator_deletes:
        case Verb::replica_cut_off:
        case Verb::replica_takes_over: return false;
        default: return true;
    }
}

bool begins_to_try(Verb verb) {
    return verb == Verb::tries || verb == Verb::acquires || verb == Verb::waits ||
           verb == Verb::runs_until_before || verb == Verb::runs_until_after;
}

bool needs_a_try(Verb verb) {
    return verb == Verb::gives_up || verb == Verb::takes_again || verb == Verb::writes ||
           verb == Verb::releases;
}

std::string in_line(std::size_t number) { return "line " + std::to_string(number); }

}  // namespace

ScriptRules::ScriptRules(std::span<const std::string_view> cast, const Topology& topology)
    : cast_(cast), topology_(topology), states_(cast.size()) {}

void ScriptRules::check(const PlacedLine& placed) {
    check_server(placed);
    check_failover(placed);
    if (!is_about_client(placed.line.verb)) return;
    State& state = states_.at(placed.line.client.value);
    check_command(placed);
    check_presence(placed, state);
    check_work(placed, state);
    check_halt(placed, state);
    check_delay(placed, state);
}

std::string ScriptRules::name_of(const PlacedLine& placed) const {
    return std::string(cast_[placed.line.client.value]);
}

void ScriptRules::check_server(const PlacedLine& placed) const {
    const NodeId server = placed.line.selector.server.value_or(placed.line.server);
    const std::string name = "Redis " + std::to_string(server.value + 1);
    if (server.value >= topology_.nodes()) {
        throw LineError(placed.server_at,
                        "there is no " + name + "; right would be 'topology: masters:" +
                            std::to_string(server.value + 1) + "' or a lower number");
    }
    if (placed.line.server.value < topology_.masters || took_over_ != 0) return;
    throw LineError(placed.server_at,
                    name + " is a replica and nobody sees what happens to it; right would be " +
                        in_quotes("the replica takes over") + " first");
}

/// There is one replica, which takes over once.
void ScriptRules::check_failover(const PlacedLine& placed) {
    const Verb verb = placed.line.verb;
    const bool cuts = verb == Verb::replica_cut_off;
    const bool takes = verb == Verb::replica_takes_over;
    if (!cuts && !takes && verb != Verb::learns_master) return;
    if (topology_.replicas == 0) {
        throw LineError(placed.last_at,
                        "there is no replica; right would be 'topology: replicas:1'");
    }
    if (!cuts && !takes) return check_learning(placed);
    const std::size_t since = std::max(took_over_, cuts ? cut_off_ : 0);
    if (since != 0) {
        throw LineError(placed.last_at, std::string("the replica has ") +
                                            (took_over_ != 0 ? "taken over" : "been cut off") +
                                            " in " + in_line(since) +
                                            "; right would be to leave this out");
    }
    (cuts ? cut_off_ : took_over_) = placed.line.line;
}

void ScriptRules::check_learning(const PlacedLine& placed) {
    State& state = states_.at(placed.line.client.value);
    if (took_over_ == 0) {
        throw LineError(placed.last_at, "there is no new master here; right would be " +
                                            in_quotes("the replica takes over") + " first");
    }
    if (state.learnt != 0) {
        throw LineError(placed.last_at, name_of(placed) + " has learnt of it in " +
                                            in_line(state.learnt) +
                                            "; right would be to leave this out");
    }
    if (state.paused != 0) {
        throw LineError(placed.client_at, name_of(placed) + " is paused since " +
                                              in_line(state.paused) + "; right would be " +
                                              in_quotes(name_of(placed) + " resumes") + " first");
    }
    state.learnt = placed.line.line;
}

/// Refuses what the clients of a stage never do, whatever faults strike.
void ScriptRules::check_command(const PlacedLine& placed) const {
    const Verb verb = placed.line.verb;
    const Selector::Kind kind = placed.line.selector.kind;
    const bool runs = verb == Verb::runs_until_before || verb == Verb::runs_until_after;
    if (runs && kind == Selector::Kind::renewal) {
        throw LineError(placed.command_at,
                        "a renewal is sent by the watchdog, which runs by "
                        "itself; right would be to let time pass");
    }
    const bool late = verb == Verb::delays_reply || verb == Verb::reply_arrives;
    const bool breaks =
        verb == Verb::gets_error || verb == Verb::is_reset || verb == Verb::reply_is_reset;
    const bool fails =
        breaks || verb == Verb::loses_request || verb == Verb::loses_reply || verb == Verb::retries;
    const bool to_resource = kind == Selector::Kind::read || kind == Selector::Kind::write;
    if (!(fails || late) || !to_resource) return;
    const std::string command(to_string(placed.line.selector));
    const std::string right = name_of(placed) + "'s next " + command + " is delayed";
    throw LineError(placed.command_at,
                    (late     ? "the reply to a " + command + " is never late"
                     : breaks ? "no error answers a " + command + ", and nothing resets it"
                              : "nobody gives up on a " + command + " and sends it again") +
                        "; right would be " + in_quotes(right));
}

void ScriptRules::check_presence(const PlacedLine& placed, const State& state) const {
    // A message in the network arrives even if its sender is gone.
    if (placed.line.verb == Verb::arrives) return;
    if (state.crashed != 0) {
        throw LineError(placed.client_at, name_of(placed) + " crashed in " +
                                              in_line(state.crashed) + " and can do no more");
    }
    if (state.gave_up == 0 || begins_to_try(placed.line.verb)) return;
    throw LineError(placed.client_at, name_of(placed) + " gave up in " + in_line(state.gave_up) +
                                          "; right would be " +
                                          in_quotes(name_of(placed) + " tries") + " first");
}

void ScriptRules::check_work(const PlacedLine& placed, State& state) const {
    const Verb verb = placed.line.verb;
    if (!begins_to_try(verb) && !needs_a_try(verb)) return;
    const std::string name = name_of(placed);
    if (state.paused != 0) {
        throw LineError(placed.client_at, name + " is paused since " + in_line(state.paused) +
                                              "; right would be " + in_quotes(name + " resumes") +
                                              " first");
    }
    if (needs_a_try(verb) && !state.tried) {
        throw LineError(placed.client_at, name +
                                              " has not tried to acquire the lock in any line "
                                              "before; right would be " +
                                              in_quotes(name + " acquires") + " first");
    }
    state.tried = true;
    state.gave_up = 0;
    if (verb == Verb::gives_up) state.gave_up = placed.line.line;
}

void ScriptRules::stop(const PlacedLine& placed, std::size_t& since, const std::string& how,
                       const std::string& right) const {
    const std::string name = name_of(placed);
    if (since != 0) {
        throw LineError(placed.last_at, name + how + " since " + in_line(since) +
                                            "; right would be " + in_quotes(name + right) +
                                            " first");
    }
    since = placed.line.line;
}

void ScriptRules::go_on(const PlacedLine& placed, std::size_t& since, const std::string& how,
                        const std::string& right) const {
    const std::string name = name_of(placed);
    if (since == 0) {
        throw LineError(placed.last_at,
                        name + how + " here; right would be " + in_quotes(name + right) + " first");
    }
    since = 0;
}

void ScriptRules::check_halt(const PlacedLine& placed, State& state) const {
    switch (placed.line.verb) {
        case Verb::crashes: state.crashed = placed.line.line; break;
        case Verb::pauses: return stop(placed, state.paused, " is paused", " resumes");
        case Verb::resumes: return go_on(placed, state.paused, " is not paused", " pauses");
        case Verb::watchdog_stalls:
            return stop(placed, state.stalled, "'s watchdog stalls", "'s watchdog resumes");
        case Verb::watchdog_resumes:
            return go_on(placed, state.stalled, "'s watchdog does not stall", "'s watchdog stalls");
        case Verb::cut_off: return stop(placed, state.cut_off, " is cut off", " is reachable");
        case Verb::reachable: return go_on(placed, state.cut_off, " is not cut off", " is cut off");
        case Verb::cut_off_from:
        case Verb::reaches: return check_link(placed, state);
        default: break;
    }
}

void ScriptRules::check_link(const PlacedLine& placed, State& state) const {
    const NodeId node = placed.line.server;
    const std::string server =
        topology_.nodes() > 1 ? "Redis " + std::to_string(node.value + 1) : "Redis";
    const std::string cut = " is cut off from " + server;
    if (placed.line.verb == Verb::cut_off_from) {
        return stop(placed, state.cut_from[node], cut, " reaches " + server);
    }
    go_on(placed, state.cut_from[node], " is not cut off from " + server, cut);
}

void ScriptRules::check_delay(const PlacedLine& placed, State& state) const {
    const Verb verb = placed.line.verb;
    const bool delays = verb == Verb::delays || verb == Verb::delays_reply;
    if (!delays && verb != Verb::arrives && verb != Verb::reply_arrives) return;
    const bool reply = verb == Verb::delays_reply || verb == Verb::reply_arrives;
    const Selector& selector = placed.line.selector;
    const auto found = std::find_if(
        state.delayed.begin(), state.delayed.end(),
        [&](const Delayed& row) { return row.reply == reply && row.selector == selector; });
    // "the reply to A's next SET": the delayed message, in the words of the sentences.
    const auto words_of = [&](const Selector& which, bool of_reply, const char* next) {
        return (of_reply ? "the reply to " : "") + name_of(placed) + "'s " + next +
               std::string(to_string(which));
    };
    const std::string words = words_of(selector, reply, "");
    if (delays) {
        if (found == state.delayed.end()) {
            state.delayed.push_back({selector, reply, placed.line.line});
            return;
        }
        throw LineError(placed.command_at, words + " is delayed since " + in_line(found->line) +
                                               "; right would be " + in_quotes(words + " arrives") +
                                               " first");
    }
    if (found != state.delayed.end()) {
        state.delayed.erase(found);
        return;
    }
    std::string right = in_quotes(words_of(selector, reply, "next ") + " is delayed") + " first";
    if (!state.delayed.empty()) {
        const Delayed& other = state.delayed.front();
        right = in_quotes(words_of(other.selector, other.reply, "") + " arrives");
    }
    const std::string command(to_string(selector));
    throw LineError(placed.command_at, "no " + std::string(reply ? "reply to a " : "") + command +
                                           " of " + name_of(placed) +
                                           " is delayed here; right would be " + right);
}

}  // namespace locklab
