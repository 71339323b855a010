#include "harness/explore/client_part.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace locklab {

void order_strays(ClientPart& part) {
    const auto rank = [](const Stray& stray) {
        return std::tuple(stray.slot_plus_1, stray.ticket, stray.command, stray.due,
                          stray.in_order);
    };
    std::sort(part.strays.begin(), part.strays.end(),
              [&](const Stray& a, const Stray& b) { return rank(a) > rank(b); });
}

void add_stray(ClientPart& part, const Stray& stray) {
    if (part.strays.back().slot_plus_1 != 0) {
        throw std::length_error("more than " + std::to_string(ClientPart::kMostStrays) +
                                " requests of one client on their way at once are not searched");
    }
    part.strays.back() = stray;
    order_strays(part);
}

bool waits_behind(const ClientPart& part, std::uint32_t slot) {
    return std::any_of(part.strays.begin(), part.strays.end(), [slot](const Stray& stray) {
        return stray.slot_plus_1 == slot + 1 && stray.in_order != 0;
    });
}

}  // namespace locklab
