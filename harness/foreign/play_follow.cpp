// A play that follows another one's script.

#include <algorithm>
#include <chrono>

#include "harness/foreign/play_course.h"

namespace locklab {

namespace {

constexpr Duration kTick = std::chrono::milliseconds(1);
/// A move may wait behind a message that the other play did not have: time before others go on.
constexpr Duration kBeforeOthers = std::chrono::milliseconds(20);
/// Longest wait for a move; a fault is awaited for longer, in TTLs.
constexpr Duration kLongestWait = std::chrono::milliseconds(100);
constexpr int kLongestWaitForFault = 3;

}  // namespace

MadeMove PlayCourse::made_by(const PlayOption& option) const {
    MadeMove made;
    made.move = option.move;
    made.client = option.client;
    made.hazard = option.hazard;
    made.amount = option.amount;
    made.node = option.node;
    made.key = option.key;
    const std::size_t name = made.key.find(world_.key());
    if (name != std::string::npos) made.key.replace(name, world_.key().size(), kVirtualKey);
    made.error = option.error;
    made.at = world_.now() - began_;
    if (!made.is_of_message()) return made;
    const HeldFrame& frame = world_.held()[option.held];
    made.way = frame.way;
    made.node = frame.node;
    made.word = frame.word;
    return made;
}

void PlayCourse::wait() {
    world_.move_to(world_.now() + kTick);
    faults_.pass(clients_);
    take_words();
}

/// The default move when nobody chooses; null: there is none now.
const PlayOption* PlayCourse::calm(const std::vector<PlayOption>& options) {
    if (options.empty() || options.front().early) return nullptr;
    const PlayMove move = options.front().move;
    return move == PlayMove::pass || move == PlayMove::fault ? nullptr : &options.front();
}

bool PlayCourse::await(const MadeMove& made, const std::function<bool()>& stopped) {
    const Instant due = began_ + made.at + lag_;
    const Instant from = std::max(due, world_.now());
    const bool is_fault = made.move == PlayMove::fault;
    const Instant limit = from + (is_fault ? spec_.ttl * kLongestWaitForFault : kLongestWait);
    const auto fits = [&](const PlayOption& option) {
        const MadeMove now = made_by(option);
        return now.move == made.move && now.client == made.client && now.way == made.way &&
               now.node == made.node && now.word == made.word && now.hazard == made.hazard &&
               now.amount == made.amount && now.key == made.key && now.error == made.error;
    };
    for (; !stopped() && !is_over() && world_.now() < limit; wait()) {
        if (world_.now() < due) continue;
        const std::vector<PlayOption> options = list();
        const auto found = std::ranges::find_if(options, fits);
        if (found != options.end()) {
            // Later moves are delayed as much.
            lag_ = std::max(lag_, world_.now() - began_ - made.at);
            apply(*found);
            take_words();
            return true;
        }
        const PlayOption* other = world_.now() < from + kBeforeOthers ? nullptr : calm(options);
        if (other == nullptr) continue;
        apply(*other);
        take_words();
    }
    return false;
}

std::string PlayCourse::follow(const PlayScript& script, const std::function<bool()>& stopped) {
    std::string missing;
    for (const MadeMove& made : script) {
        // Time passes by itself.
        if (made.move == PlayMove::pass || await(made, stopped)) continue;
        if (made.move == PlayMove::fault) missing = row_of(made.hazard).name;
    }
    for (; !stopped() && !is_over() && story_.proved().empty(); wait()) {
        const std::vector<PlayOption> options = list();
        if (const PlayOption* next = calm(options)) apply(*next);
    }
    return missing;
}

}  // namespace locklab
