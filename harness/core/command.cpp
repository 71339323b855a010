#include "harness/core/command.h"

#include "harness/core/printable.h"
#include "harness/core/refused_command.h"
#include "harness/core/upper.h"

namespace locklab {

std::int64_t Command::number(std::size_t i) const {
    const std::string_view word = (*this)[i];
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() ? value : 0;
}

std::string_view Command::key() const {
    if (script_ != nullptr) return keys_ > 0 ? (*this)[0] : std::string_view();
    if (size() < 2) return {};
    const std::string name = upper((*this)[0]);
    if (name == "SCRIPT") return {};
    if (name != "EVAL" && name != "EVALSHA") return (*this)[1];
    return size() > 3 && number(2) > 0 ? (*this)[3] : std::string_view();
}

void Command::refuse_word() const {
    constexpr std::size_t kShown = 80;
    throw RefusedCommand("sends a command of more than " + std::to_string(kMostWords) +
                         " words, or of more than " + std::to_string(kMostBytes) + " bytes: " +
                         printable(to_string(*this), kShown) + "; right would be several commands");
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

std::string_view name_of(KeyEffect::Kind kind) {
    using Kind = KeyEffect::Kind;
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
