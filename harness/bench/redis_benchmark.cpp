// live/redis_benchmark: results of Redis's own tool for the same commands, for orientation. It has
// no lock and no second command: SET ... NX PX 1 on one key, which is refused while the key exists;
// and the script that deletes one's own key, which finds none.

#include <string>

#include "algorithms/compare_and_delete.h"
#include "harness/bench/live_case.h"
#include "harness/bench/redis_tool.h"
#include "harness/core/sha1.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

constexpr std::uint32_t kClients[] = {1, 50};
constexpr const char* kKey = "locklab:orientation";

std::string quoted(const std::string& text) {
    std::string words = "'";
    for (const char c : text) words += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return words + "'";
}

void add(Workbench& bench, const std::string& what, const std::string& command,
         std::uint32_t clients) {
    const Placement placement = bench.apart();
    const std::string name = "live/redis_benchmark/command:" + what +
                             "/clients:" + std::to_string(clients) +
                             "/over:unix/cpus:" + std::string(name_of(placement));
    bench.add(name, [&bench, command, clients, placement](benchmark::State& state) {
        const Placed placed(placement, bench.server());
        SyncConnection(bench.endpoint(Transport::unix_socket), std::chrono::seconds(2))
            .command(Command::eval(kCompareAndDelete, Key{kKey}, "token"));  // for EVALSHA
        const std::string where =
            "-s " + quoted(bench.endpoint(Transport::unix_socket).socket_path);
        const double rate =
            tool_rate(where, clients, bench.small ? kFewToolCommands : kToolCommands, command);
        state.SetIterationTime(1 / rate);
        state.counters["commands_per_s"] = rate;
    });
}

}  // namespace

void register_redis_benchmark(Workbench& bench) {
    // It leaves keys behind, which vanish with a private server.
    if (!bench.redis.empty()) return;
    for (const std::uint32_t clients : kClients) {
        add(bench, "ping", "PING", clients);
        add(bench, "set_nx_px", "SET " + std::string(kKey) + " token NX PX 1", clients);
        add(bench, "evalsha",
            "EVALSHA " + to_hex(sha1(kCompareAndDelete.lua)) + " 1 " + kKey + " token", clients);
    }
}

}  // namespace locklab
