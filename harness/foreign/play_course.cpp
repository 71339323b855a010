#include "harness/foreign/play_course.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "harness/core/assert.h"

namespace locklab {

namespace {

/// In TTLs, and in choices: a longer play is ended.
constexpr int kLongestPlay = 60;
constexpr std::size_t kMostChoices = 5'000;
/// If all wait for answers that nobody owes them, only their own time-outs can end that, and
/// whatever else their runtimes do at times.
constexpr Duration kLongestQuiet = std::chrono::minutes(10);
/// A library's own time-out may come long after all rounds of the others. This many rounds are
/// added, each this part of a TTL before the time-out.
constexpr std::uint32_t kMostMore = 3;
constexpr int kPartBeforeTimeout = 4;

}  // namespace

/// About a TTL, and no multiple of what libraries pause for between two tries: whether there is one
/// more at the very end would be a matter of rounding, which is not the same in each play, since
/// each begins at another time.
Duration PlayCourse::wait_of(const PlaySpec& spec) {
    return spec.ttl + spec.ttl * 3 / 100 + std::chrono::milliseconds(1);
}

HistoryHead PlayCourse::head_of(std::uint64_t run) const {
    HistoryHead head;
    head.world = "driver";
    head.in_order = true;
    head.virtual_time = world_.has_virtual_time();
    head.algorithm = std::string(subject_.row().name);
    head.clients = spec_.clients;
    head.seed = spec_.seed;
    head.run = run;
    head.key = subject_.keys_of(kVirtualKey).front();
    head.tells_within = subject_.tells_within(spec_.ttl, spec_.timeout);
    if (subject_.waits()) {
        const Duration timeout = subject_.has_own_timeouts() ? kLibraryTimeout : spec_.timeout;
        head.answers_within = wait_of(spec_) + timeout;
    }
    return head;
}

void PlayCourse::play() {
    while (!is_over()) {
        const std::vector<PlayOption> options = list();
        if (options.empty()) return;
        std::size_t pick = 0;
        if (options.size() > 1) {
            pick = drive_.choose(options);
            LOCKLAB_ASSERT(pick < options.size());
            choices_.push_back(
                {static_cast<std::uint32_t>(pick), static_cast<std::uint32_t>(options.size())});
        }
        apply(options[pick]);
        see();
        take_words();
    }
}

PlayResult PlayCourse::end() {
    PlayResult result;
    result.is_whole = is_whole_;
    result.hangs = hangs_;
    result.inside = inside_;
    result.proved = story_.proved();
    if (commands_) commands_->end();
    result.history = story_.finish();
    name_words(result.history, world_.key(), kVirtualKey, tokens_);
    result.choices = std::move(choices_);
    result.script = std::move(script_);
    result.transcript = std::move(transcript_);
    result.first_error = std::move(first_error_);
    result.how_it_died = std::move(how_it_died_);
    return result;
}

void PlayCourse::close() {
    std::unique_ptr<bool[]> well(new bool[clients_.size()]);
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        well[i] = clients_[i].is_done() && !clients_[i].is_dead();
    }
    faults_.end();
    world_.close({well.get(), clients_.size()});
}

bool PlayCourse::is_over() {
    const bool done =
        std::ranges::all_of(clients_, [](const PlayClient& each) { return each.is_done(); });
    is_quiet_ = !done && is_quiet();
    const Duration longest = is_quiet_ ? kLongestQuiet : spec_.ttl * kLongestPlay;
    const bool too_long = world_.now() - began_ > longest || choices_.size() >= kMostChoices;
    // Whose background work goes on is never quiet, though nobody will ever answer it.
    const bool all_the_rest_await_lost = std::ranges::all_of(clients_, [](const PlayClient& each) {
        return each.is_done() || (each.worker.is_asked() && each.awaits_lost);
    });
    hangs_ = !done && ((is_quiet_ && !next_time()) || (too_long && all_the_rest_await_lost));
    is_whole_ = done || hangs_ || !too_long;
    return done || hangs_ || too_long;
}

