#include "harness/store/redis/key_shadow.h"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/store/redis/redis_call.h"
#include "harness/store/redis/redis_text.h"

namespace locklab {

namespace {

using Kind = KeyEffect::Kind;
using Source = KeyEffect::Source;
using State = std::optional<KeyEntry>;

/// A deadline this far ahead may really be past: the clock was read, and a reply took its time.
constexpr Duration kSlack = std::chrono::milliseconds(10);
constexpr std::size_t kMostPast = 4;
/// The most keys that are kept; beyond that, only the current one is. No single lock has as many.
constexpr std::size_t kMostKeys = 64;
constexpr std::int64_t kLongMs = 86'400'000;

/// Whether the model's reply may be the real one. Times to live and counters may differ.
bool agrees(const Reply& real, const Reply& model) {
    if (real.kind() != model.kind()) return false;
    switch (real.kind()) {
        case Reply::Kind::integer:
            return real == model || (real.as_integer() > 1 && model.as_integer() > 1);
        case Reply::Kind::array:
            return std::ranges::equal(real.elements(), model.elements(), agrees);
        case Reply::Kind::error: return true;
        default: return real == model;
    }
}

KeyEntry entry_of(std::string_view key, KeyValue value, std::int64_t deadline_ms) {
    return {std::string(key), std::move(value), deadline_ms};
}

/// The states that the command or its reply mentions: they hold one of its words.
std::vector<State> spoken_of(const std::vector<Command>& commands, const Reply& reply,
                             std::string_view key, std::int64_t now_ms) {
    std::vector<std::string> words;
    for (const Command& command : commands) {
        for (std::size_t i = 1; i < command.size(); ++i) words.emplace_back(command[i]);
    }
    if (reply.is_bulk()) words.push_back(reply.text());
    words.emplace_back("somebody's");
    std::vector<State> states;
    for (const std::int64_t deadline_ms : {kNever, now_ms + kLongMs}) {
        for (const std::string& word : words) {
            states.push_back(entry_of(key, word, deadline_ms));
            for (const char* count : {"1", "2"}) {
                HashValue hash;
                hash.set(word, count);
                states.push_back(entry_of(key, std::move(hash), deadline_ms));
            }
        }
    }
    return states;
}

void put(RedisModel& redis, std::string_view key, const State& state) {
    redis.evict(key);
    if (state) redis.put(*state);
}

State state_of(const RedisModel& redis, std::string_view key) {
    const KeyEntry* const entry = redis.keys().stored(key);
    return entry != nullptr ? State(*entry) : std::nullopt;
}

}  // namespace

KeyShadow::KeyShadow(const HistoryHead& head, const std::map<NodeId, std::vector<KeyEntry>>& keys)
    // If a history does not tell when it began, any instant will do.
    : key_(head.key), began_(head.began == WallTime() ? kEpoch : head.began) {
    scripts_.run_in(head.server);
    for (const auto& [node, entries] : keys) {
        for (const KeyEntry& entry : entries) servers_[node].redis.put(entry);
    }
}

void KeyShadow::tell(Event& event) {
    if (const auto* fault = std::get_if<event::Fault>(&event.detail)) strike(*fault);
    auto* const ran = std::get_if<event::Executed>(&event.detail);
    if (ran == nullptr) return;
    if (!runs({event.client, event.phase == Phase::background}, *ran)) {
        if (ran->effect.source == Source::untold) ran->effect = {.source = Source::replayed};
        return;
    }
    const Command& first = run_by_it_.front();
    const std::string key(key_.empty() && !first.empty() ? first.key() : key_);
    Server& server = servers_[ran->node];
    if (ran->effect.source == Source::untold) {
        Outcome outcome = replay(server, *ran, key, event.at);
        ran->effect = outcome.effect;
        ran->others = std::move(outcome.others);
    } else {
        follow(server, *ran, key, event.at);
    }
    remember(server, key);
}

bool KeyShadow::runs(const Way& way, const event::Executed& ran) {
    run_by_it_.assign(1, ran.command);
    const bool is_plain = ran.command.script() == nullptr && !ran.command.empty();
    const auto is = [&](std::string_view name) {
        return is_plain && is_word(ran.command[0], name);
    };
    const auto open = queued_.find(way);
    if (is("multi") && ran.reply.is_ok()) queued_[way].clear();
    if (is("multi") || is("watch") || is("unwatch")) return false;
    const bool is_told = ran.reply.kind() == Reply::Kind::array;
    if (open == queued_.end()) return is("exec") ? is_told : !is("discard");
    if (ran.reply == Reply::status("QUEUED")) {
        open->second.push_back(ran.command);
        return false;
    }
    if (!is("exec") && !is("discard")) return true;
    run_by_it_ = std::move(open->second);
    queued_.erase(open);
    return is("exec") && (is_told || ran.reply.is_unknown()) && !run_by_it_.empty();
}

bool KeyShadow::can_run() const {
    return std::ranges::all_of(run_by_it_, [](const Command& command) {
        return !command.is_none() && (!command.script() || !command.script()->lua.empty());
    });
}

KeyShadow::Outcome KeyShadow::run(RedisModel& redis, const event::Executed& ran,
                                  std::string_view key, Instant at) {
    delta_.before(redis, key, time(at, ran.node));
    Outcome outcome;
    scripts_.forget_not_modelled();
    std::vector<Reply> replies;
    for (const Command& command : run_by_it_) {
        replies.push_back(redis.execute(command, time(at, ran.node), scripts_));
    }
    const bool is_exec = ran.command.size() == 1 && is_word(ran.command[0], "exec");
    outcome.reply = is_exec ? Reply::array(std::move(replies)) : std::move(replies.front());
    const std::string& unknown = scripts_.not_modelled();
    if (!unknown.empty() && scripts_.exceeded() != nullptr)
        throw ScriptBeyondLimits(unknown + " are not run");
    outcome.effect = delta_.after(redis);
    outcome.effect.source = Source::replayed;
    outcome.others = delta_.others(redis);
    for (event::OtherKey& other : outcome.others) other.effect.source = Source::replayed;
    return outcome;
}

KeyShadow::Outcome KeyShadow::replay(Server& server, const event::Executed& ran,
                                     std::string_view key, Instant at) {
    if (!can_run()) return {{}, {.source = Source::uncertain}};
    if (server.displaced && ran.sent < server.displaced_at) {
        RedisModel before = server.redis;
        put(before, key, server.displaced);
        const Outcome outcome = run(before, ran, key, at);
        if (outcome.effect.kind != Kind::none && agrees(ran.reply, outcome.reply)) {
            server.displaced.reset();
            return outcome;
        }
    }
    RedisModel before = server.redis;
    Outcome outcome = run(server.redis, ran, key, at);
    if (agrees(ran.reply, outcome.reply)) return outcome;
    if (ran.reply.is_unknown()) {
        outcome.effect.source = Source::uncertain;
        return outcome;
    }
    server.redis = std::move(before);
    return work_out(server, ran, key, at);
}

KeyShadow::Outcome KeyShadow::work_out(Server& server, const event::Executed& ran,
                                       std::string_view key, Instant at) {
    const std::int64_t now_ms = milliseconds(time(at, ran.node));
    const State held = state_of(server.redis, key);
    const std::int64_t slack_ms = (kSlack + (at - ran.sent)) / std::chrono::milliseconds(1);
    const bool may_be_past = held && held->has_deadline() && held->deadline_ms - slack_ms <= now_ms;
    std::vector<State> seen{std::nullopt};
    for (auto past = server.past.rbegin(); past != server.past.rend(); ++past) {
        State state = *past;
        if (state->name != key) continue;
        if (state->expired(now_ms)) state->deadline_ms = kNever;
        seen.push_back(std::move(state));
    }
    for (const std::vector<State>& states : {seen, spoken_of(run_by_it_, ran.reply, key, now_ms)}) {
        std::optional<Outcome> found;
        for (const State& state : states) {
            RedisModel redis = server.redis;
            put(redis, key, state);
            Outcome outcome = run(redis, ran, key, at);
            if (!agrees(ran.reply, outcome.reply)) continue;
            if (found && found->effect.kind == outcome.effect.kind) continue;
            if (found) {
                found->effect.source = Source::uncertain;
                break;
            }
            found = std::move(outcome);
            server.redis = std::move(redis);
            if (state) continue;
            if (may_be_past) break;
            server.displaced = held;
            server.displaced_at = at;
        }
        if (found) return *found;
    }
    // Refused before it ran: no memory, no permission, a replica.
    const bool refused = ran.reply.is_error() && ran.command.script() == nullptr;
    return {{}, {.source = refused ? Source::replayed : Source::uncertain}};
}

void KeyShadow::follow(Server& server, const event::Executed& ran, std::string_view key,
                       Instant at) {
    if (can_run()) run(server.redis, ran, key, at);
    State state = state_of(server.redis, key);
    const std::int64_t now_ms = milliseconds(time(at, ran.node));
    const std::int64_t ttl_ms = ran.effect.ttl / std::chrono::milliseconds(1);
    const std::int64_t deadline_ms = ttl_ms > 0 ? now_ms + ttl_ms : kNever;
    switch (ran.effect.kind) {
        case Kind::none: return;
        case Kind::deleted: state.reset(); break;
        case Kind::created:
        case Kind::replaced:
        case Kind::extended:
            if (!state) state = entry_of(key, "somebody's", deadline_ms);
            if (!can_run()) state->deadline_ms = deadline_ms;
            break;
    }
    put(server.redis, key, state);
}

void KeyShadow::strike(const event::Fault& fault) {
    if (takes_over(fault.hazard)) {
        servers_[fault.node] = servers_[NodeId{0}];
        servers_[fault.node].redis.script_flush();
    }
    Server& server = servers_[fault.node];
    if (fault.hazard == Hazard::server_clock_jump) server.clock_offset += fault.amount;
    if (fault.hazard == Hazard::restart) server.redis = RedisModel();
    if (fault.hazard == Hazard::flush) server.redis.flush();
    if (fault.hazard != Hazard::evict) return;
    const std::string& key = fault.key.empty() ? key_ : fault.key;
    key.empty() ? server.redis.flush() : void(server.redis.evict(key));
}

void KeyShadow::remember(Server& server, std::string_view key) {
    const State now = state_of(server.redis, key);
    if (server.redis.keys().entries().size() > kMostKeys) {
        server.redis.flush();
        put(server.redis, key, now);
    }
    if (!now) return;
    std::erase_if(server.past, [&](const KeyEntry& old) {
        return old.name == now->name && old.value == now->value;
    });
    server.past.push_back(*now);
    if (server.past.size() > kMostPast) server.past.erase(server.past.begin());
}

void tell_effects(History& history, const std::map<NodeId, std::vector<KeyEntry>>& keys) {
    const bool all_told = std::ranges::none_of(history.events, [](const Event& event) {
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        return ran != nullptr && ran->effect.source == Source::untold;
    });
    if (all_told) return;
    KeyShadow shadow(history, keys);
    for (Event& event : history.events) shadow.tell(event);
}

}  // namespace locklab
