// What the answers of drivers mean in a play of driver processes.

#include <algorithm>

#include "harness/foreign/play_course.h"
#include "harness/foreign/team.h"

namespace locklab {

namespace {

/// Parts of a TTL: a step comes so often, and a try comes again after so long.
constexpr int kStepsInATtl = 5;
constexpr int kTriesInATtl = 4;
/// Who is not alone shows itself so often beyond its job.
constexpr std::uint32_t kMostShows = 6;

}  // namespace

void PlayCourse::take_words() {
    for (bool more = true; more;) {
        more = false;
        for (std::uint32_t i = 0; i < clients_.size(); ++i) {
            for (const DriverWord& word : world_.take_words(i)) {
                more = true;
                take(i, word);
            }
        }
    }
}

void PlayCourse::take(std::uint32_t i, const DriverWord& word) {
    if (const auto* failure = std::get_if<DriverFailure>(&word)) {
        throw DriverTrouble(failure->sentence);
    }
    PlayClient& client = clients_[i];
    if (const auto* said = std::get_if<DriverEvent>(&word)) {
        tell(i, "says it " + std::string(said->kind == DriverEvent::Kind::lost ? "lost" : "fails"));
        if (said->kind != DriverEvent::Kind::lost || client.phase != Phase::inside) return;
        story_.told_lost(ClientId{i});
        client.leaves = true;
        if (!client.asked) leave(i);
        return;
    }
    const auto* answer = std::get_if<DriverAnswer>(&word);
    if (answer == nullptr || !client.asked) return;
    client.asked.reset();
    client.awaits_lost = false;
    if (commands_ && answer->op != DriverOp::step) {
        commands_->answered(i, answer->op == DriverOp::acquire && answer->yes == true);
    }
    if (first_error_.empty()) first_error_ = answer->error;
    switch (answer->op) {
        case DriverOp::acquire: return take_acquired(i, *answer);
        case DriverOp::step: return take_step(i, *answer);
        case DriverOp::release: return take_released(i, *answer);
        default: break;
    }
}

void PlayCourse::take_acquired(std::uint32_t i, const DriverAnswer& answer) {
    PlayClient& client = clients_[i];
    if (answer.yes != true) {
        tell(i, answer.error.empty() ? "refused" : "fails");
        const bool unsure = !answer.error.empty() && !answer.definite;
        story_.note(ClientId{i}, client.phase, event::Refused{unsure});
        if (++client.tries == spec_.attempts) client.phase = Phase::idle;
        client.due = world_.now() + spec_.ttl / kTriesInATtl;
        return;
    }
    tell(i, "granted");
    client.phase = Phase::inside;
    client.shows = 0;
    client.leaves_at = world_.now() + spec_.ttl * spec_.job_percent / 100;
    tokens_.insert(answer.token);
    story_.granted(ClientId{i}, answer.token, subject_.own_lease(spec_.ttl));
    // Who is inside as well shows it as soon as can be.
    for (PlayClient& each : clients_) {
        if (each.phase == Phase::inside && !each.asked) each.due = world_.now();
    }
}

bool PlayCourse::is_in_company(std::uint32_t i) const {
    for (std::uint32_t k = 0; k < clients_.size(); ++k) {
        const bool could_show = k != i && !clients_[k].dead && !clients_[k].paused_until;
        if (could_show && story_.suspects(ClientId{i}, ClientId{k})) return true;
    }
    return false;
}

void PlayCourse::take_step(std::uint32_t i, const DriverAnswer& answer) {
    PlayClient& client = clients_[i];
    tell(i, answer.lost ? "lost" : answer.yes == true ? "inside" : "fails");
    if (answer.yes != true || answer.lost || client.leaves) {
        story_.told_lost(ClientId{i});
        return leave(i);
    }
    ++inside_;
    story_.inside(ClientId{i});
    const Instant now = world_.now();
    const bool shows = is_in_company(i) && client.shows < kMostShows;
    if (shows) ++client.shows;
    if (now >= client.leaves_at && !shows) return leave(i);
    client.due = shows ? now : std::min(client.leaves_at, now + spec_.ttl / kStepsInATtl);
}

void PlayCourse::take_released(std::uint32_t i, const DriverAnswer& answer) {
    PlayClient& client = clients_[i];
    Release outcome = Release::unknown;
    if (answer.yes) outcome = *answer.yes ? Release::yes : Release::not_ours;
    tell(i, answer.yes == true ? "released" : "not released");
    story_.released(ClientId{i}, outcome, answer.yes.has_value() || !answer.error.empty());
    client.phase = Phase::idle;
    client.due = world_.now();
}

}  // namespace locklab
