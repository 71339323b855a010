// Any bytes as a library's manifest: refused with one sentence, or a library that can be asked for
// all that verbs need of it.

#include <cstdint>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "harness/core/assert.h"
#include "harness/foreign/library_manifest.h"
#include "harness/record/json_line.h"

using namespace locklab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        for (const Library& library : read_manifest(text, "input")) {
            LOCKLAB_ASSERT(!library.library.empty() && !library.version.empty());
            LOCKLAB_ASSERT(!library.run.empty() && !library.run.front().empty());
            LOCKLAB_ASSERT(library.least_ttl > Duration(0));
            LOCKLAB_ASSERT(algorithm_named(library.like) != nullptr);
            LOCKLAB_ASSERT(nlohmann::json::parse(library.options).is_object());
            for (const InstallStep& step : library.install) LOCKLAB_ASSERT(!step.words.empty());
        }
    } catch (const FormatError& error) {
        LOCKLAB_ASSERT(std::string_view(error.what()).starts_with("input:"));
    }
    return 0;
}
