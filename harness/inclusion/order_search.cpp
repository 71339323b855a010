#include "harness/inclusion/order_search.h"

#include <algorithm>
#include <functional>

#include "harness/core/printable.h"
#include "harness/core/server_error.h"

namespace locklab {

namespace {

constexpr Duration kTick = std::chrono::milliseconds(1);

/// As two readings of a clock do. A script may answer several things, of which some are times.
bool may_be_times(const Reply& real, const Reply& model) {
    if (real == model) return true;
    if (real.kind() == Reply::Kind::array && model.kind() == Reply::Kind::array) {
        return std::ranges::equal(real.elements(), model.elements(), may_be_times);
    }
    return real.is_integer() && model.is_integer() && real.as_integer() > 0 &&
           model.as_integer() > 0;
}

}  // namespace

OrderSearch::OrderSearch(const HistoryHead& head, const ServerLog& log, Duration slack,
                         ScriptEngine& scripts, std::uint64_t& budget)
    : head_(head),
      log_(log),
      slack_(slack),
      scripts_(scripts),
      budget_(budget),
      earliest_(log.must.size(), Instant::max()) {
    Instant earliest = Instant::max();
    for (std::size_t i = log.must.size(); i-- > 0;) {
        earliest = std::min(earliest, log.must[i].since);
        earliest_[i] = earliest;
    }
}

bool OrderSearch::is_done(const Frame& frame, std::size_t index) {
    return index < frame.first || std::ranges::binary_search(frame.ahead, index);
}

void OrderSearch::lose(Frame& frame) const {
    while (frame.losses < log_.losses.size()) {
        const Loss& loss = log_.losses[frame.losses];
        for (std::size_t i = frame.first; i < earliest_.size() && earliest_[i] < loss.at; ++i) {
            if (!is_done(frame, i) && log_.must[i].since < loss.at) return;
        }
        frame.server.redis = RedisModel();
        frame.server.now = std::max(frame.server.now, loss.at);
        ++frame.losses;
    }
}

void OrderSearch::find_choices(Frame& frame) {
    const bool to_be_lost = frame.losses < log_.losses.size();
    const Instant loss = to_be_lost ? log_.losses[frame.losses].at : Instant::max();
    const Instant since_loss = frame.losses > 0 ? log_.losses[frame.losses - 1].at : Instant();
    const Instant horizon = std::min(log_.must[frame.first].until, loss);
    for (std::size_t i = 0; i < log_.may.size() && i < kWindow; ++i) {
        const Execution& may = log_.may[i];
        const bool is_over = (frame.may >> i & 1U) != 0;
        const bool can_be = may.since <= horizon && may.since >= since_loss;
        if (!is_over && can_be) add_choices(frame, i, false, may.since, horizon);
    }
    is_limited_ = is_limited_ || log_.may.size() > kWindow;
    std::size_t end = frame.first;
    while (end < earliest_.size() && earliest_[end] <= horizon) ++end;
    for (std::size_t i = end; i-- > frame.first;) {
        const Execution& must = log_.must[i];
        const bool can_be = must.since <= horizon && must.since < loss;
        if (is_done(frame, i) || !can_be) continue;
        add_choices(frame, i, true, must.since, horizon);
    }
    // What can run now first: where it changes nothing, that is all there is to try.
    std::ranges::stable_partition(frame.choices, [&](const Choice& choice) {
        return !choice.must || choice.at != frame.server.now;
    });
}

void OrderSearch::add_fine_instants(const Frame& frame, const Execution& execution, Instant first,
                                    Instant last, std::vector<Instant>& instants) {
    if (execution.command == nullptr) return;
    RedisModel redis = frame.server.redis;
    const WallTime clock = head_.began + first.time_since_epoch() + frame.server.clock_offset;
    redis.execute(*execution.command, clock, scripts_, execution.from);
    for (const KeyEntry& entry : redis.keys().entries()) {
        if (!entry.has_deadline()) continue;
        const Duration ttl =
            std::chrono::milliseconds(entry.deadline_ms) - clock.time_since_epoch();
        for (const Execution& other : log_.must) {
            for (const Instant end : {other.since, other.until}) {
                for (const Duration side : {-2 * kTick, Duration::zero()}) {
                    const Instant at = end - ttl + side;
                    if (at > first && at < last) instants.push_back(at);
                }
            }
        }
    }
}

void OrderSearch::add_choices(Frame& frame, std::size_t index, bool must, Instant since,
                              Instant until) {
    const Instant first = std::max(since - slack_, frame.server.now);
    const Instant last = until + slack_;
    if (first > last) return;
    std::vector<Instant> instants{first, first + (last - first) / 2, last};
    if (until > first && until < last) instants.push_back(until);
    for (const KeyEntry& entry : frame.server.redis.keys().entries()) {
        if (!entry.has_deadline()) continue;
        const WallTime gone(std::chrono::milliseconds(entry.deadline_ms) + kTick);
        const Instant at(gone - frame.server.clock_offset - head_.began);
        for (const Instant side : {at - Duration(1), at}) {
            if (side > first && side < last) instants.push_back(side);
        }
    }
    const Execution& execution = must ? log_.must[index] : log_.may[index];
    if (finely_) add_fine_instants(frame, execution, first, last, instants);
    std::ranges::sort(instants, std::greater());
    const auto repeated = std::ranges::unique(instants);
    instants.erase(repeated.begin(), repeated.end());
    for (const Instant at : instants) frame.choices.push_back({index, must, at});
}

std::optional<OrderSearch::Frame> OrderSearch::after(const Frame& frame, const Choice& choice) {
    const Execution& execution = choice.must ? log_.must[choice.index] : log_.may[choice.index];
    Frame next{frame.server, frame.first, frame.ahead, frame.may, frame.losses, {}};
    next.server.now = choice.at;
    const bool refused = execution.reply != nullptr && execution.reply->is_error() &&
                         is_servers_own(execution.reply->text());
    if (execution.fault != nullptr) {
        // The log has only these faults: keys that go, and clocks that jump.
        if (execution.fault->hazard == Hazard::evict) {
            const std::string& key = execution.fault->key;
            next.server.redis.evict(key.empty() ? head_.key : key);
        } else if (execution.fault->hazard == Hazard::flush) {
            next.server.redis.flush();
        } else {
            next.server.clock_offset += execution.fault->amount;
        }
    } else if (!refused) {
        const WallTime clock =
            head_.began + choice.at.time_since_epoch() + next.server.clock_offset;
        scripts_.forget_asked();
        const Reply reply =
            next.server.redis.execute(*execution.command, clock, scripts_, execution.from);
        if (choice.must && !agrees(*execution.reply, reply)) {
            note_furthest(frame, choice, reply);
            return std::nullopt;
        }
    }
    if (!choice.must) {
        next.may |= std::uint64_t{1} << choice.index;
    } else if (choice.index > next.first) {
        next.ahead.insert(std::ranges::lower_bound(next.ahead, choice.index), choice.index);
    } else {
        ++next.first;
        auto done = next.ahead.begin();
        for (; done != next.ahead.end() && *done == next.first; ++done) ++next.first;
        next.ahead.erase(next.ahead.begin(), done);
    }
    return next;
}

bool OrderSearch::agrees(const Reply& real, const Reply& model) const {
    return real == model || (scripts_.asked().reply_by_time && may_be_times(real, model));
}

bool OrderSearch::was_there(const Frame& frame) {
    auto& known = seen_[{frame.first, frame.ahead, frame.may, frame.losses}];
    for (auto& [redis, earliest] : known) {
        if (redis != frame.server.redis) continue;
        if (earliest <= frame.server.now) return true;
        earliest = frame.server.now;
        return false;
    }
    known.emplace_back(frame.server.redis, frame.server.now);
    return false;
}

void OrderSearch::note_furthest(const Frame& frame, const Choice& choice, const Reply& model) {
    const std::uint64_t done = count_done(frame);
    const bool is_next = choice.index == frame.first;
    if (!is_next || done < furthest_) return;
    furthest_ = done;
    const Execution& execution = log_.must[choice.index];
    furthest_event_ = execution.event;
    why_ = printable(to_string(*execution.command)) + " was answered " +
           printable(to_string(*execution.reply)) + ", and by the rules it is " +
           printable(to_string(model));
}

OrderSearch::End OrderSearch::run(const ServerMoment& start) {
    const End coarse = run(start, false);
    return coarse == End::none ? run(start, true) : coarse;
}

OrderSearch::End OrderSearch::run(const ServerMoment& start, bool finely) {
    finely_ = finely;
    seen_.clear();
    furthest_ = 0;
    std::vector<Frame> stack;
    const auto enter = [&](Frame frame) {
        lose(frame);
        const bool is_over = frame.first == log_.must.size();
        if (!is_over) find_choices(frame);
        stack.push_back(std::move(frame));
        return is_over;
    };
    bool over = enter({start, 0, {}, 0, 0, {}});
    while (!over && !stack.empty()) {
        Frame& frame = stack.back();
        if (frame.choices.empty()) {
            stack.pop_back();
            continue;
        }
        if (budget_ == 0) return End::unknown;
        --budget_;
        const Choice choice = frame.choices.back();
        frame.choices.pop_back();
        std::optional<Frame> next = after(frame, choice);
        if (!next) continue;
        const bool is_idle = next->server.redis == frame.server.redis &&
                             next->server.clock_offset == frame.server.clock_offset;
        if (is_idle && !choice.must) continue;
        if (is_idle && choice.at == frame.server.now) frame.choices.clear();
        if (!was_there(*next)) over = enter(std::move(*next));
    }
    for (const Frame& frame : stack) moments_.push_back(frame.server);
    if (over) return End::found;
    return is_limited_ ? End::unknown : End::none;
}

}  // namespace locklab
