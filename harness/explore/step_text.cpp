#include "harness/explore/step_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace locklab {

namespace {

enum class About : std::uint8_t { client, server, time };

struct KindRow {
    Step::Kind kind;
    std::string_view word;
    About about;
    bool fault;
};

constexpr std::array<KindRow, 19> kKinds{{
    {Step::Kind::send, "send", About::client, false},
    {Step::Kind::lose_request, "lose_request", About::client, true},
    {Step::Kind::lose_reply, "lose_reply", About::client, true},
    {Step::Kind::delay, "delay_request", About::client, true},
    {Step::Kind::retry, "retry", About::client, true},
    {Step::Kind::take, "take", About::client, false},
    {Step::Kind::wake, "wake", About::client, false},
    {Step::Kind::expire, "time_out", About::client, false},
    {Step::Kind::arrive, "arrive", About::client, false},
    {Step::Kind::pass, "pass", About::time, false},
    {Step::Kind::crash, "crash", About::client, true},
    {Step::Kind::pause, "pause", About::client, true},
    {Step::Kind::stall, "stall", About::client, true},
    {Step::Kind::clock_ahead, "clock_ahead", About::client, true},
    {Step::Kind::clock_back, "clock_back", About::client, true},
    {Step::Kind::server_ahead, "redis_clock_ahead", About::server, true},
    {Step::Kind::server_back, "redis_clock_back", About::server, true},
    {Step::Kind::restart, "redis_restart", About::server, true},
    {Step::Kind::evict, "redis_evict", About::server, true},
}};

constexpr std::string_view kWatchdog = "'s watchdog";

const KindRow& row_of(Step::Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string to_string(const Step& step) {
    const KindRow& row = row_of(step.kind);
    if (row.about == About::time) return "pass " + std::to_string(step.ms) + "ms";
    if (row.about == About::server) return std::string(row.word);
    std::string text(1, static_cast<char>('A' + step.client));
    if (step.slot == 1) text += kWatchdog;
    return text + " " + std::string(row.word) + (step.slow ? " slow_job" : "");
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
    for (const KindRow& row : kKinds) {
        if (row.about == About::time) continue;
        step.kind = row.kind;
        for (std::uint8_t client = 0; client < Bounds::kMostClients; ++client) {
            for (const std::uint8_t slot : {std::uint8_t{0}, std::uint8_t{1}}) {
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

bool is_fault(const Step& step) { return row_of(step.kind).fault || step.slow; }

}  // namespace locklab
