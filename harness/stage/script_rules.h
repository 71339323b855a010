// Checks each line of a script against the earlier ones: a crashed client does not come back, and
// only what stopped can resume.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stage/line_reader.h"

namespace locklab {

class ScriptRules {
public:
    /// The cast must outlive the rules.
    ScriptRules(std::span<const std::string_view> cast, const Topology& topology);

    /// Call for each line, in order. Throws LineError.
    void check(const PlacedLine& placed);

private:
    /// A request or reply that is in the network since line `line`.
    struct Delayed {
        Selector selector;
        bool reply = false;
        std::size_t line = 0;
    };
    /// State of a client. Numbers are those of the lines that caused it; 0: no line did, or it has
    /// ended.
    struct State {
        std::size_t crashed = 0;
        std::size_t gave_up = 0;
        std::size_t paused = 0;
        std::size_t stalled = 0;
        std::size_t cut_off = 0;
        std::map<NodeId, std::size_t> cut_from;
        std::size_t learnt = 0;
        bool tried = false;
        std::vector<Delayed> delayed;
    };
    void check_server(const PlacedLine& placed) const;
    void check_failover(const PlacedLine& placed);
    void check_learning(const PlacedLine& placed);
    void check_command(const PlacedLine& placed) const;
    void check_presence(const PlacedLine& placed, const State& state) const;
    void check_work(const PlacedLine& placed, State& state) const;
    void check_halt(const PlacedLine& placed, State& state) const;
    void check_delay(const PlacedLine& placed, State& state) const;
    void check_link(const PlacedLine& placed, State& state) const;
    void stop(const PlacedLine& placed, std::size_t& since, const std::string& how,
              const std::string& right) const;
    void go_on(const PlacedLine& placed, std::size_t& since, const std::string& how,
               const std::string& right) const;
    std::string name_of(const PlacedLine& placed) const;

    std::span<const std::string_view> cast_;
    const Topology topology_;
    std::size_t cut_off_ = 0;    ///< the replica, since this line; 0: not cut off
    std::size_t took_over_ = 0;  ///< since this line; 0: it has not
    std::vector<State> states_;
};

}  // namespace locklab
