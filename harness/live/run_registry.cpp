#include "harness/live/run_registry.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "harness/live/process_name.h"

namespace locklab {

namespace {

constexpr const char* kNoRedis = "the server answers what Redis would not";
constexpr auto kLongestDeletion = std::chrono::minutes(1);
/// Keys that one SCAN looks at: some milliseconds of the server's time.
constexpr int kScanCount = 1000;
constexpr const char* kRegistry = "locklab:runs";
constexpr int kWeekSeconds = 7 * 24 * 3600;

/// True only for prefixes that RunKeys makes: names on the server are not trusted, least of all for
/// deleting.
bool is_prefix(const std::string& text) {
    const std::string begin = "locklab:";
    if (text.size() != begin.size() + 17 || !text.starts_with(begin) || text.back() != ':') {
        return false;
    }
    return std::all_of(text.begin() + 8, text.end() - 1,
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string words_of(const SyncConnection& connection, const Reply& reply) {
    if (reply.is_error()) return "the server answers " + reply.text();
    if (reply.is_unknown()) return "the server does not answer (" + connection.reason() + ")";
    return kNoRedis;
}

}  // namespace

void enter_run(SyncConnection& connection, const std::string& prefix) {
    const Reply entered =
        connection.command(Command::of("HSET", kRegistry, prefix, this_process()));
    if (entered.is_integer()) connection.command(Command::of("EXPIRE", kRegistry, kWeekSeconds));
}

void leave_run(SyncConnection& connection, const std::string& prefix) {
    connection.command(Command::of("HDEL", kRegistry, prefix));
}

std::string delete_keys(SyncConnection& connection, const std::string& prefix) {
    const auto limit = std::chrono::steady_clock::now() + kLongestDeletion;
    std::string cursor = "0";
    do {
        const Reply page = connection.command(
            Command::of("SCAN", cursor, "MATCH", "*" + prefix + "*", "COUNT", kScanCount));
        if (page.elements().size() != 2) return words_of(connection, page);
        cursor = page.elements()[0].text();
        for (const Reply& key : page.elements()[1].elements()) {
            // Whatever the server answers, a key without our prefix is not ours.
            if (key.text().find(prefix) == std::string::npos) return kNoRedis;
            const Reply deleted = connection.command(Command::of("DEL", key.text()));
            if (!deleted.is_integer()) return words_of(connection, deleted);
        }
        if (std::chrono::steady_clock::now() > limit) return "it takes more than a minute";
    } while (cursor != "0");
    return {};
}

std::string clean_up_after_the_dead(const Endpoint& endpoint) {
    SyncConnection connection(endpoint);
    const Reply runs = connection.command(Command::of("HGETALL", kRegistry));
    std::uint64_t cleaned = 0;
    for (std::size_t i = 0; i + 1 < runs.elements().size(); i += 2) {
        const std::string& prefix = runs.elements()[i].text();
        if (!is_prefix(prefix) || !is_dead(runs.elements()[i + 1].text())) continue;
        if (!delete_keys(connection, prefix).empty()) continue;
        leave_run(connection, prefix);
        ++cleaned;
    }
    if (cleaned == 0) return {};
    return "Deleted the keys that " + std::to_string(cleaned) +
           (cleaned == 1 ? " run that was killed had" : " runs that were killed had") +
           " left at " + to_string(endpoint) + ".";
}

}  // namespace locklab
