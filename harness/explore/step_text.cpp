#include "harness/explore/step_text.h"

#include <charconv>

namespace locklab {

namespace {

constexpr std::string_view kWatchdog = "'s watchdog";

/// Of the first nothing is said. People count from one.
std::string at_server(std::uint32_t server) {
    return server == 0 ? "" : " at " + std::to_string(server + 1);
}

}  // namespace

std::string to_string(const Step& step) {
    const StepKindRow& row = row_of(step.kind);
    if (row.whose == StepOf::time) return "pass " + std::to_string(step.ms) + "ms";
    if (row.whose == StepOf::server) return std::string(row.word) + at_server(server_of_step(step));
    std::string text(1, static_cast<char>('A' + step.client));
    if (task_of(step.slot) == 1) text += kWatchdog;
    text += " " + std::string(row.word) + at_server(server_of_step(step));
    return text + (step.slow ? " slow_job" : "");
}

std::uint32_t server_of_step(const Step& step) {
    return row_of(step.kind).whose == StepOf::server ? step.slot : server_of(step.slot);
}

std::optional<Step> parse_step(std::string_view text) {
    // Few words are possible, so the writer says what is right.
    Step step;
    if (text.starts_with("pass ") && text.ends_with("ms")) {
        const std::string_view digits = text.substr(5, text.size() - 7);
        const char* end = digits.data() + digits.size();
        const auto [last, error] = std::from_chars(digits.data(), end, step.ms);
        if (error != std::errc() || last != end) return std::nullopt;
        return step;
    }
    for (const StepKindRow& row : kSteps) {
        if (row.whose == StepOf::time) continue;
        step.kind = row.kind;
        for (std::uint8_t client = 0; client < Bounds::kMostClients; ++client) {
            for (std::uint8_t slot = 0; slot < kSlots; ++slot) {
                for (const bool slow : {false, true}) {
                    step.client = client;
                    step.slot = slot;
                    step.slow = slow;
                    if (to_string(step) == text) return step;
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace locklab
