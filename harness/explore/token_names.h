// In a search tokens have names, so that what is learnt with one client's tokens holds for
// another's: a client's own second token, or the second of client 1. The lock itself, and the store
// that executes a command, see their texts.
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

/// The owner of a token: a client's number, or this value for the client itself.
inline constexpr std::uint32_t kSelf = 15;

/// Characters around the name of a token; no lock should write them.
inline constexpr char kNameBegins = '\x01';
inline constexpr char kNameEnds = '\x02';

/// The name of the owner's `count`th token, "2" or "c1.2" between its two characters.
std::string token_name(std::uint32_t owner, std::uint32_t count);

/// Replaces each name of a token, with its two characters, by `replace(inside)`.
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

/// A command, or reply, with each word, or text, changed by `change`.
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

/// Names and texts of tokens in one style.
class TokenNames {
public:
    explicit TokenNames(TokenStyle style) : style_(style) {}

    TokenStyle style() const { return style_; }
    /// A token's text; makes its name known.
    const std::string& text_of(std::uint32_t owner, std::uint32_t count);
    /// Replaces names by texts.
    std::string real(std::string_view named);
    /// Replaces known texts by names.
    std::string named(std::string_view real) const;

private:
    const TokenStyle style_;
    std::unordered_map<std::string, std::string> texts_;  ///< by name
    std::unordered_map<std::string, std::string> names_;  ///< by text
};

}  // namespace locklab
