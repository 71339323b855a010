#include "harness/live/processor_wait.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace locklab {

/// /proc/PID/task/TID/schedstat: nanoseconds on a processor, nanoseconds of waiting for one, turns.
std::optional<Duration> processor_wait(pid_t process) {
    std::optional<Duration> sum;
    std::error_code gone;
    const std::filesystem::path threads = "/proc/" + std::to_string(process) + "/task";
    for (std::filesystem::directory_iterator each(threads, gone), end; !gone && each != end;
         each.increment(gone)) {
        std::ifstream counts(each->path() / "schedstat");
        std::int64_t ran = 0;
        std::int64_t waited = 0;
        if (!(counts >> ran >> waited)) continue;
        sum = sum.value_or(Duration(0)) +
              std::chrono::duration_cast<Duration>(std::chrono::nanoseconds(waited));
    }
    return sum;
}

}  // namespace locklab