bool PlayCourse::is_quiet() {
    const bool all_wait = std::ranges::all_of(clients_, [](const PlayClient& each) {
        return each.is_done() || (each.worker.is_asked() && !each.paused_until);
    });
    return all_wait && world_.held().empty() && !faults_.next_time() &&
           world_.servers_owe_nothing();
}

std::vector<PlayOption> PlayCourse::list() {
    faults_.take_arrivals();
    std::vector<PlayOption> options;
    const Instant now = world_.now();
    for (std::size_t i = 0; i < world_.held().size(); ++i) {
        const HeldFrame& frame = world_.held()[i];
        if (faults_.is_held_back(frame, now)) continue;
        if (frame.way == LinkWay::reply && clients_[frame.client].paused_until) continue;
        const std::uint32_t actor = frame.client * 4 + (frame.way == LinkWay::reply ? 1 : 0) +
                                    kActorsOfANode * frame.node.value;
        options.push_back({PlayMove::let_go, actor, frame.client, i, {}, {}});
    }
    for (std::uint32_t i = 0; i < clients_.size(); ++i) {
        if (!clients_[i].can_extend(now)) continue;
        options.push_back({PlayMove::extend, kExtendActor + i, i, 0, {}, {}});
    }
    for (std::uint32_t i = 0; i < clients_.size(); ++i) {
        if (!clients_[i].can_be_asked(now)) continue;
        options.push_back({PlayMove::ask, i * 4 + 2, i, 0, {}, {}});
    }
    if (options.empty() && next_time())
        options.push_back({PlayMove::pass, kPassActor, 0, 0, {}, {}});
    if (options.empty()) return options;
    offer_early(options);
    faults_.offer(clients_, options);
    return options;
}

/// A job and the time between two tries may be cut short.
void PlayCourse::offer_early(std::vector<PlayOption>& options) const {
    for (std::uint32_t i = 0; i < clients_.size(); ++i) {
        const PlayClient& client = clients_[i];
        const bool waits = client.due && *client.due > world_.now();
        if (!waits || !client.may_be_asked()) continue;
        options.push_back({PlayMove::ask, i * 4 + 2, i, 0, {}, {}, true});
        if (client.phase() != Phase::inside) continue;
        options.push_back({PlayMove::leave, i * 4 + 3, i, 0, {}, {}, true});
    }
}

std::optional<Instant> PlayCourse::next_time() const {
    std::optional<Instant> first;
    const auto take = [&](std::optional<Instant> instant) {
        if (instant && (!first || *instant < *first)) first = instant;
    };
    if (!is_quiet_) take(world_.next_deadline());
    for (std::uint32_t i = 0; is_quiet_ && i < clients_.size(); ++i) take(world_.deadline(i));
    for (const PlayClient& client : clients_) {
        if (client.is_dead()) continue;
        take(client.paused_until);
        if (client.may_be_asked()) take(client.due);
        if (client.may_extend()) take(client.extends_at);
    }
    take(faults_.next_time());
    return first;
}

void PlayCourse::apply(const PlayOption& option) {
    script_.push_back(made_by(option));
    const bool moves_message = option.move == PlayMove::let_go || option.strikes_message();
    if (!commands_ || !moves_message) return act(option);
    const HeldFrame frame = world_.held()[option.held];
    if (option.amount != Duration(0)) {
        commands_->delayed(frame);
        return act(option);
    }
    const bool is_struck = option.strikes_message();
    commands_->before(frame, is_struck);
    act(option);
    if (is_struck && is_told_at_once(option.hazard)) {
        commands_->told_by_fault(frame, option.error);
    } else {
        commands_->after(frame, is_struck);
    }
}

