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
    Hazard hazard;  ///< contention: it is calm
};

constexpr Hazard kCalm = Hazard::contention;

constexpr std::array<KindRow, 27> kKinds{{
    {Step::Kind::send, "send", About::client, kCalm},
    {Step::Kind::lose_request, "lose_request", About::client, Hazard::lose_request},
    {Step::Kind::lose_reply, "lose_reply", About::client, Hazard::lose_reply},
    {Step::Kind::delay, "delay_request", About::client, Hazard::delay_request},
    {Step::Kind::delay_reply, "delay_reply", About::client, Hazard::delay_reply},
    {Step::Kind::retry, "retry", About::client, Hazard::retry},
    {Step::Kind::take, "take", About::client, kCalm},
    {Step::Kind::wake, "wake", About::client, kCalm},
    {Step::Kind::expire, "time_out", About::client, kCalm},
    {Step::Kind::arrive, "arrive", About::client, kCalm},
    {Step::Kind::pass, "pass", About::time, kCalm},
    {Step::Kind::crash, "crash", About::client, Hazard::crash},
    {Step::Kind::pause, "pause", About::client, Hazard::pause},
    {Step::Kind::stall, "stall", About::client, Hazard::stall},
    {Step::Kind::clock_ahead, "clock_ahead", About::client, Hazard::clock_jump},
    {Step::Kind::clock_back, "clock_back", About::client, Hazard::clock_jump},
    {Step::Kind::server_ahead, "redis_clock_ahead", About::server, Hazard::server_clock_jump},
    {Step::Kind::server_back, "redis_clock_back", About::server, Hazard::server_clock_jump},
    {Step::Kind::restart, "redis_restart", About::server, Hazard::restart},
    {Step::Kind::back, "redis_back", About::server, kCalm},
    {Step::Kind::evict, "redis_evict", About::server, Hazard::evict},
    {Step::Kind::save, "redis_save", About::server, kCalm},
    {Step::Kind::restore, "redis_restore", About::server, Hazard::restart_snapshot},
    {Step::Kind::resume, "resume", About::client, kCalm},
    {Step::Kind::leave, "leave", About::client, kCalm},
    {Step::Kind::failover, "failover", About::server, Hazard::failover},
    {Step::Kind::learn, "learn", About::client, kCalm},
}};

static_assert(std::ranges::all_of(kHazards,
                                  [](const HazardRow& row) {
                                      const auto is_its = [&](const KindRow& kind) {
                                          return kind.hazard == row.hazard;
                                      };
                                      return !strikes_at_a_moment(row.hazard) ||
                                             std::ranges::any_of(kKinds, is_its);
                                  }),
              "each fault that strikes at some moment is a step of searches");

constexpr std::string_view kWatchdog = "'s watchdog";

const KindRow& row_of(Step::Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

/// Of the first nothing is said. People count from one.
std::string at_server(std::uint32_t server) {
    return server == 0 ? "" : " at " + std::to_string(server + 1);
}

}  // namespace

std::string to_string(const Step& step) {
    const KindRow& row = row_of(step.kind);
    if (row.about == About::time) return "pass " + std::to_string(step.ms) + "ms";
    if (row.about == About::server) return std::string(row.word) + at_server(server_of_step(step));
    std::string text(1, static_cast<char>('A' + step.client));
    if (task_of(step.slot) == 1) text += kWatchdog;
    text += " " + std::string(row.word) + at_server(server_of_step(step));
    return text + (step.slow ? " slow_job" : "");
}

std::uint32_t server_of_step(const Step& step) {
    return row_of(step.kind).about == About::server ? step.slot : server_of(step.slot);
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

std::optional<Hazard> hazard_of(const Step& step) {
    if (step.slow) return Hazard::slow_job;
    const Hazard hazard = row_of(step.kind).hazard;
    if (hazard == kCalm) return std::nullopt;
    return hazard;
}

}  // namespace locklab
