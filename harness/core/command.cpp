#include "harness/core/command.h"

#include <algorithm>

#include "harness/core/reply.h"

namespace locklab {

namespace {

using Kind = KeyEffect::Kind;

/// Three centuries. Redis refuses what its clock cannot hold; a history read from a file might
/// say it all the same, and must not overflow here.
constexpr Duration kLongestTtl = std::chrono::seconds(10'000'000'000);

/// Word i, counted in `Unit`.
template <class Unit>
Duration ttl_word(const Command& command, std::size_t i) {
    const std::int64_t most = std::chrono::duration_cast<Unit>(kLongestTtl).count();
    return Unit(std::clamp(command.number(i), std::int64_t{0}, most));
}

Duration ttl_option(const Command& command) {
    for (std::size_t i = 3; i + 1 < command.size(); ++i) {
        if (command[i] == "EX") return ttl_word<std::chrono::seconds>(command, i + 1);
        if (command[i] == "PX") return ttl_word<std::chrono::milliseconds>(command, i + 1);
    }
    return Duration::zero();
}

bool has_word(const Command& command, std::string_view word) {
    for (std::size_t i = 3; i < command.size(); ++i) {
        if (command[i] == word) return true;
    }
    return false;
}

}  // namespace

std::int64_t Command::number(std::size_t i) const {
    const std::string_view word = (*this)[i];
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() ? value : 0;
}

std::string_view Command::key() const {
    if (script_ != nullptr) return (*this)[0];
    return size() > 1 ? (*this)[1] : std::string_view();
}

std::string to_string(const Command& command) {
    const bool is_script = command.script() != nullptr;
    std::string text;
    if (is_script) text.append(command.script()->name).append("(");
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (i > 0) text += is_script ? ", " : " ";
        text.append(command[i]);
    }
    if (is_script) text += ")";
    return text;
}

KeyEffect effect_of(const Command& command, const Reply& reply) {
    if (reply.is_unknown() || reply.is_error() || command.empty()) return {};
    if (const Script* script = command.script()) {
        return script->effect != nullptr ? script->effect(command, reply) : KeyEffect{};
    }
    const std::string_view name = command[0];
    if (name == "SETNX" && reply.is_integer(1)) return {Kind::created};
    if (name == "SET" && reply.is_ok()) {
        const Kind kind = has_word(command, "NX") ? Kind::created : Kind::replaced;
        return {kind, ttl_option(command)};
    }
    if (name == "GETSET") return {reply.is_nil() ? Kind::created : Kind::replaced};
    if (name == "DEL" && reply.as_integer() > 0) return {Kind::deleted};
    const bool expires = (name == "EXPIRE" || name == "PEXPIRE") && command.size() > 2;
    if (expires && reply.is_integer(1)) {
        // Redis deletes a key whose new time to live has already passed.
        if (command.number(2) <= 0) return {Kind::deleted};
        return {Kind::extended, name == "EXPIRE" ? ttl_word<std::chrono::seconds>(command, 2)
                                                 : ttl_word<std::chrono::milliseconds>(command, 2)};
    }
    return {};
}

std::string_view name_of(KeyEffect::Kind kind) {
    switch (kind) {
        case Kind::none: return "none";
        case Kind::created: return "created";
        case Kind::replaced: return "replaced";
        case Kind::extended: return "extended";
        case Kind::deleted: return "deleted";
    }
    return "?";
}

}  // namespace locklab
