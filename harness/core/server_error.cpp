#include "harness/core/server_error.h"

#include <algorithm>
#include <array>

namespace locklab {

namespace {

/// The code of such an error in redis-server 7, and words that it contains, needed where a script
/// of a lock may use the same code.
struct Row {
    std::string_view code;
    std::string_view words;
};
constexpr std::array<Row, 16> kRows{{
    {"ASK", ""},
    {"BUSY", "is busy running"},
    {"CLUSTERDOWN", ""},
    {"DENIED", "protected mode"},
    {"ERR", "max number of clients reached"},
    {"LOADING", "is loading the dataset"},
    {"MASTERDOWN", ""},
    {"MISCONF", ""},
    {"MOVED", ""},
    {"NOAUTH", ""},
    {"NOPERM", ""},
    {"NOREPLICAS", ""},
    {"OOM", ""},
    {"READONLY", ""},
    {"TRYAGAIN", ""},
    {"WRONGPASS", ""},
}};

/// Before version 7, an error inside a script follows these words and a dash.
constexpr std::string_view kOfScript = "ERR Error running script";

bool is_in_rows(std::string_view error) {
    const std::string_view first = error.substr(0, error.find(' '));
    return std::any_of(kRows.begin(), kRows.end(), [&](const Row& row) {
        return row.code == first && error.find(row.words) != std::string_view::npos;
    });
}

}  // namespace

bool is_servers_own(std::string_view error) {
    if (error.starts_with(kOfScript)) {
        const std::size_t dash = error.find(" -");
        return dash != std::string_view::npos && is_in_rows(error.substr(dash + 2));
    }
    return is_in_rows(error);
}

}  // namespace locklab
