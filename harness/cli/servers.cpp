// locklab servers: the servers that live verbs can start, and their installation.

#include <iomanip>
#include <iostream>

#include "harness/cli/command_line.h"
#include "harness/cli/progress.h"
#include "harness/cli/verbs.h"
#include "harness/core/nearest.h"
#include "harness/foreign/install.h"
#include "harness/foreign/pinned_server.h"
#include "harness/foreign/server_in_path.h"

namespace locklab {

namespace {

constexpr int kWide = 9;  ///< names of servers, in columns

int list() {
    const std::string& redis = server_in_path();
    std::cout << std::left << std::setw(kWide) << "redis"
              << (redis.empty() ? "no redis-server is in PATH" : redis) << "\n";
    for (const ServerKind kind : pinned_servers()) {
        const Library server = pinned_server(kind);
        std::cout << std::setw(kWide) << server.name << server.library << " " << server.version
                  << " " << (server.is_installed() ? "is installed" : server.why_not_installed())
                  << "\n";
    }
    return kExitHolds;
}

/// One of pinned_servers(), or all of them if `name` is empty.
std::vector<Library> asked_for(const std::string& name) {
    std::vector<Library> servers;
    for (const ServerKind kind : pinned_servers()) {
        if (name.empty() || name == name_of(kind)) servers.push_back(pinned_server(kind));
    }
    if (!servers.empty()) return servers;
    std::vector<std::string_view> known;
    for (const ServerKind kind : pinned_servers()) known.push_back(name_of(kind));
    throw UsageError(unknown_word("server", name, known));
}

int install_servers(const std::vector<Library>& servers) {
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    const InstallFolder alone(servers.front().installed.parent_path());
    int code = kExitHolds;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        const std::string place = std::to_string(i + 1) + " of " + std::to_string(servers.size());
        const InstallResult result = install(servers[i], place, watcher);
        progress.clear();
        std::cout << result.sentence << std::endl;
        const bool is_there = result.end == InstallEnd::done || result.end == InstallEnd::current;
        if (!is_there) code = kExitUnknown;
    }
    return code;
}

}  // namespace

int servers_verb(const Arguments& arguments) {
    CommandLine line("servers", {}, 2);
    if (!line.parse(arguments)) return kExitHolds;
    const std::vector<std::string>& words = line.operands();
    const std::string what = words.empty() ? "list" : words[0];
    if (what == "list" && words.size() < 2) return list();
    if (what == "install") return install_servers(asked_for(words.size() > 1 ? words[1] : ""));
    const std::vector<std::string_view> known{"install", "list"};
    throw UsageError(unknown_word("servers", what, known));
}

}  // namespace locklab
