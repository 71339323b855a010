// Any bytes as the trace of a run: refused with one sentence, or read, and the same once it was
// written and read again.

#include <cstdint>

#include "algorithms/registry.h"
#include "harness/core/assert.h"
#include "harness/record/trace_json.h"
#include "harness/sim/latency.h"

using namespace locklab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const Trace trace = read_trace(text, "input", algorithm_named);
        const std::string written = to_json(trace);
        LOCKLAB_ASSERT(to_json(read_trace(written, "again", algorithm_named)) == written);
        Latency::parse(trace.spec.latency);
    } catch (const FormatError& error) {
        LOCKLAB_ASSERT(std::string_view(error.what()).starts_with("input:"));
    } catch (const std::invalid_argument&) {
        // A latency that cannot be read.
    }
    return 0;
}
