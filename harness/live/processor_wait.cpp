#include "harness/live/processor_wait.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace locklab {

namespace {

struct Counted {
    Duration ran{0};
    Duration waited{0};
};

/// schedstat: nanoseconds on a processor, nanoseconds of waiting for one, turns.
std::optional<Counted> counts_in(const std::filesystem::path& thread) {
    const auto of = [](std::int64_t ns) {
        return std::chrono::duration_cast<Duration>(std::chrono::nanoseconds(ns));
    };
    std::ifstream counts(thread / "schedstat");
    std::int64_t ran = 0;
    std::int64_t waited = 0;
    if (!(counts >> ran >> waited)) return std::nullopt;
    return Counted{of(ran), of(waited)};
}

std::vector<Counted> counts_of_threads(pid_t process) {
    std::vector<Counted> all;
    std::error_code gone;
    const std::filesystem::path threads = "/proc/" + std::to_string(process) + "/task";
    for (std::filesystem::directory_iterator each(threads, gone), end; !gone && each != end;
         each.increment(gone)) {
        if (const auto counted = counts_in(each->path())) all.push_back(*counted);
    }
    return all;
}

}  // namespace

std::optional<Duration> processor_wait(pid_t process) {
    const std::vector<Counted> all = counts_of_threads(process);
    if (all.empty()) return std::nullopt;
    Duration sum{0};
    for (const Counted& each : all) sum += each.waited;
    return sum;
}

std::optional<Duration> processor_wait_of_this_thread() {
    const auto counted = counts_in("/proc/thread-self");
    return counted ? std::optional(counted->waited) : std::nullopt;
}

std::optional<Duration> processor_work(pid_t process) {
    const std::vector<Counted> all = counts_of_threads(process);
    if (all.empty()) return std::nullopt;
    Duration sum{0};
    for (const Counted& each : all) sum += each.ran + each.waited;
    return sum;
}

std::optional<Duration> longest_processor_wait(pid_t process) {
    const std::vector<Counted> all = counts_of_threads(process);
    if (all.empty()) return std::nullopt;
    return std::ranges::max_element(all, {}, &Counted::waited)->waited;
}

}  // namespace locklab
