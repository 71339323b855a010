#include "harness/core/duration_text.h"

#include <array>
#include <cstdint>

namespace locklab {

namespace {

struct Unit {
    std::string_view name;
    std::int64_t us;
};

constexpr std::array<Unit, 4> kUnits{
    {{"us", 1}, {"ms", 1'000}, {"s", 1'000'000}, {"min", 60'000'000}}};

constexpr std::int64_t kLongestTime = 1'000'000'000'000'000;  // some 30 years

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
    std::size_t i = 0;
    std::int64_t mantissa = 0;
    std::int64_t divisor = 1;
    bool fraction = false;
    bool digits = false;
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9') break;
        if (mantissa > kLongestTime || divisor > kLongestTime) return std::nullopt;
        mantissa = mantissa * 10 + (text[i] - '0');
        if (fraction) divisor *= 10;
        digits = true;
    }
    if (!digits) return std::nullopt;
    for (const Unit& unit : kUnits) {
        if (text.substr(i) != unit.name) continue;
        if (mantissa > kLongestTime / unit.us) return std::nullopt;
        return Duration(mantissa * unit.us / divisor);
    }
    return std::nullopt;
}

std::string to_string(Duration duration) {
    if (duration < Duration::zero()) return "-" + to_string(-duration);
    const std::int64_t us = duration.count();
    const Unit& unit = us >= 1'000'000 ? kUnits[2] : us >= 1'000 ? kUnits[1] : kUnits[0];
    std::string text = std::to_string(us / unit.us);
    if (us % unit.us != 0) {
        std::string fraction = std::to_string(unit.us + us % unit.us).substr(1);
        while (fraction.back() == '0') fraction.pop_back();
        text += "." + fraction;
    }
    return text.append(unit.name);
}

}  // namespace locklab
