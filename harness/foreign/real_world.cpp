#include "harness/foreign/real_world.h"

#include <algorithm>
#include <thread>

#include "harness/foreign/gated_command.h"
#include "harness/foreign/link_plan.h"
#include "harness/live/random_hex.h"

namespace locklab {

namespace {

/// A busy machine may be too slow for a first try, and hardly for this many.
constexpr int kOpenings = 5;
constexpr Duration kLookEvery = std::chrono::microseconds(100);
/// On a machine that keeps up, processes have said or sent within this what they have to.
constexpr Duration kComesWithin = std::chrono::milliseconds(5);
/// The play says when a server that hangs goes on, and not the servers' own plan.
constexpr Duration kUntilThawed = std::chrono::hours(1);

}  // namespace

RealWorld::RealWorld(const Subject& subject, ManagedServers& servers, Team& team,
                     const Opening& opening)
    : servers_(servers),
      team_(team),
      links_(opening.clients, servers.size()),
      began_(std::chrono::steady_clock::now()),
      players_(opening.clients) {
    servers_.begin_run();
    std::string trouble = open(opening);
    for (int again = 1; !trouble.empty() && again < kOpenings; ++again) trouble = open(opening);
    if (!trouble.empty()) {
        throw DriverTrouble("The driver of " + subject.name() + " " + trouble + ".");
    }
    for (const NodeId node : all_nodes()) {
        watches_.emplace_back(servers_.process(node).endpoint(), subject.keys_of(key_).front())
            .remove();
    }
    inbox_->close_gate();
}

/// Returns what went wrong with the lock; empty: nothing.
std::string RealWorld::open(const Opening& opening) {
    key_ = "locklab:" + RandomHex().draw(8);
    proxy_.reset();
    inbox_ = std::make_unique<GateInbox>(GateInbox::kEveryCommand);
    proxy_ = std::make_unique<ProxyThread>(
        links_.gated_plan([this](NodeId node) { return servers_.endpoint(node); }, *inbox_), false);
    Team::Opening team{key_, opening.ttl, opening.timeout, {}};
    for (std::uint32_t i = 0; i < opening.clients; ++i) {
        team.servers.push_back(links_.servers_of(ClientId{i}, *proxy_));
        if (opening.client_clocks) team.clocks_ahead.emplace_back(0);
    }
    return team_.open(team);
}

Instant RealWorld::now() const {
    const auto passed = std::chrono::steady_clock::now() - began_;
    return Instant(std::chrono::duration_cast<Duration>(passed));
}

void RealWorld::take(const GateInbox::News& news) {
    using Kind = GateInbox::News::Kind;
    ++observed_;
    if (news.kind == Kind::left) {
        left_.insert(news.connection);
    } else if (news.kind == Kind::over) {
        std::erase_if(held_,
                      [&](const HeldFrame& frame) { return frame.connection == news.connection; });
    } else {
        const LinkWay way = news.kind == Kind::request ? LinkWay::request : LinkWay::reply;
        held_.push_back(
            held_frame({news.link, news.connection, news.number, way, news.frame}, links_));
    }
}

void RealWorld::look() {
    while (const std::optional<GateInbox::News> news = inbox_->take()) take(*news);
    for (std::uint32_t i = 0; i < clients(); ++i) hear(i);
}

void RealWorld::hear(std::uint32_t client) {
    Player& player = players_[client];
    while (!player.dead && !player.stopped) {
        DriverWord word = team_.driver(client).hear(Duration(0));
        if (std::holds_alternative<DriverSilence>(word)) return;
        const bool failed = std::holds_alternative<DriverFailure>(word);
        player.words.push_back(std::move(word));
        ++observed_;
        if (failed) return;
    }
}

void RealWorld::move_to(Instant later) {
    const std::uint64_t before = observed_;
    for (look(); observed_ == before && now() < later; look()) {
        std::this_thread::sleep_for(std::min(kLookEvery, later - now()));
    }
}

void RealWorld::let_go(const HeldFrame& given, const FaultRule* fault) {
    const HeldFrame frame = given;
    std::erase_if(held_, [&](const HeldFrame& each) {
        return each.connection == frame.connection && each.way == frame.way;
    });
    const std::optional<FaultRule> rule = fault == nullptr ? std::nullopt : std::optional(*fault);
    proxy_->post([connection = frame.connection, way = frame.way, rule](FaultProxy& proxy) {
        proxy.go_on(connection, way, rule ? &*rule : nullptr);
    });
    if (rule && rule->amount == kUntilTold) {
        held_.push_back(frame);
        // The repetition is another command of its connection.
        ++held_.back().number;
    }
    const bool arrives = !rule || rule->fault == LinkFault::repeat_request ||
                         is_told_at_once(LinkPlan::hazard_of(rule->fault));
    if (arrives) settle();
}

/// Waits for the effects of the last action before anything else is done.
void RealWorld::settle() {
    const Instant end = now() + kComesWithin;
    const std::uint64_t before = observed_;
    for (look(); observed_ == before && now() < end; look()) {
        std::this_thread::sleep_for(kLookEvery);
    }
}

std::uint64_t RealWorld::ask(std::uint32_t client, DriverOp op,
                             const nlohmann::ordered_json& more) {
    const std::uint64_t id = team_.driver(client).ask(op, more);
    settle();
    return id;
}

void RealWorld::cancel(std::uint32_t client, std::uint64_t id) {
    team_.driver(client).cancel(id);
    settle();
}

std::vector<DriverWord> RealWorld::take_words(std::uint32_t client) {
    look();
    return std::exchange(players_[client].words, {});
}

void RealWorld::freeze_server(NodeId node) { servers_.freeze(node, kUntilThawed); }

void RealWorld::stop(std::uint32_t client) {
    players_[client].stopped = team_.driver(client).process().stop();
}

void RealWorld::go_on(std::uint32_t client) {
    if (std::exchange(players_[client].stopped, false)) team_.driver(client).process().go_on();
}

void RealWorld::kill(std::uint32_t client) {
    go_on(client);
    team_.driver(client).process().kill();
    players_[client].dead = true;
}

void RealWorld::close(std::span<const bool> well) {
    for (std::uint32_t i = 0; i < clients(); ++i) go_on(i);
    proxy_->stop();
    team_.close(well);
}

}  // namespace locklab
