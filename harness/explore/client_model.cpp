#include "harness/explore/client_model.h"

#include <algorithm>
#include <stdexcept>

#include "harness/check/judge.h"

namespace locklab {

namespace {

constexpr std::size_t kMostNumbers = 60'000;
/// Most steps of a background task while its client is outside the lock and does nothing.
constexpr std::size_t kMostAlone = 4;
/// How the name of another client's token begins, if clients are alike.
constexpr char kOfAnother[] = {kNameBegins, 'c', '\0'};

/// Rounds up: a timer never fires too early.
std::uint16_t sleep_ms(Duration sleep) {
    if (sleep > Bounds::kLongest) {
        throw std::length_error("locks that sleep for more than half a minute are not searched");
    }
    return static_cast<std::uint16_t>(std::chrono::ceil<std::chrono::milliseconds>(sleep).count());
}

}  // namespace

WallTime ClientModel::clock_at(std::int32_t ms) { return kEpoch + std::chrono::milliseconds(ms); }

ClientModel::ClientModel(const Algorithm& algorithm, const Bounds& bounds, ToldApart apart)
    : algorithm_(algorithm),
      bounds_(bounds),
      apart_(apart.clients),
      has_like_servers_(!apart.servers && bounds.may_have_like_servers() && algorithm.new_each_try),
      returning_(returning_bounds(bounds)),
      names_(bounds.tokens),
      other_names_(bounds.tokens == TokenStyle::same_tail ? TokenStyle::same_head
                                                          : TokenStyle::same_tail) {
    scripts_.run_in(algorithm.server);
    nodes_.resize(kEndedWithTokens + 1);
    for (const std::uint32_t ended : {kEnded, kEndedWithTokens}) {
        nodes_[ended].state.waits[0].kind = LocalWait::Kind::timer;
        nodes_[ended].state.waits[0].timing = Timing::never;
    }
    nodes_[kDone].state.done = true;
    for (std::uint32_t i = 0; i < Bounds::kMostClients; ++i) {
        nodes_[kFirst + i].state.waits[0].kind = LocalWait::Kind::timer;
        nodes_[kFirst + i].state.waits[0].timing = Timing::lazy;
        nodes_[kFirst + i].state.begins_anew = algorithm.new_each_try;
    }
    replies_.push_back(Reply());  // a timer
    unknown_ = number_of(Reply::unknown());
    zero_ = number_of(Reply::integer(0));
    one_ = number_of(Reply::integer(1));
    if (bounds.faults[Hazard::error_reply] == 0) return;
    for (const ErrorKind kind : {ErrorKind::loading, ErrorKind::noscript}) {
        errors_[static_cast<std::size_t>(kind)] =
            number_of(Reply::error(std::string(row_of(kind).words)));
    }
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

std::uint16_t ClientModel::number_of_all(const std::vector<std::uint16_t>& replies) {
    const auto [row, fresh] = lists_.try_emplace(replies, std::uint16_t{0});
    if (!fresh) return row->second;
    if (replies_.size() == kMostNumbers) throw std::length_error("too many different replies");
    std::vector<Reply> list;
    for (const std::uint16_t reply : replies) list.push_back(replies_[reply]);
    row->second = static_cast<std::uint16_t>(replies_.size());
    replies_.push_back(Reply::array(std::move(list)));
    replies_of_.emplace(row->second, replies);
    return row->second;
}

std::optional<std::uint16_t> ClientModel::known_number_of_all(
    const std::vector<std::uint16_t>& replies) const {
    const auto row = lists_.find(replies);
    return row == lists_.end() ? std::nullopt : std::optional(row->second);
}

bool ClientModel::names_others(const Reply& reply) {
    const std::vector<Reply>& parts = reply.elements();
    return reply.text().find(kOfAnother) != std::string::npos ||
           std::any_of(parts.begin(), parts.end(),
                       [](const Reply& part) { return names_others(part); });
}

bool ClientModel::names_others(const Command& command) {
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i].find(kOfAnother) != std::string_view::npos) return true;
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
        const bool same = seen.reply == observed.reply && seen.task == observed.task &&
                          seen.slow == observed.slow &&
                          (!edge.reads_clock || seen.clock_ms == observed.clock_ms) &&
                          (!edge.reads_monotonic || seen.now_ms == observed.now_ms);
        if (same) return Next{edge.child, tells_time(edge)};
    }
    return std::nullopt;
}

ClientModel::Next ClientModel::next(std::uint32_t node, const Observed& observed) {
    if (const auto child = known(node, observed)) return *child;
    const Edge made = run(node, observed);
    nodes_[node].edges.push_back(made);
    return {made.child, tells_time(made)};
}

std::size_t ClientModel::alone_since(std::uint32_t node) const {
    std::size_t steps = 0;
    while (!is_first(node) && !nodes_[node].state.inside && nodes_[node].observed.task != 0) {
        node = nodes_[node].parent;
        ++steps;
    }
    return steps;
}

