// The rules of Cluster, each with a counter of its uses. A campaign that never uses a rule shows
// nothing about it. The effect of each fault is one rule.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/core/hazard.h"

namespace locklab {

enum class Probe : std::uint8_t {
    fire,
    send,
    send_to_all,
    wait_in_line,
    let_through,
    execute,
    ask_oracle,
    execute_late,
    execute_of_the_dead,
    deliver,
    deliver_refusal,
    expire,
    drop,
    send_again,
    reset,
    refuse_while_down,
    answer_with_error,
    cut_off,
    learn,
    send_to_the_old,
    wall_clock,
    monotonic_clock,
};

struct ProbeRow {
    Probe probe;
    std::string_view name;
    std::string_view rule;
};

inline constexpr auto kProbes = std::to_array<ProbeRow>({
    {Probe::fire, "fire", "a sleep is over"},
    {Probe::send, "send", "a command leaves its client"},
    {Probe::send_to_all, "send_to_all", "a command leaves for every server at once"},
    {Probe::wait_in_line, "wait_in_line", "a command stands behind another on its connection"},
    {Probe::let_through, "let_through", "what stood behind a command on its connection goes on"},
    {Probe::execute, "execute", "a server runs a command"},
    {Probe::ask_oracle, "ask_oracle", "the register or the oracle is asked"},
    {Probe::execute_late, "execute_late", "a server runs what its client has given up on"},
    {Probe::execute_of_the_dead, "execute_of_the_dead", "a server runs what a dead client sent"},
    {Probe::deliver, "deliver", "a reply reaches its client"},
    {Probe::deliver_refusal, "deliver_refusal", "a client learns that its connection broke"},
    {Probe::expire, "expire", "a client gives up on a reply"},
    {Probe::drop, "drop", "what nobody waits for any more is left out"},
    {Probe::send_again, "send_again", "a client library sends a command again"},
    {Probe::reset, "reset", "what was on its way to a server as it restarted is lost"},
    {Probe::refuse_while_down, "refuse_while_down", "a server that is down refuses"},
    {Probe::answer_with_error, "answer_with_error", "a server answers with an error, by a fault"},
    {Probe::cut_off, "cut_off", "a connection is reset under a command"},
    {Probe::learn, "learn", "a client learns who is master"},
    {Probe::send_to_the_old, "send_to_the_old", "a command goes to a master that was"},
    {Probe::wall_clock, "wall_clock", "a client looks at its own wall clock"},
    {Probe::monotonic_clock, "monotonic_clock", "a client looks at its monotonic clock"},
});

static_assert(
    [] {
        for (const ProbeRow& row : kProbes) {
            if (&kProbes[static_cast<std::size_t>(row.probe)] != &row) return false;
        }
        return true;
    }(),
    "rows stand in the order of the enumeration");

/// How often each rule was used.
class Probes {
public:
    void hit(Probe probe) { ++hits_[static_cast<std::size_t>(probe)]; }
    void hit(Hazard hazard) { ++strikes_[static_cast<std::size_t>(hazard)]; }
    std::uint64_t operator[](Probe probe) const { return hits_[static_cast<std::size_t>(probe)]; }
    std::uint64_t operator[](Hazard hazard) const {
        return strikes_[static_cast<std::size_t>(hazard)];
    }
    Probes& operator+=(const Probes& other) {
        for (std::size_t i = 0; i < hits_.size(); ++i) hits_[i] += other.hits_[i];
        for (std::size_t i = 0; i < strikes_.size(); ++i) strikes_[i] += other.strikes_[i];
        return *this;
    }

private:
    std::array<std::uint64_t, kProbes.size()> hits_{};
    std::array<std::uint64_t, kHazards.size()> strikes_{};
};

}  // namespace locklab
