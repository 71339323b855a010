#include "harness/live/eviction.h"

#include <chrono>
#include <utility>
#include <vector>

namespace locklab {

namespace {

/// The databases that have keys: "# Keyspace\r\ndb0:keys=1,...".
std::vector<std::string> databases(const std::function<Reply(const Command&)>& ask) {
    std::vector<std::string> numbers;
    const std::string text = ask(Command::of("INFO", "keyspace")).text();
    for (std::size_t at = text.find("\ndb"); at != std::string::npos;
         at = text.find("\ndb", at + 1)) {
        numbers.push_back(text.substr(at + 3, text.find(':', at) - at - 3));
    }
    return numbers;
}

}  // namespace

Eviction evict_lock(const std::string& key, const std::function<Reply(const Command&)>& ask) {
    const std::vector<std::string> all = databases(ask);
    std::vector<std::pair<std::string, std::string>> found;  // database and name
    std::vector<std::pair<std::string, std::string>> meant;
    for (const std::string& database : all) {
        ask(Command::of("SELECT", database));
        const Reply names = ask(Command::of("KEYS", "*" + key + "*"));
        for (const Reply& name : names.elements()) {
            const bool has_ttl = ask(Command::of("PTTL", name.text())).as_integer() >= 0;
            if (name.text() == key) found.emplace_back(database, key);
            if (has_ttl) meant.emplace_back(database, name.text());
        }
    }
    if (found.empty()) found = std::move(meant);
    ask(Command::of("SELECT", found.empty() ? "0" : found.front().first));
    // Keys were found before this, so the time of the deletion is known closely.
    const auto before = std::chrono::steady_clock::now();
    std::int64_t gone = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool elsewhere = i > 0 && found[i].first != found[i - 1].first;
        if (elsewhere) ask(Command::of("SELECT", found[i].first));
        gone += ask(Command::of("DEL", found[i].second)).as_integer();
    }
    if (!found.empty() && found.back().first != "0") ask(Command::of("SELECT", "0"));
    const auto within = std::chrono::steady_clock::now() - before;
    return {gone > 0, std::chrono::duration_cast<Duration>(within)};
}

}  // namespace locklab
