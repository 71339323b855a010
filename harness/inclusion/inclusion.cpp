#include "harness/inclusion/inclusion.h"

#include <cctype>
#include <functional>
#include <map>
#include <memory>
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

/// The server's clock and the clock of the history are read by two processes.
constexpr Duration kSlack = std::chrono::milliseconds(2);

/// The scripts that servers had cached as a run began, as far as anybody can tell.
struct CachedBefore {
    /// By node: those that it ran by a name that nobody had told it by then.
    std::map<NodeId, std::set<const std::string*>> scripts;
    bool has_unknown = false;  ///< there is one of which nobody tells the text
};

/// Every text that is known, by its digest.
using Texts = std::map<std::string, std::string, std::less<>>;

/// The text of the script that the command brings, if it brings one.
std::string_view text_in(const Command& command) {
    if (command.script() != nullptr) return command.script()->lua;
    if (command.size() < 2) return {};
    const std::string name = upper(command[0]);
    if (name == "EVAL") return command[1];
    const bool loads = name == "SCRIPT" && command.size() > 2 && upper(command[1]) == "LOAD";
    return loads ? command[2] : std::string_view();
}

Texts texts_of(const History& history, const ServerNotes& notes) {
    Texts texts;
    const auto add = [&](std::string_view text) {
        if (!text.empty()) texts.emplace(to_hex(sha1(text)), text);
    };
    for (const std::string& text : notes.scripts) add(text);
    for (const Event& event : history.events) {
        if (const auto* ran = std::get_if<event::Executed>(&event.detail))
            add(text_in(ran->command));
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) add(text_in(sent->command));
    }
    return texts;
}

/// The digests that the command names, with whether its reply says that the script was there.
std::vector<std::pair<std::string, bool>> asked_by(const event::Executed& ran) {
    const Command& command = ran.command;
    if (ran.reply.is_unknown() || command.size() < 2) return {};
    const std::string name = upper(command[0]);
    const auto lower = [](std::string_view word) {
        std::string digest(word);
        for (char& digit : digest) digit = static_cast<char>(std::tolower(digit));
        return digest;
    };
    if (name == "EVALSHA") {
        const bool missed = ran.reply.is_error() && ran.reply.text().starts_with("NOSCRIPT");
        return {{lower(command[1]), !missed}};
    }
    std::vector<std::pair<std::string, bool>> asked;
    const bool looks = name == "SCRIPT" && upper(command[1]) == "EXISTS";
    if (!looks || ran.reply.kind() != Reply::Kind::array) return asked;
    for (std::size_t i = 2; i < command.size() && i - 2 < ran.reply.elements().size(); ++i) {
        asked.emplace_back(lower(command[i]), ran.reply.elements()[i - 2].is_integer(1));
    }
    return asked;
}

CachedBefore cached_before(const History& history, const Texts& texts) {
    CachedBefore before;
    std::set<std::pair<NodeId, std::string>> told;  ///< or asked for, whatever came of it
    for (const Event& event : history.events) {
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        if (ran == nullptr || ran->command.empty()) continue;
        const std::string_view brought = text_in(ran->command);
        if (!brought.empty()) told.insert({ran->node, to_hex(sha1(brought))});
        for (const auto& [digest, is_there] : asked_by(*ran)) {
            if (!told.insert({ran->node, digest}).second || !is_there) continue;
            const auto text = texts.find(digest);
            before.has_unknown = before.has_unknown || text == texts.end();
            if (text != texts.end()) before.scripts[ran->node].insert(&text->second);
        }
    }
    return before;
}

class Finder {
public:
    Finder(const History& history, const ServerNotes& notes, std::uint64_t most)
        : history_(history),
          notes_(notes),
          log_(executions_of(history, notes.noted_late)),
          texts_(texts_of(history, notes)),
          slack_(history.world == "sim" ? Duration::zero() : kSlack),
          budget_(most) {
        scripts_.forget_not_modelled();
        scripts_.run_in(history.server);
    }

    Inclusion find() {
        for (const auto& [node, server] : log_.servers) {
            for (const Execution& must : server.must) found_.executions += must.fault == nullptr;
            found_.unanswered += server.may.size();
        }
        if (!log_.not_followed.empty()) return undecided(log_.not_followed);
        if (history_.world != "sim") cached_ = cached_before(history_, texts_);
        if (cached_.has_unknown) {
            return undecided("the text of a script that the server had cached is not told");
        }
        follow_all();
        // What was answered first need not have run first: perhaps nothing was cached.
        if (found_.found == Found::refused && !cached_.scripts.empty()) {
            const Inclusion refused = std::exchange(found_, Inclusion());
            found_.executions = refused.executions;
            found_.unanswered = refused.unanswered;
            cached_.scripts.clear();
            follow_all();
            if (found_.found == Found::refused) found_ = refused;
        }
        return found_;
    }

private:
    void follow_all() {
        for (const auto& [node, server] : log_.servers) {
            if (server.took_over) continue;
            OrderSearch search(history_, server, slack_, scripts_, budget_);
            if (!follow(search, search.run(beginning(node)), node)) return;
            if (node == NodeId{}) master_ = search.moments();
        }
        for (const auto& [node, server] : log_.servers) {
            if (server.took_over && !follow_replica(server, node)) return;
        }
    }

    ServerMoment beginning(NodeId node) const {
        ServerMoment moment{Instant(), RedisModel(), Duration::zero()};
        add_cached(moment, node);
        const auto keys = notes_.keys.find(node);
        if (keys == notes_.keys.end()) return moment;
        for (const KeyEntry& key : keys->second) moment.redis.put(key);
        return moment;
    }

    void add_cached(ServerMoment& moment, NodeId node) const {
        const auto cached = cached_.scripts.find(node);
        if (cached == cached_.scripts.end()) return;
        for (const std::string* text : cached->second) {
            moment.redis.script_cache().add(sha1(*text),
                                            std::make_shared<const std::string>(*text));
        }
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
            undecided(kTooManyOrders);
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
    bool follow_replica(const ServerLog& server, NodeId node) {
        if (server.must.empty()) return true;
        for (std::size_t i = master_.size(); i-- > 0;) {
            if (master_[i].now > *server.took_over + slack_) continue;
            OrderSearch search(history_, server, slack_, scripts_, budget_);
            ServerMoment replica = master_[i];
            replica.redis.script_flush();
            add_cached(replica, node);
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
    const Texts texts_;
    CachedBefore cached_;
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
        case Found::undecided:
            if (undecided++ == 0) first_undecided = inclusion.why;
            return;
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
               counted(all, "history", "histories") +
               ", and of the others it is not known: " + count.first_undecided;
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
