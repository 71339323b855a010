// Any bytes as the file of the fault proxy's rules: refused with one sentence, or read.

#include <cstdint>

#include "harness/core/assert.h"
#include "harness/stage/proxy_rules.h"
#include "harness/stage/scenario_reader.h"

using namespace locklab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const ProxyPlan plan = read_proxy_plan(text, "input");
        LOCKLAB_ASSERT(!plan.links.empty());
        for (const FaultRule& rule : plan.rules) {
            const bool has_error =
                rule.error.find_first_of("\r\n") == std::string::npos && !rule.error.empty();
            LOCKLAB_ASSERT(has_error == (rule.fault == LinkFault::error));
        }
    } catch (const ScenarioError& error) {
        LOCKLAB_ASSERT(std::string_view(error.what()).starts_with("input:"));
    }
    return 0;
}
