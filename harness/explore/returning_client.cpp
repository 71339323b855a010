// A client whose tries or rounds are used up comes again. Its past is kept only if it matters: if
// the client acts differently from a new one.

#include <algorithm>

#include "harness/explore/client_model.h"

namespace locklab {

namespace {

/// The comparison gives up on a longer try.
constexpr int kMostStepsOfATry = 64;

/// The name with the client's own tokens counted from `by` on. A token from before that gets a name
/// that no new token has.
std::string count_from(std::string_view named, const std::string& own, std::uint32_t by) {
    return with_names(named, [&](std::string_view inside) {
        const bool is_own = own.empty() ? !inside.starts_with('c') : inside.starts_with(own);
        if (!is_own) return kNameBegins + std::string(inside) + kNameEnds;
        const std::uint64_t count = std::stoull(std::string(inside.substr(own.size())));
        const std::string number =
            count > by ? std::to_string(count - by) : "old" + std::to_string(count);
        return kNameBegins + own + number + kNameEnds;
    });
}

/// The inverse of count_from() for tokens after `by`.
std::string count_on(std::string_view named, const std::string& own, std::uint32_t by) {
    return with_names(named, [&](std::string_view inside) {
        const bool is_own = own.empty() ? !inside.starts_with('c') : inside.starts_with(own);
        if (!is_own) return kNameBegins + std::string(inside) + kNameEnds;
        const std::uint64_t count = std::stoull(std::string(inside.substr(own.size())));
        return kNameBegins + own + std::to_string(count + by) + kNameEnds;
    });
}

/// Servers that store nothing.
class FreeServers {
public:
    FreeServers(std::uint32_t servers, ScriptEngine& scripts)
        : servers_(servers), scripts_(scripts) {}

    Reply answer(const Actor::Shown& wait, const Command& command) {
        if (wait.node == kOracle) return Reply::integer(1);
        if (!wait.to_all) return ask(wait.node.value, command);
        std::vector<Reply> all;
        for (std::uint32_t i = 0; i < servers_.size(); ++i) all.push_back(ask(i, command));
        return Reply::array(std::move(all));
    }

private:
    Reply ask(std::uint32_t server, const Command& command) {
        return servers_[server].execute(command, kEpoch, scripts_);
    }

    std::vector<RedisModel> servers_;
    ScriptEngine& scripts_;
};

}  // namespace

void ClientModel::run_to(Actor& actor, std::uint32_t node, std::uint32_t client) {
    const std::string own = "c" + std::to_string(client) + ".";
    // If clients are alike, a client's own tokens do not name their owner.
    const auto real = [&](std::string_view text) {
        return names_.real(with_names(text, [&](std::string_view inside) {
            return kNameBegins + (inside.starts_with('c') ? "" : own) + std::string(inside) +
                   kNameEnds;
        }));
    };
    const bool is_there = follow(actor, path_to(node), real, [] {});
    LOCKLAB_ASSERT(is_there && "it is a client of that number");
}

/// Both clients find the lock free; they are compared up to the end of the first try.
bool ClientModel::comes_again_as_new(std::uint32_t client, std::span<const Observed> path,
                                     Tokens tokens) {
    const std::uint32_t owner = apart_ ? client : kSelf;
    const std::string own = apart_ ? "c" + std::to_string(client) + "." : "";
    const Actor::Identity identity{ClientId{client}, owner, &names_};
    const auto real = [&](std::string_view text) { return names_.real(text); };
    Actor old(algorithm_, returning_, identity);
    if (!follow(old, path, real, [] {})) return false;
    const std::uint32_t drawn = tokens == Tokens::go_on ? old.tokens() : 0;
    const std::uint32_t grants = old.grants();
    old.come_again();
    Actor fresh(algorithm_, returning_, identity);
    fresh.expect(clock_at(path.back().clock_ms), monotonic_at(path.back().now_ms), false);
    fresh.try_on();
    fresh.start();
    FreeServers servers(bounds_.servers, scripts_);
    for (int step = 0; step < kMostStepsOfATry; ++step) {
        const bool is_over = fresh.grants() > 0 || fresh.is_between_tries();
        if (is_over) {
            return (old.grants() > grants) == (fresh.grants() > 0) &&
                   old.is_between_tries() == fresh.is_between_tries();
        }
        if (old.grants() > grants || old.is_between_tries()) return false;
        const Actor::Shown* const its = old.wait_of(TaskId{});
        const Actor::Shown* const wait = fresh.wait_of(TaskId{});
        if (its == nullptr || wait == nullptr || its->is_timer != wait->is_timer) return false;
        if (wait->is_timer) {
            if (its->sleep != wait->sleep) return false;
            old.observe(Actor::Shown(*its), Reply());
            fresh.observe(Actor::Shown(*wait), Reply());
            continue;
        }
        const Command& asked = fresh.command_of(*wait);
        const auto named = [&](std::string_view word) { return names_.named(word); };
        const auto counted = [&](std::string_view word) {
            return count_from(names_.named(word), own, drawn);
        };
        const bool is_same = its->node == wait->node && its->to_all == wait->to_all &&
                             old.command_of(*its).script() == asked.script() &&
                             to_string(with_words(old.command_of(*its), counted)) ==
                                 to_string(with_words(asked, named));
        if (!is_same) return false;
        const Reply reply = servers.answer(*wait, asked);
        const Reply to_old = with_text(reply, [&](std::string_view text) {
            return names_.real(count_on(names_.named(text), own, drawn));
        });
        old.observe(Actor::Shown(*its), to_old);
        fresh.observe(Actor::Shown(*wait), reply);
    }
    return true;
}

}  // namespace locklab
