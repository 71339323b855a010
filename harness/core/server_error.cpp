#include "harness/core/server_error.h"

#include <algorithm>
#include <array>

namespace locklab {

namespace {

/// The first words of such errors, as redis-server 7 has them.
constexpr std::array<std::string_view, 15> kCodes{
    "ASK",    "BUSY",   "CLUSTERDOWN", "DENIED", "LOADING",  "MASTERDOWN", "MISCONF",  "MOVED",
    "NOAUTH", "NOPERM", "NOREPLICAS",  "OOM",    "READONLY", "TRYAGAIN",   "WRONGPASS"};

/// This begins with ERR, as what is wrong with a command does.
constexpr std::string_view kFull = "ERR max number of clients reached";

/// Before version 7, an error that a script met stands behind these words and a dash.
constexpr std::string_view kOfScript = "ERR Error running script";

bool has_code(std::string_view error) {
    const std::string_view first = error.substr(0, error.find(' '));
    return std::find(kCodes.begin(), kCodes.end(), first) != kCodes.end();
}

}  // namespace

bool is_servers_own(std::string_view error) {
    if (error.starts_with(kOfScript)) {
        const std::size_t dash = error.find(" -");
        return dash != std::string_view::npos && has_code(error.substr(dash + 2));
    }
    return has_code(error) || error.starts_with(kFull);
}

}  // namespace locklab