void PlayCourse::act(const PlayOption& option) {
    switch (option.move) {
        case PlayMove::let_go: {
            const HeldFrame frame = world_.held()[option.held];
            tell(frame.client, frame.way == LinkWay::request ? frame.word : "answer");
            return world_.let_go(frame, nullptr);
        }
        case PlayMove::ask: return ask_next(option.client);
        case PlayMove::leave: return leave(option.client);
        case PlayMove::extend: return ask(option.client, clients_[option.client].worker.extend());
        case PlayMove::pass: return pass();
        case PlayMove::fault: break;
    }
    tell(option.client, std::string(row_of(option.hazard).name) +
                            (option.error ? " " + std::string(row_of(*option.error).code) : ""));
    const NodeId node = option.strikes_message() ? world_.held()[option.held].node : option.node;
    event::Fault noted{option.hazard, option.amount, call_of(option), node, false, option.key};
    noted.error = option.error;
    noted.ran = option.strikes_message() && is_told_at_once(option.hazard) &&
                world_.held()[option.held].way == LinkWay::reply;
    story_.note(ClientId{option.client}, clients_[option.client].phase(), noted);
    faults_.strike(option, clients_);
}

/// The command that a fault strikes; 0: none.
std::uint64_t PlayCourse::call_of(const PlayOption& option) const {
    if (!commands_ || !option.strikes_message()) return 0;
    return commands_->call_of(world_.held()[option.held]);
}

void PlayCourse::pass() {
    const std::uint64_t before = world_.observed();
    const auto is_due = [&](const PlayClient& client) {
        return client.can_be_asked(world_.now()) || client.can_extend(world_.now());
    };
    while (world_.observed() == before && std::ranges::none_of(clients_, is_due)) {
        const std::optional<Instant> next = next_time();
        const Duration longest = is_quiet_ ? kLongestQuiet : spec_.ttl * kLongestPlay;
        if (!next) break;
        if (*next - began_ > longest) {
            world_.move_to(std::max(began_ + longest + Duration(1), world_.now()));
            break;
        }
        world_.move_to(std::max(*next, world_.now()));
        if (faults_.pass(clients_)) return;
        while (world_.observed() == before && world_.fire_one()) {
        }
    }
}

void PlayCourse::see() {
    if (!commands_) return;
    faults_.take_arrivals();
    commands_->see(clients_, [&](const HeldFrame& frame) { return faults_.came_behind(frame); });
    for (const HeldFrame& frame : world_.held()) {
        if (faults_.has_arrived(frame)) commands_->delayed(frame);
    }
}

void PlayCourse::ask(std::uint32_t i, const DriverWorker::Request& request) {
    tell(i, std::string(kDriverOps[static_cast<std::size_t>(request.op)]));
    clients_[i].due.reset();
    clients_[i].worker.asked(world_.ask(i, request.op, request.more));
    see();
}

void PlayCourse::ask_next(std::uint32_t i) {
    PlayClient& client = clients_[i];
    const bool begins = client.phase() == Phase::idle;
    if (begins && client.worker.round() == spec_.rounds + client.more) {
        if (!awaits_timeout(i)) client.worker.finish();
        return;
    }
    ask(i, client.worker.next());
}

bool PlayCourse::awaits_timeout(std::uint32_t i) {
    PlayClient& client = clients_[i];
    if (client.more == kMostMore) return false;
    std::optional<Instant> first;
    for (std::uint32_t k = 0; k < clients_.size(); ++k) {
        const PlayClient& other = clients_[k];
        if (k == i || !other.worker.is_asked() || !other.awaits_lost) continue;
        const std::optional<Instant> at = world_.deadline(k);
        if (at && (!first || *at < *first)) first = at;
    }
    if (!first) return false;
    ++client.more;
    client.due = std::max(world_.now(), *first - spec_.ttl / kPartBeforeTimeout);
    return true;
}

void PlayCourse::leave(std::uint32_t i) { ask(i, clients_[i].worker.leave()); }

void PlayCourse::tell(std::uint32_t i, const std::string& what) {
    transcript_ += std::to_string((world_.now() - began_).count()) + " " + std::to_string(i) + " " +
                   what + "\n";
}

}  // namespace locklab
