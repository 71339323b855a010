#include "harness/live/run_keys.h"

#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

constexpr Duration kTimeout = std::chrono::seconds(2);
/// Keys that one SCAN looks at: some milliseconds of the server's time.
constexpr int kScanCount = 1000;

}  // namespace

RunKeys::RunKeys() : prefix_("locklab:" + RandomHex().draw(8) + ":") {}

Key RunKeys::fresh_key() { return Key{prefix_ + std::to_string(++given_)}; }

std::string RunKeys::clear(const Endpoint& endpoint) const {
    SyncConnection connection(endpoint, kTimeout);
    std::string cursor = "0";
    do {
        const Reply page = connection.command(
            Command::of("SCAN", cursor, "MATCH", "*" + prefix_ + "*", "COUNT", kScanCount));
        if (page.elements().size() != 2) {
            return "The keys " + prefix_ + "* at " + to_string(endpoint) +
                   " could not be deleted: the server does not answer.";
        }
        cursor = page.elements()[0].text();
        for (const Reply& key : page.elements()[1].elements()) {
            connection.command(Command::of("DEL", key.text()));
        }
    } while (cursor != "0");
    return {};
}

}  // namespace locklab
