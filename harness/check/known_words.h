// Which words a client shows because it read them, and not because they are its own. A client that
// reads another's token can pass for that client, without having such a token itself.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

/// For one client in one of its rounds: the newest few words that it showed, and that it read.
class KnownWords {
public:
    void begin_round() {
        shown_.clear();
        read_.clear();
    }
    /// A command of the client ran, with these words and this reply.
    void see(const event::Executed& ran) {
        for (std::size_t i = 1; i < ran.command.size(); ++i) {
            if (!was_read(ran.command[i])) remember(shown_, ran.command[i]);
        }
        read(ran.reply);
    }
    bool was_read(std::string_view word) const { return has(read_, word); }

private:
    static constexpr std::size_t kMost = 8;

    static bool has(const std::vector<std::string>& words, std::string_view word) {
        return std::ranges::find(words, word) != words.end();
    }
    static void remember(std::vector<std::string>& words, std::string_view word) {
        if (has(words, word)) return;
        if (words.size() == kMost) words.erase(words.begin());
        words.emplace_back(word);
    }
    void read(const Reply& reply) {
        if (reply.is_bulk() && !has(shown_, reply.text())) remember(read_, reply.text());
        if (reply.kind() != Reply::Kind::array) return;
        for (const Reply& element : reply.elements()) read(element);
    }

    std::vector<std::string> shown_;
    std::vector<std::string> read_;
};

}  // namespace locklab
