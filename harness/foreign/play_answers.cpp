// What the answers of drivers mean in a play of driver processes.

#include <algorithm>

#include "harness/foreign/play_course.h"

namespace locklab {

namespace {

/// Per TTL: steps of a job, and tries.
constexpr int kStepsInATtl = 5;
constexpr int kTriesInATtl = 4;
/// Most steps beyond its job that a client does while another may be inside.
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
    PlayClient& client = clients_[i];
    const auto* failure = std::get_if<DriverFailure>(&word);
    if (failure != nullptr && failure->has_ended) return take_end(i, failure->sentence);
    const DriverWorker::Heard heard = client.worker.hear(word);
    if (const auto* said = std::get_if<DriverEvent>(&word)) {
        tell(i, "says it " + std::string(said->kind == DriverEvent::Kind::lost ? "lost" : "fails"));
    }
    if (first_error_.empty()) first_error_ = client.worker.first_error();
    switch (heard) {
        case DriverWorker::Heard::nothing:
        case DriverWorker::Heard::complaint: return;
        case DriverWorker::Heard::lost:
            if (!client.worker.is_asked()) leave(i);
            return;
        case DriverWorker::Heard::answer: return take(i, std::get<DriverAnswer>(word));
    }
}

/// A library that ends the process of its user: the others play on.
void PlayCourse::take_end(std::uint32_t i, const std::string& how) {
    tell(i, "ends by itself");
    if (how_it_died_.empty()) how_it_died_ = how;
    clients_[i].worker.gone();
    story_.died(ClientId{i}, clients_[i].phase());
}

void PlayCourse::take(std::uint32_t i, const DriverAnswer& answer) {
    PlayClient& client = clients_[i];
    client.awaits_lost = false;
    if (commands_ && answer.op != DriverOp::step) {
        commands_->answered(i, answer.op == DriverOp::acquire && answer.yes == true);
    }
    switch (client.worker.take(answer)) {
        case DriverWorker::Outcome::refused:
            tell(i, answer.error.empty() ? "refused" : "fails");
            return take_refused(i);
        case DriverWorker::Outcome::granted:
            tell(i, "granted");
            return take_granted(i, answer.token);
        case DriverWorker::Outcome::inside: tell(i, "inside"); return take_inside(i);
        case DriverWorker::Outcome::outside:
            tell(i, answer.lost ? "lost" : answer.yes == true ? "inside" : "fails");
            return leave(i);
        case DriverWorker::Outcome::extended: tell(i, "extended"); return take_extended(i);
        case DriverWorker::Outcome::released:
            tell(i, answer.yes == true ? "released" : "not released");
            client.due = world_.now();
            return;
        case DriverWorker::Outcome::releases: return ask(i, client.worker.next());
        case DriverWorker::Outcome::nobodys_news: return;
    }
}

void PlayCourse::take_refused(std::uint32_t i) {
    PlayClient& client = clients_[i];
    // Nobody gives up before a server has gone on, and the leases that it then gave have ended.
    const bool has_reason = faults_.hung_since(world_.now() - spec_.ttl);
    if (client.worker.tries() >= spec_.attempts && !has_reason) client.worker.give_up();
    client.due = world_.now() + spec_.ttl / kTriesInATtl;
}

void PlayCourse::take_granted(std::uint32_t i, const std::string& token) {
    clients_[i].shows = 0;
    clients_[i].leaves_at = world_.now() + spec_.ttl * spec_.job_percent / 100;
    tokens_.insert(token);
    take_extended(i);
    // Clients inside do a step as soon as possible, to prove an overlap.
    for (PlayClient& each : clients_) {
        if (each.phase() == Phase::inside && !each.worker.is_asked()) each.due = world_.now();
    }
}

bool PlayCourse::is_in_company(std::uint32_t i) const {
    for (std::uint32_t k = 0; k < clients_.size(); ++k) {
        const bool could_show = k != i && !clients_[k].is_dead() && !clients_[k].paused_until;
        if (could_show && story_.suspects(ClientId{i}, ClientId{k})) return true;
    }
    return false;
}

/// It says at once how it works on.
void PlayCourse::take_extended(std::uint32_t i) {
    PlayClient& client = clients_[i];
    client.due = world_.now();
    client.extends_at.reset();
    if (const auto after = client.worker.extends_after()) client.extends_at = world_.now() + *after;
}

void PlayCourse::take_inside(std::uint32_t i) {
    PlayClient& client = clients_[i];
    ++inside_;
    const Instant now = world_.now();
    const bool shows = is_in_company(i) && client.shows < kMostShows;
    if (shows) ++client.shows;
    if (now >= client.leaves_at && !shows) return leave(i);
    client.due = shows ? now : std::min(client.leaves_at, now + spec_.ttl / kStepsInATtl);
}

}  // namespace locklab
