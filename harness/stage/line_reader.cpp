#include "harness/stage/line_reader.h"

#include <algorithm>

#include "harness/core/nearest.h"
#include "harness/stage/sentence_pattern.h"

namespace locklab {

namespace {

using Patterns = std::vector<const Pattern*>;

std::string without_possessive(std::string_view word) {
    return std::string(word.ends_with("'s") ? word.substr(0, word.size() - 2) : word);
}

void add_once(std::vector<std::string>& all, std::string word) {
    if (std::find(all.begin(), all.end(), word) == all.end()) all.push_back(std::move(word));
}

/// One sentence, and the patterns that fit the words read so far.
class Sentence {
public:
    Sentence(std::string_view text, std::span<const std::string_view> cast)
        : text_(text), cast_(cast), words_(words_of(text)) {
        take_server();
    }

    PlacedLine read() const {
        if (words_.empty()) {
            throw LineError(0, "the sentence is empty; right would be one like 'A acquires'");
        }
        Patterns alive = all();
        for (std::size_t i = 0; i < words_.size(); ++i) {
            Patterns fitting = narrowed(alive, i, words_[i]);
            if (fitting.empty()) refuse(alive, i);
            alive = std::move(fitting);
        }
        for (const Pattern* pattern : alive) {
            if (pattern->words.size() == words_.size()) return placed(*pattern);
        }
        refuse_end(alive);
    }

private:
    /// "Redis 2" is read as Redis, and "SET at Redis 2" as SET; the server is kept apart.
    void take_server() {
        const auto redis = std::find(words_.begin(), words_.end(), "Redis");
        if (redis == words_.end() || redis + 1 == words_.end()) return;
        std::string_view number = redis[1];
        const bool whose = number.ends_with("'s");
        if (whose) number.remove_suffix(2);
        const bool is_number = number.size() == 1 && number[0] >= '1' && number[0] <= '9';
        if (!is_number) return;
        server_ = NodeId{static_cast<std::uint32_t>(number[0] - '1')};
        server_at_ = at(number);
        if (redis != words_.begin() && redis[-1] == "at") {
            words_.erase(redis - 1, redis + 2);
        } else {
            if (whose) *redis = "Redis's";
            words_.erase(redis + 1);
        }
    }

    static Patterns all() {
        Patterns every;
        for (const Pattern& pattern : patterns()) every.push_back(&pattern);
        return every;
    }
    std::size_t at(std::string_view word) const {
        return static_cast<std::size_t>(word.data() - text_.data());
    }
    std::size_t client(std::string_view name) const {
        return static_cast<std::size_t>(std::find(cast_.begin(), cast_.end(), name) -
                                        cast_.begin());
    }
    bool is_client(std::string_view name) const { return client(name) < cast_.size(); }

    bool fits(std::string_view expected, std::string_view word) const {
        if (expected == kClient) return is_client(word);
        if (expected == kClients)
            return word.ends_with("'s") && is_client(without_possessive(word));
        if (expected == kCommand) return is_command(word);
        if (expected == kDuration) return parse_time(word).has_value();
        if (expected == kJump) return parse_jump(word).has_value();
        const Words either = alternatives(expected);
        return std::find(either.begin(), either.end(), word) != either.end();
    }
    Patterns narrowed(const Patterns& alive, std::size_t i, std::string_view word) const {
        Patterns fitting;
        for (const Pattern* pattern : alive) {
            if (i < pattern->words.size() && fits(pattern->words[i], word))
                fitting.push_back(pattern);
        }
        return fitting;
    }

    static bool names_server(const Pattern& pattern) {
        return std::any_of(pattern.words.begin(), pattern.words.end(), [](std::string_view word) {
            return word == kCommand || word.starts_with("Redis");
        });
    }

    PlacedLine placed(const Pattern& pattern) const {
        PlacedLine found;
        found.line.verb = pattern.verb;
        for (const std::string_view word : words_of(text_)) {
            found.line.text.append(found.line.text.empty() ? "" : " ").append(word);
        }
        found.last_at = at(words_.back());
        found.server_at = server_at_;
        found.line.server = server_.value_or(NodeId{0});
        if (server_ && !names_server(pattern)) {
            throw LineError(server_at_,
                            "this sentence speaks of no server; right would be one "
                            "without a number");
        }
        for (std::size_t i = 0; i < pattern.words.size(); ++i) {
            const std::string_view word = words_[i];
            if (pattern.words[i] == kClient || pattern.words[i] == kClients) {
                const std::size_t who = client(without_possessive(word));
                found.line.client = ClientId{static_cast<std::uint32_t>(who)};
                found.client_at = at(word);
            } else if (pattern.words[i] == kCommand) {
                found.line.selector = selector_of(word);
                found.line.selector.server = server_;
                found.command_at = at(word);
            } else if (pattern.words[i] == kDuration) {
                found.line.amount = *parse_time(word);
            } else if (pattern.words[i] == kJump) {
                found.line.amount = *parse_jump(word);
            }
        }
        return found;
    }

    /// The words that the patterns allow at place i, once each.
    static std::vector<std::string> expected_at(const Patterns& alive, std::size_t i) {
        std::vector<std::string> expected;
        for (const Pattern* pattern : alive) {
            if (i < pattern->words.size())
                add_once(expected, std::string(alternatives(pattern->words[i]).front()));
        }
        return expected;
    }

