#include "harness/bench/redis_tool.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace locklab {

namespace {

struct ClosePipe {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
};

/// Requests per second: in the last line, with each field in quotes, the seventh from the end; the
/// first is the command, which may contain anything.
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

}  // namespace

double tool_rate(const std::string& where, std::uint32_t clients, std::uint32_t times,
                 const std::string& command) {
    return run_tool(where + " -c " + std::to_string(clients) + " -n " + std::to_string(times) +
                    " --csv " + command);
}

}  // namespace locklab
