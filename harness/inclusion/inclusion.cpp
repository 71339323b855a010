#include "harness/inclusion/inclusion.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "harness/core/counted.h"
#include "harness/core/sha1.h"
#include "harness/core/upper.h"
#include "harness/inclusion/order_search.h"

namespace locklab {

namespace {

using Found = Inclusion::Found;

/// The server's clock and the one that histories are written in are read by two processes.
constexpr Duration kSlack = std::chrono::milliseconds(2);

/// Whether a server ran a script by a name that nobody had told it in this history.
bool knew_scripts_before(const History& history) {
    std::set<std::pair<NodeId, std::string>> told;
    for (const Event& event : history.events) {
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        if (ran == nullptr || ran->command.empty()) continue;
        const Command& command = ran->command;
        const std::string name = command.script() != nullptr ? "EVAL" : upper(command[0]);
        const auto tell = [&](std::string_view text) {
            told.insert({ran->node, to_hex(sha1(text))});
        };
        if (command.script() != nullptr) {
            tell(command.script()->lua);
        } else if (name == "EVAL" && command.size() > 1) {
            tell(command[1]);
        } else if (name == "SCRIPT" && command.size() > 2) {
            tell(command[2]);
        } else if (name == "EVALSHA" && command.size() > 1) {
            const bool missed =
                ran->reply.is_unknown() ||
                (ran->reply.is_error() && ran->reply.text().starts_with("NOSCRIPT"));
            if (!missed && !told.contains({ran->node, std::string(command[1])})) return true;
        }
    }
    return false;
}

class Finder {
public:
    Finder(const History& history, const ServerNotes& notes, std::uint64_t most)
        : history_(history),
          notes_(notes),
          log_(executions_of(history, notes.noted_late)),
          slack_(history.world == "sim" ? Duration::zero() : kSlack),
          budget_(most) {
        scripts_.forget_not_modelled();
    }

    Inclusion find() {
        for (const auto& [node, server] : log_.servers) {
            for (const Execution& must : server.must) found_.executions += must.fault == nullptr;
            found_.unanswered += server.may.size();
        }
        if (!log_.not_followed.empty()) return undecided(log_.not_followed);
        if (history_.world != "sim" && knew_scripts_before(history_)) {
            return undecided("which scripts the server had cached as the run began is not told");
        }
        for (const auto& [node, server] : log_.servers) {
            if (server.took_over) continue;
            OrderSearch search(history_, server, slack_, scripts_, budget_);
            if (!follow(search, search.run(beginning(node)), node)) return found_;
            if (node == NodeId{}) master_ = search.moments();
        }
        for (const auto& [node, server] : log_.servers) {
            if (server.took_over && !follow_replica(server)) return found_;
        }
        return found_;
    }

private:
    ServerMoment beginning(NodeId node) const {
        ServerMoment moment{Instant(), RedisModel(), Duration::zero()};
        const auto keys = notes_.keys.find(node);
        if (keys == notes_.keys.end()) return moment;
        for (const KeyEntry& key : keys->second) moment.redis.put(key);
        return moment;
    }

    Inclusion& undecided(std::string why) {
        found_.found = Found::undecided;
        found_.why = std::move(why);
        return found_;
    }

    bool follow(const OrderSearch& search, OrderSearch::End end, NodeId node) {
        if (!scripts_.not_modelled().empty()) {
            undecided("the model of Redis does not know " + scripts_.not_modelled());
            return false;
        }
        if (end == OrderSearch::End::found) return true;
        if (end == OrderSearch::End::unknown) {
            undecided("too much was under way at once, in too many orders");
            return false;
        }
        found_.found = Found::refused;
        found_.event = search.event();
        found_.why = search.why();
        if (log_.servers.size() > 1)
            found_.why += " (Redis " + std::to_string(node.value + 1) + ")";
        return false;
    }

    /// What it has is what its master had after some command, the later the likelier.
    bool follow_replica(const ServerLog& server) {
        if (server.must.empty()) return true;
        for (std::size_t i = master_.size(); i-- > 0;) {
            if (master_[i].now > *server.took_over + slack_) continue;
            OrderSearch search(history_, server, slack_, scripts_, budget_);
            ServerMoment replica = master_[i];
            replica.redis.script_flush();
            const OrderSearch::End end = search.run(replica);
            if (end == OrderSearch::End::found) return true;
            if (end == OrderSearch::End::unknown) break;
        }
        undecided("what the replica answered fits nothing that its master had in the order found");
        return false;
    }

    const History& history_;
    const ServerNotes& notes_;
    const Executions log_;
    const Duration slack_;
    std::uint64_t budget_;
    ScriptEngine scripts_;
    std::vector<ServerMoment> master_{ServerMoment()};
    Inclusion found_;
};

}  // namespace

Inclusion find_order(const History& history, const ServerNotes& notes, std::uint64_t most) {
    return Finder(history, notes, most).find();
}

void InclusionCount::add(const Inclusion& inclusion, std::uint64_t run) {
    switch (inclusion.found) {
        case Found::accepted: ++accepted; return;
        case Found::undecided: ++undecided; return;
        case Found::refused: break;
    }
    if (refused++ > 0) return;
    first_run = run;
    first_why = to_text(inclusion);
}

std::string to_text(const InclusionCount& count) {
    const std::uint64_t all = count.histories();
    if (count.refused > 0) {
        return "the rules do not allow " + std::to_string(count.refused) + " of " +
               counted(all, "history", "histories") + "; the first, run " +
               std::to_string(count.first_run) + ": " + count.first_why;
    }
    if (count.undecided > 0) {
        return "the rules allow " + std::to_string(count.accepted) + " of " +
               counted(all, "history", "histories") + ", and of the others it is not known";
    }
    return "the rules allow " + counted(all, "history", "histories");
}

std::string to_text(const Inclusion& inclusion) {
    const std::string replies = counted(inclusion.executions, "command");
    switch (inclusion.found) {
        case Found::accepted:
            return "the rules allow what the servers answered: " + replies + " in order" +
                   (inclusion.unanswered > 0
                        ? ", " + std::to_string(inclusion.unanswered) + " more without an answer"
                        : "");
        case Found::refused:
            return "no rule allows event " + std::to_string(*inclusion.event + 1) + ": " +
                   inclusion.why;
        case Found::undecided: break;
    }
    return "whether the rules allow what the servers answered is not known: " + inclusion.why;
}

}  // namespace locklab
