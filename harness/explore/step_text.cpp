#include "harness/explore/step_text.h"

#include <algorithm>
#include <charconv>

namespace locklab {

namespace {

constexpr std::string_view kWatchdog = "'s watchdog";
constexpr std::string_view kKeyWord = " key ";

/// Empty for the first server. People count from one.
std::string at_server(std::uint32_t server) {
    return server == 0 ? "" : " at " + std::to_string(server + 1);
}

/// Of the lock's own nothing is said.
std::string of_key(const Step& step) {
    const bool is_other = step.kind == Step::Kind::evict && step.ms > 0;
    return is_other ? std::string(kKeyWord) + std::to_string(step.ms + 1) : "";
}

/// Which key an eviction takes is cut out of its text.
bool cut_key(std::string& text, std::uint16_t& place) {
    const std::size_t at = text.find(kKeyWord);
    if (at == std::string::npos) return true;
    const std::size_t begin = at + kKeyWord.size();
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::uint16_t number = 0;
    const auto [last, error] = std::from_chars(text.data() + begin, text.data() + end, number);
    if (error != std::errc() || last != text.data() + end || number < 2) return false;
    place = static_cast<std::uint16_t>(number - 1);
    text.erase(at, end - at);
    return true;
}

}  // namespace

std::string to_string(const Step& step) {
    const StepKindRow& row = row_of(step.kind);
    if (row.whose == StepOf::time) return "pass " + std::to_string(step.ms) + "ms";
    if (row.whose == StepOf::server) {
        return std::string(row.word) + of_key(step) + at_server(server_of_step(step));
    }
    std::string text(1, static_cast<char>('A' + step.client));
    if (task_of(step.slot) == 1) text += kWatchdog;
    text += " " + std::string(row.word) + at_server(server_of_step(step));
    return text + (step.slow ? " slow_job" : "");
}

std::uint32_t server_of_step(const Step& step) {
    return row_of(step.kind).whose == StepOf::server ? step.slot : server_of(step.slot);
}

std::optional<Step> parse_step(std::string_view text) {
    // Few texts are possible, so compare with what to_string() writes.
    Step step;
    if (text.starts_with("pass ") && text.ends_with("ms")) {
        const std::string_view digits = text.substr(5, text.size() - 7);
        const char* end = digits.data() + digits.size();
        const auto [last, error] = std::from_chars(digits.data(), end, step.ms);
        if (error != std::errc() || last != end) return std::nullopt;
        return step;
    }
    std::string words(text);
    std::uint16_t key = 0;
    if (!cut_key(words, key)) return std::nullopt;
    for (const StepKindRow& row : kSteps) {
        if (row.whose == StepOf::time || (key > 0 && row.kind != Step::Kind::evict)) continue;
        step.kind = row.kind;
        for (std::uint8_t client = 0; client < Bounds::kMostClients; ++client) {
            for (std::uint8_t slot = 0; slot < kSlots; ++slot) {
                for (const bool slow : {false, true}) {
                    step.client = client;
                    step.slot = slot;
                    step.slow = slow;
                    if (to_string(step) != words) continue;
                    step.ms = key;
                    return step;
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace locklab
