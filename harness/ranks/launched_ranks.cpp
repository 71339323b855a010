#include "harness/ranks/launched_ranks.h"

#include <dlfcn.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/core/usage_error.h"
#include "harness/ranks/mpi_module.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

struct Names {
    const char* rank;
    const char* count;
};
constexpr std::array<Names, 2> kLaunchers{
    {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}}};

std::optional<std::uint32_t> number_in(const char* name) {
    const char* text = std::getenv(name);
    if (text == nullptr) return std::nullopt;
    const std::string_view digits(text);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    if (error != std::errc() || end != digits.end()) return std::nullopt;
    return number;
}

}  // namespace

std::optional<Launched> launched() {
    for (const Names& names : kLaunchers) {
        const auto rank = number_in(names.rank);
        const auto count = number_in(names.count);
        if (rank && count && *count > 1) return Launched{*rank, *count};
    }
    return std::nullopt;
}

std::unique_ptr<LaunchedRanks> open_ranks(const std::atomic<bool>& asked) {
    const fs::path module = fs::read_symlink("/proc/self/exe").parent_path() / kMpiModule;
    if (!fs::exists(module)) {
        throw UsageError(
            "mpirun started this program, which was built without MPI; install libopenmpi-dev and "
            "openmpi-bin, run cmake again, and build; or start it without mpirun");
    }
    // What MPI itself loads later looks for MPI's own names, so they must be seen.
    void* const loaded = dlopen(module.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* const found = loaded == nullptr ? nullptr : dlsym(loaded, kOpenMpiRanks);
    if (found == nullptr) {
        const char* const why = dlerror();
        throw std::runtime_error("MPI cannot be loaded: " + std::string(why == nullptr ? "" : why));
    }
    return std::unique_ptr<LaunchedRanks>(reinterpret_cast<OpenMpiRanks>(found)(asked));
}

}  // namespace locklab
