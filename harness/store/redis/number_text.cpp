#include "harness/store/redis/number_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace locklab {

namespace {

std::string_view copied(std::string_view text, NumberRoom& room) {
    std::memcpy(room.data(), text.data(), text.size());
    return {room.data(), text.size()};
}

/// The digits of a finite number that is not 0, and the power of ten of the last one.
struct Digits {
    explicit Digits(double number) {
        NumberRoom room{};
        const auto end = std::to_chars(room.data(), room.data() + room.size(), std::fabs(number),
                                       std::chars_format::scientific);
        const std::string_view text(room.data(), static_cast<std::size_t>(end.ptr - room.data()));
        const std::size_t e = text.find('e');
        for (const char c : text.substr(0, e)) {
            if (c != '.') digits += c;
        }
        power = std::atoi(text.data() + e + 1) - static_cast<int>(digits.size()) + 1;
    }
    std::string digits;
    int power = 0;
};

/// As fpconv_dtoa writes it: without an exponent if few zeros are needed for that.
std::string shortest(double number) {
    if (!std::isfinite(number)) {
        return std::isnan(number) ? "-nan" : number > 0 ? "inf" : "-inf";
    }
    const auto [digits, power] = Digits(number);
    const int count = static_cast<int>(digits.size());
    const int first = power + count - 1;
    const std::string sign = std::signbit(number) ? "-" : "";
    if (power >= 0 && std::abs(first) < count + 7) return sign + digits + std::string(power, '0');
    if (power < 0 && (power > -7 || std::abs(first) < 4)) {
        const int whole = count + power;
        if (whole <= 0) return sign + "0." + std::string(-whole, '0') + digits;
        return sign + digits.substr(0, whole) + "." + digits.substr(whole);
    }
    return sign + digits.substr(0, 1) + (count > 1 ? "." + digits.substr(1) : "") + "e" +
           (first < 0 ? "-" : "+") + std::to_string(std::abs(first));
}

}  // namespace

std::string_view number_text(double number, ServerKind server, NumberRoom& room) {
    const bool is_redis = server == ServerKind::redis;
    // Of larger ones Redis prints 17 digits; Valkey prints all that fit.
    const double most = is_redis ? 0x1p53 : 0x1p62;
    const bool whole = std::fabs(number) < most && number == std::trunc(number) &&
                       (number != 0 || !std::signbit(number) || !is_redis);
    if (whole) {
        const auto end = std::to_chars(room.data(), room.data() + room.size(),
                                       static_cast<std::int64_t>(number));
        return {room.data(), static_cast<std::size_t>(end.ptr - room.data())};
    }
    if (!is_redis) return copied(shortest(number), room);
    const int size = std::snprintf(room.data(), room.size(), "%.17g", number);
    return {room.data(), static_cast<std::size_t>(size)};
}

}  // namespace locklab
