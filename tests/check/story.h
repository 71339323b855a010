// Histories written by hand, for the tests of checkers. Times are in milliseconds.
#pragma once

#include <string>
#include <utility>

#include "harness/core/history.h"
#include "harness/store/redis/key_shadow.h"

namespace locklab {

inline constexpr Script kDeleteOwn{"delete_own",
                                   "if redis.call('get', KEYS[1]) == ARGV[1] "
                                   "then return redis.call('del', KEYS[1]) else return 0 end"};

inline constexpr Instant ms(std::int64_t t) { return Instant(std::chrono::milliseconds(t)); }

class Story {
public:
    explicit Story(std::string world = "sim", std::string key = "k") {
        history_.world = std::move(world);
        history_.key = std::move(key);
    }

    Story& at(std::int64_t t) {
        now_ = ms(t);
        return *this;
    }
    Story& wants(std::uint32_t c) { return note(c, Phase::acquire, event::Wants{}); }
    Story& refused(std::uint32_t c) { return note(c, Phase::acquire, event::Refused{}); }
    Story& granted(std::uint32_t c, std::string token = "", std::int64_t lease = 0) {
        return note(
            c, Phase::inside,
            event::Granted{++grants_, Token{std::move(token)}, std::chrono::milliseconds(lease)});
    }
    /// With a fencing token.
    Story& fenced(std::uint32_t c, std::uint64_t fence) {
        return note(c, Phase::inside, event::Granted{++grants_, Token{}, Duration(0), fence});
    }
    Story& leaving(std::uint32_t c) { return note(c, Phase::inside, event::Leaving{}); }
    Story& lost(std::uint32_t c) { return note(c, Phase::inside, event::Lost{}); }
    Story& released(std::uint32_t c) { return note(c, Phase::release, event::Released{}); }
    Story& finished(std::uint32_t c) { return note(c, Phase::idle, event::Finished{}); }
    Story& fault(std::uint32_t c, Hazard hazard, std::int64_t amount = 0, NodeId node = {}) {
        return note(c, Phase::inside,
                    event::Fault{hazard, std::chrono::milliseconds(amount), 0, node});
    }
    Story& crash(std::uint32_t c) { return fault(c, Hazard::crash); }
    Story& wrote(std::uint32_t c, std::uint64_t grant, std::uint64_t base, std::uint64_t previous,
                 std::uint64_t version) {
        return note(c, Phase::inside, event::Wrote{base, previous, version, grant});
    }
    Story& sent(std::uint32_t c, Phase phase, std::uint64_t call, Command command,
                NodeId node = {}) {
        return note(c, phase, event::Sent{call, node, std::move(command)});
    }
    Story& replied(std::uint32_t c, std::uint64_t call, Reply reply) {
        return note(c, Phase::acquire, event::Replied{call, std::move(reply)});
    }
    /// A command ran that was sent `ago` before. Call 0 has no Sent in the history.
    Story& ran(std::uint32_t c, Phase phase, Command command, Reply reply, std::int64_t ago = 0,
               std::uint64_t call = 0, NodeId node = {}) {
        return note(c, phase,
                    event::Executed(call, node, now_ - std::chrono::milliseconds(ago),
                                    std::move(command), std::move(reply)));
    }

    Story& sets(std::uint32_t c, const char* token, std::int64_t ttl, NodeId node = {}) {
        return ran(c, Phase::acquire, Command::of("SET", "k", token, "NX", "PX", ttl), Reply::ok(),
                   0, 0, node);
    }
    Story& deletes(std::uint32_t c, Phase phase = Phase::release, NodeId node = {}) {
        return ran(c, phase, Command::of("DEL", "k"), Reply::integer(1), 0, 0, node);
    }

    History end(std::int64_t t, std::int64_t patience = 0) {
        history_.end = ms(t);
        history_.patience = std::chrono::milliseconds(patience);
        return told();
    }
    /// Ends at the last event.
    History end() {
        history_.end = now_;
        return told();
    }

    Story& tells_within(std::int64_t t) {
        history_.tells_within = std::chrono::milliseconds(t);
        return *this;
    }
    Story& clock_unit(Duration unit) {
        history_.clock_unit = unit;
        return *this;
    }

    /// What comes from now on is about that one of several locks, at a server of its own.
    Story& about(std::uint32_t lock) {
        lock_ = ResourceId{lock};
        history_.resources = std::max(history_.resources, lock + 1);
        return *this;
    }

    Story& note(std::uint32_t c, Phase phase, EventDetail detail) {
        history_.events.push_back({now_, ClientId{c}, phase, std::move(detail), lock_});
        history_.clients = std::max(history_.clients, c + 1);
        return *this;
    }

private:
    /// What commands and replies tell of the key, as for any history that nobody saw.
    History told() const {
        History history = history_;
        tell_effects(history);
        return history;
    }

    History history_;
    Instant now_;
    ResourceId lock_;
    std::uint64_t grants_ = 0;
};

}  // namespace locklab
