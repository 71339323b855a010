#include "harness/check/proved_overlap.h"

namespace locklab {

std::vector<ProvedOverlap> OverlapProver::see(const ClientMoment& moment) {
    std::vector<ProvedOverlap> proved;
    const auto stay = inside_.find(moment.client.value);
    switch (moment.kind) {
        case ClientMoment::Kind::granted:
            leave(moment.client);
            inside_[moment.client.value].granted = place_;
            break;
        case ClientMoment::Kind::step_asked:
            if (stay != inside_.end()) stay->second.step_asked = place_;
            break;
        case ClientMoment::Kind::inside:
            if (stay != inside_.end() && stay->second.step_asked) proved = step(moment.client);
            break;
        case ClientMoment::Kind::outside:
        case ClientMoment::Kind::release_asked: leave(moment.client); break;
    }
    ++place_;
    return proved;
}

/// Ends the client's stay: what was seen of it proves nothing any more.
void OverlapProver::leave(ClientId client) {
    inside_.erase(client.value);
    for (auto& [other, stay] : inside_) {
        stay.seen_inside.erase(client.value);
        stay.accused.erase(client.value);
    }
}

std::vector<ProvedOverlap> OverlapProver::step(ClientId client) {
    std::vector<ProvedOverlap> proved;
    Stay& own = inside_[client.value];
    const std::size_t asked = *own.step_asked;
    own.step_asked.reset();
    for (auto& [number, other] : inside_) {
        if (number == client.value) continue;
        // This client was inside after the other had been granted the lock.
        if (other.granted < asked) other.seen_inside[client.value] = place_;
        // And the other was inside, after this one's grant and before this step was asked.
        const auto seen = own.seen_inside.find(number);
        if (seen == own.seen_inside.end() || seen->second > asked) continue;
        const bool is_told = own.accused.contains(number);
        own.accused[number] = other.accused[client.value] = other.granted;
        if (is_told) continue;
        proved.push_back({ClientId{number}, client, own.granted, seen->second, place_});
    }
    return proved;
}

}  // namespace locklab
