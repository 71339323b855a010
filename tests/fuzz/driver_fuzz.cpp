// Any bytes as what a driver says: answers and events, or one sentence that names the driver.

#include <algorithm>
#include <cstdint>

#include "harness/core/assert.h"
#include "harness/driver/driver_lines.h"
#include "harness/record/json_line.h"

using namespace locklab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    DriverLines lines("input");
    for (std::size_t op = 0; op < kDriverOps.size(); ++op) lines.ask(static_cast<DriverOp>(op));
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::size_t waiting = lines.waiting();
        try {
            const auto word = lines.read(text.substr(0, end));
            const bool is_answer = std::holds_alternative<DriverAnswer>(word);
            LOCKLAB_ASSERT(lines.waiting() + (is_answer ? 1 : 0) == waiting);
        } catch (const FormatError& error) {
            LOCKLAB_ASSERT(std::string_view(error.what()).starts_with("input:"));
            return 0;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return 0;
}
