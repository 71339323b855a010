#include "harness/core/command.h"

#include <algorithm>

#include "harness/core/reply.h"

namespace locklab {

namespace {

using Kind = KeyEffect::Kind;

Duration ttl_option(const Command& command) {
    for (std::size_t i = 3; i + 1 < command.size(); ++i) {
        if (command[i] == "EX") return std::chrono::seconds(command.number(i + 1));
        if (command[i] == "PX") return std::chrono::milliseconds(command.number(i + 1));
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
    if (name == "EXPIRE" && reply.is_integer(1)) {
        return {Kind::extended, std::chrono::seconds(command.number(2))};
    }
    if (name == "PEXPIRE" && reply.is_integer(1)) {
        return {Kind::extended, std::chrono::milliseconds(command.number(2))};
    }
    return {};
}

}  // namespace locklab
