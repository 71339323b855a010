#include "harness/explore/client_model.h"

#include <algorithm>
#include <stdexcept>

namespace locklab {

namespace {

/// What a clock that is right shows as a run begins: 2026-01-01 00:00:00 UTC.
constexpr WallTime kEpoch{std::chrono::seconds(1'767'225'600)};

constexpr std::size_t kMostNumbers = 60'000;

/// A timer never fires too early.
std::uint16_t sleep_ms(Duration sleep) {
    if (sleep > Bounds::kLongest) throw std::length_error("a lock that sleeps for so long");
    return static_cast<std::uint16_t>(std::chrono::ceil<std::chrono::milliseconds>(sleep).count());
}

}  // namespace

WallTime ClientModel::clock_at(std::int32_t ms) { return kEpoch + std::chrono::milliseconds(ms); }

ClientModel::ClientModel(const Algorithm& algorithm, const Bounds& bounds)
    : algorithm_(algorithm), bounds_(bounds) {
    nodes_.resize(2);
    nodes_[kDone].state.done = true;
    nodes_[kFirst].state.waits[0].kind = LocalWait::Kind::timer;
    nodes_[kFirst].state.waits[0].timing = Timing::lazy;
    replies_.push_back(Reply());  // a timer
    unknown_ = number_of(Reply::unknown());
    zero_ = number_of(Reply::integer(0));
    one_ = number_of(Reply::integer(1));
}

std::uint16_t ClientModel::number_of(const Reply& reply) {
    const auto key = std::pair(reply.kind(), to_string(reply));
    const auto [row, fresh] =
        reply_numbers_.try_emplace(key, static_cast<std::uint16_t>(replies_.size()));
    if (replies_.size() == kMostNumbers) throw std::length_error("too many different replies");
    if (fresh) replies_.push_back(reply);
    any_names_others_ = any_names_others_ || names_others(reply);
    return row->second;
}

bool ClientModel::names_others(const Reply& reply) {
    const std::vector<Reply>& parts = reply.elements();
    return reply.text().find("~c") != std::string::npos ||
           std::any_of(parts.begin(), parts.end(),
                       [](const Reply& part) { return names_others(part); });
}

bool ClientModel::names_others(const Command& command) {
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i].find("~c") != std::string_view::npos) return true;
    }
    return false;
}

std::uint16_t ClientModel::number_of(const Command& command) {
    const auto key = std::pair(command.script(), to_string(command));
    const auto [row, fresh] =
        command_numbers_.try_emplace(key, static_cast<std::uint16_t>(commands_.size()));
    if (commands_.size() == kMostNumbers) throw std::length_error("too many different commands");
    if (fresh) commands_.push_back(command);
    return row->second;
}

std::optional<ClientModel::Next> ClientModel::known(std::uint32_t node,
                                                    const Observed& observed) const {
    for (const Edge& edge : nodes_[node].edges) {
        const Observed& seen = edge.seen;
        const bool same = seen.reply == observed.reply && seen.slot == observed.slot &&
                          seen.slow == observed.slow &&
                          (!edge.reads_clock || seen.clock_ms == observed.clock_ms) &&
                          (!edge.reads_monotonic || seen.now_ms == observed.now_ms);
        if (same) return Next{edge.child, edge.reads_clock || edge.reads_monotonic};
    }
    return std::nullopt;
}

ClientModel::Next ClientModel::next(std::uint32_t node, const Observed& observed) {
    if (const auto child = known(node, observed)) return *child;
    const Edge made = run(node, observed);
    nodes_[node].edges.push_back(made);
    return {made.child, made.reads_clock || made.reads_monotonic};
}

ClientModel::Edge ClientModel::run(std::uint32_t parent, const Observed& observed) {
    ++runs_;
    std::vector<const Node*> path;
    Node made;
    made.parent = parent;
    made.observed = observed;
    path.push_back(&made);
    while (path.back()->parent != kFirst) path.push_back(&nodes_[path.back()->parent]);
    Puppet puppet(algorithm_, bounds_);
    std::uint32_t grants = 0;
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
        const Observed& seen = (*step)->observed;
        puppet.expect(clock_at(seen.clock_ms), monotonic_at(seen.now_ms), seen.slow);
        grants = puppet.grants();
        if ((*step)->parent == kFirst) {
            puppet.start();
            continue;
        }
        const std::vector<Puppet::Shown> waits = puppet.waits();
        const auto wait = std::find_if(waits.begin(), waits.end(), [&](const auto& shown) {
            return shown.task.value == seen.slot;
        });
        LOCKLAB_ASSERT(wait != waits.end());
        const Reply reply = seen.reply == 0 ? Reply() : replies_[seen.reply];
        puppet.observe(wait->task, wait->ticket, reply);
    }
    made.state.begins_job = puppet.asked_slow();
    made.state.names_others = nodes_[parent].state.names_others ||
                              (observed.reply != 0 && names_others(replies_[observed.reply]));
    const Edge edge{observed, kDone, puppet.asked_clock(), puppet.asked_monotonic()};
    reads_clock_ = reads_clock_ || edge.reads_clock || edge.reads_monotonic;
    made.state.inside = puppet.inside();
    made.state.granted = puppet.grants() > grants;
    made.state.done = puppet.done();
    for (const Puppet::Shown& shown : puppet.waits()) {
        if (shown.task.value >= kSlots) {
            throw std::length_error("locks with two background tasks at once are not searched");
        }
        if (shown.node != kArbiter && shown.node != NodeId{}) {
            throw std::length_error("locks on more than one server are not searched");
        }
        LocalWait& wait = made.state.waits[shown.task.value];
        wait.timing = shown.timing;
        wait.ticket = static_cast<std::uint16_t>(shown.ticket);
        wait.kind = shown.is_timer           ? LocalWait::Kind::timer
                    : shown.node == kArbiter ? LocalWait::Kind::arbiter
                                             : LocalWait::Kind::redis;
        if (shown.is_timer) {
            wait.sleep_ms = sleep_ms(shown.sleep);
        } else {
            wait.command = number_of(shown.command);
        }
    }
    has_ghosts_ = has_ghosts_ || (made.state.done && !puppet.waits().empty());
    if (made.state.done) return edge;
    nodes_.push_back(made);
    return {observed, static_cast<std::uint32_t>(nodes_.size() - 1), edge.reads_clock,
            edge.reads_monotonic};
}

}  // namespace locklab
