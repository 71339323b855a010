// live/redis_benchmark: what Redis's own tool measures for the same commands, for orientation. It
// has no lock and no second command: SET ... NX PX 1 on one key, which is refused while the key is
// there; and the script that deletes a key of one's own, which finds none.

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "algorithms/compare_and_delete.h"
#include "harness/bench/live_case.h"
#include "harness/core/sha1.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

constexpr int kRequests = 30'000;
/// In less than a millisecond it would measure no time at all.
constexpr int kRequestsWhereSmall = 1000;
constexpr std::uint32_t kClients[] = {1, 50};
constexpr const char* kKey = "locklab:orientation";

struct ClosePipe {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
};

std::string in_quotes(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// Requests per second: of the last line, in which each field is in quotes, the seventh from the
/// end; the first is the command, which may have anything in it.
double run_tool(const std::string& arguments) {
    const std::string command = "redis-benchmark " + arguments + " 2>/dev/null";
    const std::unique_ptr<std::FILE, ClosePipe> pipe(popen(command.c_str(), "r"));
    if (pipe == nullptr) throw std::runtime_error("redis-benchmark cannot be started.");
    std::string last;
    char line[1024];
    while (std::fgets(line, sizeof line, pipe.get()) != nullptr) last = line;
    std::size_t field = std::string::npos;
    for (int i = 0; i < 7 && (i == 0 || field != std::string::npos); ++i) {
        field = last.rfind("\",\"", field == std::string::npos ? field : field - 1);
    }
    double rate = 0;
    const bool told =
        field != std::string::npos && std::sscanf(last.c_str() + field + 3, "%lf", &rate) == 1;
    if (!told || !std::isfinite(rate) || rate <= 0) {
        throw std::runtime_error(
            "redis-benchmark was not found, or gave no figure: it comes with "
            "redis-tools.");
    }
    return rate;
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
            .command(Command::eval(kCompareAndDelete, Key{kKey}, "token"));  // EVALSHA finds it
        const int requests = bench.small ? kRequestsWhereSmall : kRequests;
        const double rate = run_tool(
            "-s " + in_quotes(bench.endpoint(Transport::unix_socket).socket_path) + " -c " +
            std::to_string(clients) + " -n " + std::to_string(requests) + " --csv " + command);
        state.SetIterationTime(1 / rate);
        state.counters["commands_per_s"] = rate;
    });
}

}  // namespace

void register_redis_benchmark(Workbench& bench) {
    // It leaves keys behind, which go with a private server.
    if (!bench.redis.empty()) return;
    for (const std::uint32_t clients : kClients) {
        add(bench, "ping", "PING", clients);
        add(bench, "set_nx_px", "SET " + std::string(kKey) + " token NX PX 1", clients);
        add(bench, "evalsha",
            "EVALSHA " + to_hex(sha1(kCompareAndDelete.lua)) + " 1 " + kKey + " token", clients);
    }
}

}  // namespace locklab
