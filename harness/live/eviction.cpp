#include "harness/live/eviction.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "harness/core/choices.h"

namespace locklab {

namespace {

/// Keys that one SCAN looks at: some milliseconds of the server's time.
constexpr int kScanCount = 1000;
/// A key that goes by itself after it was drawn is drawn anew so often.
constexpr int kMostDraws = 10;

struct Place {
    std::string name;
    std::string database;
    bool has_ttl = false;

    auto operator<=>(const Place&) const = default;
};

/// The databases that have keys: "# Keyspace\r\ndb0:keys=1,...".
std::vector<std::string> databases(const AskServer& ask) {
    std::vector<std::string> numbers;
    const std::string text = ask(Command::of("INFO", "keyspace")).text();
    for (std::size_t at = text.find("\ndb"); at != std::string::npos;
         at = text.find("\ndb", at + 1)) {
        numbers.push_back(text.substr(at + 3, text.find(':', at) - at - 3));
    }
    return numbers;
}

/// The server's keys in alphabetical order. Leaves the last database selected.
std::vector<Place> all_keys(const AskServer& ask) {
    std::vector<Place> found;
    for (const std::string& database : databases(ask)) {
        ask(Command::of("SELECT", database));
        const Reply names = ask(Command::of("KEYS", "*"));
        for (const Reply& name : names.elements()) {
            const bool has_ttl = ask(Command::of("PTTL", name.text())).as_integer() >= 0;
            found.push_back({name.text(), database, has_ttl});
        }
    }
    std::ranges::sort(found);
    return found;
}

/// Those that are the lock, or that may be meant where none has its name.
std::vector<Place> keys_of_lock(const std::vector<Place>& all, const std::string& lock) {
    std::vector<Place> exact;
    std::vector<Place> meant;
    for (const Place& place : all) {
        if (place.name == lock) exact.push_back(place);
        if (place.has_ttl && place.name.find(lock) != std::string::npos) meant.push_back(place);
    }
    return exact.empty() ? meant : exact;
}

bool is_of_run(const std::string& name, const std::string& lock) {
    for (std::size_t at = name.find(lock); at != std::string::npos; at = name.find(lock, at + 1)) {
        const std::size_t next = at + lock.size();
        if (next == name.size() || name[next] < '0' || name[next] > '9') return true;
    }
    return false;
}

std::vector<Place> keys_of_run(const std::string& lock, const AskServer& ask) {
    std::vector<Place> found;
    std::string cursor = "0";
    do {
        const Reply page =
            ask(Command::of("SCAN", cursor, "MATCH", "*" + lock + "*", "COUNT", kScanCount));
        if (page.elements().size() != 2) break;
        cursor = page.elements()[0].text();
        for (const Reply& name : page.elements()[1].elements()) {
            if (is_of_run(name.text(), lock)) found.push_back({name.text(), "0"});
        }
    } while (cursor != "0");
    // A scan may return a key more than once.
    std::ranges::sort(found);
    const auto twice = std::ranges::unique(found);
    found.erase(twice.begin(), twice.end());
    return found;
}

const Place& drawn_of(const std::vector<Place>& places, EvictionDraw draw) {
    return places[std::size_t{draw.quantile} * places.size() / kQuantiles];
}

Duration since(std::chrono::steady_clock::time_point before) {
    return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - before);
}

/// Whether the key was still there. The connection goes back to the first database.
bool remove(const Place& place, const AskServer& ask) {
    const bool elsewhere = place.database != "0";
    ask(Command::of("SELECT", place.database));
    const bool gone = ask(Command::of("DEL", place.name)).is_integer(1);
    if (elsewhere) ask(Command::of("SELECT", "0"));
    return gone;
}

/// `list` returns what is there, and `is_lock` says which of that is the lock.
template <class List, class IsLock>
Eviction evict_one(EvictionDraw draw, const AskServer& ask, List list, IsLock is_lock) {
    for (int i = 0; i < kMostDraws; ++i) {
        const std::vector<Place> places = list();
        if (places.empty()) break;
        const Place& drawn = drawn_of(places, draw);
        // Keys were found before this, so the time of the deletion is known closely.
        const auto before = std::chrono::steady_clock::now();
        if (!remove(drawn, ask)) continue;
        return {drawn.name, is_lock(places, drawn), since(before)};
    }
    return {};
}

/// The names of some places, as words of a command.
struct Names {
    std::span<const Place> places;

    void add_to(Command& command) const {
        for (const Place& place : places) command.add(place.name);
    }
};

}  // namespace

Eviction evict_any(const std::string& lock, EvictionDraw draw, const AskServer& ask) {
    return evict_one(
        draw, ask, [&] { return all_keys(ask); },
        [&](const std::vector<Place>& places, const Place& drawn) {
            const std::vector<Place> its = keys_of_lock(places, lock);
            return std::ranges::find(its, drawn) != its.end();
        });
}

Eviction evict_of_run(const std::string& lock, EvictionDraw draw, const AskServer& ask) {
    return evict_one(
        draw, ask, [&] { return keys_of_run(lock, ask); },
        [&](const std::vector<Place>&, const Place& drawn) { return drawn.name == lock; });
}

std::optional<Duration> flush_all(const AskServer& ask) {
    if (databases(ask).empty()) return std::nullopt;
    const auto before = std::chrono::steady_clock::now();
    ask(Command::of("FLUSHALL"));
    return since(before);
}

std::optional<Duration> flush_of_run(const std::string& lock, const AskServer& ask) {
    constexpr std::size_t kInOne = Command::kMostWords - 1;
    const auto before = std::chrono::steady_clock::now();
    const std::vector<Place> found = keys_of_run(lock, ask);
    std::int64_t gone = 0;
    for (std::size_t i = 0; i < found.size(); i += kInOne) {
        const Names names{std::span(found).subspan(i, std::min(kInOne, found.size() - i))};
        gone += ask(Command::of("DEL", names)).as_integer();
    }
    return gone == 0 ? std::nullopt : std::optional(since(before));
}

std::vector<std::string> keys_to_evict(const std::string& lock, const AskServer& ask) {
    const std::vector<Place> all = all_keys(ask);
    // Where another database has keys, it may still be selected.
    const bool elsewhere =
        std::ranges::any_of(all, [](const Place& place) { return place.database != "0"; });
    if (elsewhere) ask(Command::of("SELECT", "0"));
    const std::vector<Place> its = keys_of_lock(all, lock);
    std::vector<std::string> told;
    if (!its.empty()) told.emplace_back();
    for (const Place& place : all) {
        const bool is_its = std::ranges::find(its, place) != its.end();
        // The same name in another database is the same key to those who tell of it.
        const bool is_known = !told.empty() && told.back() == place.name;
        if (!is_its && !is_known) told.push_back(place.name);
    }
    return told;
}

void evict_named(const std::string& told, const std::string& lock, const AskServer& ask) {
    if (told.empty()) {
        evict_lock(lock, ask);
        return;
    }
    for (const Place& place : all_keys(ask)) {
        if (place.name == told) remove(place, ask);
    }
    ask(Command::of("SELECT", "0"));
}

bool evict_lock(const std::string& lock, const AskServer& ask) {
    bool took_any = false;
    for (const Place& place : keys_of_lock(all_keys(ask), lock)) {
        took_any = remove(place, ask) || took_any;
    }
    // Where no key was removed, another database may still be selected.
    ask(Command::of("SELECT", "0"));
    return took_any;
}

}  // namespace locklab
