// Tokens have names in a search, so that what is learnt with one client's tokens is true of
// another's: a client's own second token, or the second of client 1. Whoever executes a command,
// and the lock itself, sees their texts.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>  // lookup only
#include <vector>

#include "harness/core/command.h"
#include "harness/core/reply.h"
#include "harness/core/token_text.h"

namespace locklab {

/// Whose token it is: a client by its number, or the client itself.
inline constexpr std::uint32_t kSelf = 15;

/// Characters around the name of a token, which no lock should write.
inline constexpr char kNameBegins = '\x01';
inline constexpr char kNameEnds = '\x02';

/// The name of the owner's `count`th token, "2" or "c1.2" between its two characters.
std::string token_name(std::uint32_t owner, std::uint32_t count);

/// Each name of a token, replaced by what `replace` makes of its inside and its two characters.
template <class Replace>
std::string with_names(std::string_view text, Replace replace) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t end =
            text[i] == kNameBegins ? text.find(kNameEnds, i + 1) : std::string_view::npos;
        if (end == std::string_view::npos) {
            out += text[i];
            continue;
        }
        out += replace(text.substr(i + 1, end - i - 1));
        i = end;
    }
    return out;
}

/// Command and reply with each word, or text, as `change` makes it.
template <class Change>
Command with_words(const Command& command, Change change) {
    Command other = command.script() == nullptr ? Command() : Command(*command.script());
    for (std::size_t i = 0; i < command.size(); ++i) other.add(change(command[i]));
    return other;
}
template <class Change>
Reply with_text(const Reply& reply, Change change) {
    if (reply.is_bulk()) return Reply::bulk(change(reply.text()));
    if (reply.kind() == Reply::Kind::status) return Reply::status(change(reply.text()));
    if (reply.is_error()) return Reply::error(change(reply.text()));
    if (reply.kind() != Reply::Kind::array) return reply;
    std::vector<Reply> elements;
    for (const Reply& element : reply.elements()) elements.push_back(with_text(element, change));
    return Reply::array(std::move(elements));
}

/// Names and texts of one style.
class TokenNames {
public:
    explicit TokenNames(TokenStyle style) : style_(style) {}

    TokenStyle style() const { return style_; }
    /// A token's text; from then on its name is known.
    const std::string& text_of(std::uint32_t owner, std::uint32_t count);
    /// With texts in place of names.
    std::string real(std::string_view named);
    /// With names in place of the texts that are known.
    std::string named(std::string_view real) const;

private:
    const TokenStyle style_;
    std::unordered_map<std::string, std::string> texts_;  ///< by name
    std::unordered_map<std::string, std::string> names_;  ///< by text
};

}  // namespace locklab