ClientModel::Edge ClientModel::run(std::uint32_t parent, const Observed& observed) {
    std::vector<Observed> path = path_to(parent);
    path.push_back(observed);
    const std::uint32_t client = first_of(parent) - kFirst;
    Outcome outcome = run_as({ClientId{client}, apart_ ? client : kSelf, &names_}, path);
    compare(client, path, outcome);
    if (has_like_servers_ && !tells_servers_) {
        tells_servers_ = !takes_servers_alike(client, parent, path, outcome);
    }
    check_errors(client, path, outcome);
    if (outcome.reads_monotonic && has_stopwatch()) check_stopwatch(client, path, outcome);
    LocalState& state = outcome.state;
    state.names_others = nodes_[parent].state.names_others ||
                         (observed.reply != 0 && names_others(replies_[observed.reply]));
    for (std::uint32_t task = 0; task < kTasks; ++task) {
        LocalWait& wait = state.waits[task];
        if (wait.kind != LocalWait::Kind::redis && wait.kind != LocalWait::Kind::oracle) continue;
        wait.command = number_of(outcome.commands[task]);
        if (wait.kind == LocalWait::Kind::oracle) continue;
        sent_.insert({shape_of(outcome.commands[task]), wait.phase});
    }
    if (!state.inside && observed.task != 0 && alone_since(parent) >= kMostAlone) {
        throw std::length_error(
            "the lock's background task goes on after the lock was given back, and comes to no "
            "end; only locks whose release stops it are searched");
    }
    has_fences_ = has_fences_ || outcome.state.fence != 0;
    has_ghosts_ = has_ghosts_ || outcome.ghost;
    Edge edge{observed, kDone, outcome.reads_clock, outcome.reads_monotonic};
    reads_clock_ = reads_clock_ || tells_time(edge);
    const bool rests = state.waits[0].timing == Timing::never;
    if (state.done || rests) {
        const bool is_new = outcome.ghost || comes_again_as_new(client, path, Tokens::go_on);
        remembers_ = remembers_ || !is_new;
        if (rests && is_new) edge.child = kEnded;
        if (state.done || is_new) return edge;
        if (comes_again_as_new(client, path, Tokens::begin_again)) {
            edge.child = kEndedWithTokens;
            return edge;
        }
    }
    if (state.begins_anew && !nodes_[parent].state.begins_anew && bounds_.forgets_tries) {
        Anew here{first_of(parent), outcome.progress, outcome.tokens, state,
                  static_cast<std::uint32_t>(nodes_.size())};
        here.state.waits[0].ticket = 0;
        const auto known =
            std::ranges::find_if(anew_, [&](const Anew& other) { return other.is_like(here); });
        if (known != anew_.end()) {
            edge.child = known->node;
            return edge;
        }
        anew_.push_back(std::move(here));
    }
    Node made;
    made.state = state;
    made.parent = parent;
    made.observed = observed;
    edge.child = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(made);
    return edge;
}

std::uint32_t ClientModel::first_of(std::uint32_t node) const {
    while (!is_first(node)) node = nodes_[node].parent;
    return node;
}

std::vector<Observed> ClientModel::path_to(std::uint32_t node) const {
    std::vector<Observed> path;
    for (; !is_first(node); node = nodes_[node].parent) path.push_back(nodes_[node].observed);
    std::reverse(path.begin(), path.end());
    return path;
}

ClientModel::Outcome ClientModel::run_as(const Actor::Identity& identity,
                                         std::span<const Observed> path, ErrorKind in_place) {
    ++runs_;
    const std::string_view error = row_of(ErrorKind::loading).words;
    Actor actor(algorithm_, bounds_, identity);
    std::uint32_t grants = 0;
    const bool is_there = follow(
        actor, path,
        [&](std::string_view text) {
            return text == error ? std::string(row_of(in_place).words) : identity.names->real(text);
        },
        [&] { grants = actor.grants(); });
    if (!is_there) return Outcome();
    Outcome outcome;
    LocalState& state = outcome.state;
    state.begins_job = actor.asked_slow();
    state.inside = actor.inside();
    state.leaves = actor.leaves();
    state.refused = actor.refused();
    state.granted = actor.grants() > grants;
    state.fence = actor.fence();
    state.done = actor.done();
    outcome.reads_clock = actor.asked_clock();
    outcome.reads_monotonic = actor.asked_monotonic();
    outcome.progress = actor.progress();
    outcome.tokens = actor.tokens();
    state.begins_anew = actor.begins_anew();
    const Actor::Shown* const wait = actor.wait_of(TaskId{});
    const bool rests = wait != nullptr && wait->timing == Timing::never;
    outcome.ghost = (state.done || rests) && actor.waits().size() > (rests ? 1 : 0);
    for (const Actor::Shown& shown : actor.waits()) {
        const bool is_ghost = rests && !shown.task.is_worker();
        if (!is_ghost) take_down(outcome, actor, shown, *identity.names);
    }
    return outcome;
}

void ClientModel::take_down(Outcome& outcome, const Actor& actor, const Actor::Shown& shown,
                            const TokenNames& names) const {
    if (shown.task.value >= kTasks) {
        throw std::length_error("locks with two background tasks at once are not searched");
    }
    if (shown.node != kOracle && shown.node.value >= bounds_.servers) {
        throw std::length_error("the lock asks a server that is not there");
    }
    LocalWait& wait = outcome.state.waits[shown.task.value];
    wait.timing = shown.timing;
    wait.phase = actor.phase_of(shown.task);
    wait.first_of_try = shown.first_of_try;
    wait.ticket = static_cast<std::uint16_t>(kFirstTicket + shown.ticket);
    wait.kind = shown.is_timer          ? LocalWait::Kind::timer
                : shown.node == kOracle ? LocalWait::Kind::oracle
                                        : LocalWait::Kind::redis;
    if (shown.is_timer) {
        if (shown.timing != Timing::never) wait.sleep_ms = sleep_ms(shown.sleep);
        return;
    }
    const bool asks_first = shown.node == kOracle;
    const std::uint32_t every = (1U << bounds_.servers) - 1;
    wait.servers =
        static_cast<std::uint8_t>(shown.to_all ? every : 1U << (asks_first ? 0 : shown.node.value));
    outcome.commands[shown.task.value] =
        with_words(actor.command_of(shown), [&](std::string_view word) {
            if (word.find(kNameBegins) != std::string_view::npos) {
                throw std::length_error("locks that write control characters are not searched");
            }
            return names.named(word);
        });
}

}  // namespace locklab
