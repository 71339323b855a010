// locklab servers: the servers that live verbs can start, and their installation.

#include <iostream>

#include "harness/cli/command_line.h"
#include "harness/cli/progress.h"
#include "harness/cli/verbs.h"
#include "harness/core/nearest.h"
#include "harness/foreign/install.h"
#include "harness/foreign/server_in_path.h"
#include "harness/foreign/valkey.h"

namespace locklab {

namespace {

int list() {
    const std::string& redis = server_in_path();
    const Library server = valkey();
    std::cout << "redis   " << (redis.empty() ? "no redis-server is in PATH" : redis) << "\n"
              << "valkey  " << server.library << " " << server.version << " "
              << (server.is_installed() ? "is installed" : server.why_not_installed()) << "\n";
    return kExitHolds;
}

int install_valkey() {
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    const Library server = valkey();
    const InstallFolder alone(server.installed.parent_path());
    const InstallResult result = install(server, "1 of 1", watcher);
    progress.clear();
    std::cout << result.sentence << std::endl;
    const bool is_there = result.end == InstallEnd::done || result.end == InstallEnd::current;
    return is_there ? kExitHolds : kExitUnknown;
}

}  // namespace

int servers_verb(const Arguments& arguments) {
    CommandLine line("servers", {}, 1);
    if (!line.parse(arguments)) return kExitHolds;
    const std::string what = line.operands().empty() ? "list" : line.operands()[0];
    if (what == "list") return list();
    if (what == "install") return install_valkey();
    const std::vector<std::string_view> known{"install", "list"};
    throw UsageError(unknown_word("servers", what, known));
}

}  // namespace locklab
