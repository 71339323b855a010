#include "harness/live/processor_wait.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace locklab {

namespace {

/// /proc/PID/task/TID/schedstat: nanoseconds on a processor, nanoseconds of waiting for one, turns.
std::vector<Duration> waits_of_threads(pid_t process) {
    std::vector<Duration> waits;
    std::error_code gone;
    const std::filesystem::path threads = "/proc/" + std::to_string(process) + "/task";
    for (std::filesystem::directory_iterator each(threads, gone), end; !gone && each != end;
         each.increment(gone)) {
        std::ifstream counts(each->path() / "schedstat");
        std::int64_t ran = 0;
        std::int64_t waited = 0;
        if (!(counts >> ran >> waited)) continue;
        waits.push_back(std::chrono::duration_cast<Duration>(std::chrono::nanoseconds(waited)));
    }
    return waits;
}

}  // namespace

std::optional<Duration> processor_wait(pid_t process) {
    const std::vector<Duration> waits = waits_of_threads(process);
    if (waits.empty()) return std::nullopt;
    return std::accumulate(waits.begin(), waits.end(), Duration(0));
}

std::optional<Duration> longest_processor_wait(pid_t process) {
    const std::vector<Duration> waits = waits_of_threads(process);
    if (waits.empty()) return std::nullopt;
    return std::ranges::max(waits);
}

}  // namespace locklab
