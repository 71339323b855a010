#include "harness/explore/client_part.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace locklab {

ClientPart gone(const ClientPart& part) {
    ClientPart after;
    after.late = part.late;
    return after;
}

void order_late(ClientPart& part) {
    const auto rank = [](const LateRequest& late) {
        return std::tuple(late.slot_plus_1, late.ticket, late.command, late.due, late.in_order);
    };
    std::sort(part.late.begin(), part.late.end(),
              [&](const LateRequest& a, const LateRequest& b) { return rank(a) > rank(b); });
}

void add_late(ClientPart& part, const LateRequest& late) {
    if (part.late.back().slot_plus_1 != 0) {
        throw std::length_error("more than " + std::to_string(ClientPart::kMostLate) +
                                " requests of one client on their way at once are not searched");
    }
    part.late.back() = late;
    order_late(part);
}

bool waits_behind(const ClientPart& part, std::uint32_t slot) {
    return std::any_of(part.late.begin(), part.late.end(), [slot](const LateRequest& late) {
        return late.slot_plus_1 == slot + 1 && late.in_order != 0;
    });
}

}  // namespace locklab
