#include "harness/live/open_files.h"

#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace locklab {

void check_files(std::span<const LiveConfig> runs, std::size_t parallel) {
    std::vector<std::size_t> clients;
    std::vector<std::size_t> files;
    for (const LiveConfig& run : runs) {
        clients.push_back(run.workers());
        files.push_back(kFilesPerServer * run.topology.nodes() * run.workers());
    }
    const auto most = [&](std::vector<std::size_t>& each) {
        std::ranges::sort(each, std::greater());
        each.resize(std::min(parallel, each.size()));
        return std::accumulate(each.begin(), each.end(), std::size_t{0});
    };
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const std::size_t needed = kOtherFiles + most(files);
    if (needed <= limit.rlim_cur) return;
    throw std::invalid_argument(std::to_string(most(clients)) + " clients at a time need " +
                                std::to_string(needed) + " open files, and the limit is " +
                                std::to_string(limit.rlim_cur) + ": raise it (ulimit -n).");
}

}  // namespace locklab