    [[noreturn]] void refuse(const Patterns& alive, std::size_t i) const {
        const std::string_view word = words_[i];
        const std::vector<std::string> expected = expected_at(alive, i);
        const auto expects = [&expected](std::string_view what) {
            return std::find(expected.begin(), expected.end(), what) != expected.end();
        };
        const auto wrong = [this, word](const std::string& what) {
            return LineError(at(word), what);
        };
        if (expected.empty()) {
            throw wrong("the sentence is whole before " + in_quotes(word) +
                        "; right would be to end it after " + in_quotes(words_[i - 1]));
        }
        const bool number = word.find_first_of("0123456789") <= 1;
        if (expects(kDuration) && (number || expected.size() == 1)) {
            throw wrong(in_quotes(word) +
                        " is not a duration above nought; right would be like 10s or 250ms");
        }
        if (expects(kJump)) {
            throw wrong(in_quotes(word) +
                        " is not a jump; right would be a time with its sign, like +5s or -5s");
        }
        const bool whose = expects(kClients) && !expects(kClient);
        if (whose && is_client(word)) {
            throw wrong(in_quotes(word) + " should say whose; right would be " +
                        in_quotes(std::string(word) + "'s"));
        }
        const std::string name = without_possessive(word);
        if (name.size() == 1 && expects(kClients) && !is_client(name)) {
            throw wrong(unknown_word("client", name, cast_));
        }
        refuse_apostrophe(alive, i);
        refuse_possessive(i);
        throw wrong(unknown(word, expected, whose) + (ends_at(alive, i) ? ", or no more" : ""));
    }

    static bool ends_at(const Patterns& alive, std::size_t i) {
        return std::any_of(alive.begin(), alive.end(),
                           [i](const Pattern* pattern) { return pattern->words.size() == i; });
    }

    /// In "A next SETNX" and "A's crashes" the first word is wrong, not the second.
    void refuse_possessive(std::size_t i) const {
        if (i != 1) return;
        const std::string_view word = words_[0];
        const std::string name = without_possessive(word);
        for (const std::string& right : {name, name + "'", name + "'s"}) {
            if (right == word) continue;
            if (narrowed(narrowed(all(), 0, right), 1, words_[1]).empty()) continue;
            throw LineError(at(word), in_quotes(word) + " does not go with " +
                                          in_quotes(words_[1]) + "; right would be " +
                                          in_quotes(right));
        }
    }

    /// A word processor's curly apostrophe looks right, but is not.
    void refuse_apostrophe(const Patterns& alive, std::size_t i) const {
        constexpr std::string_view kCurly = "\xE2\x80\x99";
        std::string word(words_[i]);
        const std::size_t found = word.find(kCurly);
        if (found == std::string::npos) return;
        word.replace(found, kCurly.size(), "'");
        if (narrowed(alive, i, word).empty()) return;
        throw LineError(at(words_[i]) + found,
                        "the apostrophe is a curly one; right would be " + in_quotes(word));
    }

    std::string unknown(std::string_view word, const std::vector<std::string>& expected,
                        bool whose) const {
        std::vector<std::string> known;
        for (const std::string& what : expected) {
            if (what == kCommand) {
                known.insert(known.end(), commands().begin(), commands().end());
            } else if (what == kClient || (what == kClients && whose)) {
                for (const std::string_view name : cast_) {
                    known.push_back(std::string(name) + (whose ? "'s" : ""));
                }
            } else if (what != kClients) {
                known.push_back(what);
            }
        }
        const std::vector<std::string_view> views(known.begin(), known.end());
        const bool command = expected.size() == 1 && expected.front() == kCommand;
        return unknown_word(command ? "command" : "word", word, views);
    }

    [[noreturn]] void refuse_end(const Patterns& alive) const {
        const std::size_t size = words_.size();
        const std::string_view from = words_[size < 2 ? 0 : size - 2];
        const std::size_t end = at(words_.back()) + words_.back().size();
        std::vector<std::string> right;
        for (const std::string& what : expected_at(alive, size)) {
            if (what == kCommand) {
                right.emplace_back("a command such as 'acquire' or 'SETNX'");
            } else if (what == kDuration) {
                right.emplace_back("a duration like 10s");
            } else if (what == kJump) {
                right.emplace_back("a time with its sign, like +5s or -5s");
            } else {
                right.push_back(what == kClients ? "whose, like 'A's'" : in_quotes(what));
            }
        }
        std::string list = right.front();
        for (std::size_t i = 1; i < right.size(); ++i) {
            list += (i + 1 == right.size() ? " or " : ", ") + right[i];
        }
        throw LineError(at(words_.back()), "the sentence ends after " +
                                               in_quotes(text_.substr(at(from), end - at(from))) +
                                               "; right would be " + list);
    }

    std::string_view text_;
    std::span<const std::string_view> cast_;
    Words words_;  ///< without the words that name a server
    std::optional<NodeId> server_;
    std::size_t server_at_ = 0;
};

}  // namespace

PlacedLine read_line(std::string_view sentence, std::span<const std::string_view> cast) {
    return Sentence(sentence, cast).read();
}

}  // namespace locklab
