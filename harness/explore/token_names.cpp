#include "harness/explore/token_names.h"

#include <charconv>

namespace locklab {

namespace {

std::uint32_t number_in(std::string_view digits) {
    std::uint32_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

bool is_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

std::string token_name(std::uint32_t owner, std::uint32_t count) {
    std::string name(1, kNameBegins);
    if (owner != kSelf) name += "c" + std::to_string(owner) + ".";
    return name + std::to_string(count) + kNameEnds;
}

const std::string& TokenNames::text_of(std::uint32_t owner, std::uint32_t count) {
    const std::string name = token_name(owner, count);
    const auto known = texts_.find(name);
    if (known != texts_.end()) return known->second;
    const std::string& text = texts_[name] = token_text(style_, owner, count);
    names_[text] = name;
    return text;
}

std::string TokenNames::real(std::string_view named) {
    return with_names(named, [&](std::string_view inside) {
        if (!inside.starts_with('c')) return text_of(kSelf, number_in(inside));
        const std::size_t dot = inside.find('.');
        return text_of(number_in(inside.substr(1, dot - 1)), number_in(inside.substr(dot + 1)));
    });
}

std::string TokenNames::named(std::string_view real) const {
    std::string out;
    std::size_t digits = 0;  // digits in a row, up to and including this one
    for (const char c : real) {
        out += c;
        digits = is_digit(c) ? digits + 1 : 0;
        if (digits < kTokenDigits) continue;
        const auto known = names_.find(out.substr(out.size() - kTokenDigits));
        if (known == names_.end()) continue;
        out.replace(out.size() - kTokenDigits, kTokenDigits, known->second);
        digits = 0;
    }
    return out;
}

}  // namespace locklab
