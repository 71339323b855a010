// Searches for an order in which one server ran its commands: depth first, over copies of the Redis
// model.
//
// 1. A command that was answered before another was sent ran before it.
// 2. The instants tried are both ends of the possible range, its middle, its end by the history's
//    clock, and both sides of every deadline. A range ends before the earliest answer that is left.
//    If these give no order, further instants are tried that move a deadline to either side of the
//    sending or the answer of another command. No other instants can make a difference.
// 3. A state reached again with the same work done, and no earlier, is not tried again.
// 4. A certain command that changes nothing and can run now does so: where it could run later, the
//    rest could do as well after it. A possible one that changes nothing is left out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/inclusion/executions.h"
#include "harness/store/redis/redis_model.h"
#include "harness/store/redis/script_engine.h"

namespace locklab {

/// The state of a server at one instant.
struct ServerMoment {
    Instant now;
    RedisModel redis;
    Duration clock_offset{0};
};

class OrderSearch {
public:
    /// `slack`: how far the history's clock and the server's may differ. `budget`: how many
    /// executions may be tried; it is reduced. All arguments must outlive the search.
    OrderSearch(const HistoryHead& head, const ServerLog& log, Duration slack,
                ScriptEngine& scripts, std::uint64_t& budget);

    /// unknown: the budget is spent, or there were more possible commands than the search follows.
    enum class End : std::uint8_t { found, none, unknown };
    End run(const ServerMoment& start);

    /// If found: the server before the first execution and after each.
    const std::vector<ServerMoment>& moments() const { return moments_; }
    /// If there is none: the event that the furthest order reached, and what the model says there.
    std::size_t event() const { return furthest_event_; }
    const std::string& why() const { return why_; }

private:
    /// How many of the possible commands the search follows.
    static constexpr std::size_t kWindow = 64;
    struct Choice {
        std::size_t index = 0;
        bool must = true;
        Instant at;
    };
    struct Frame {
        ServerMoment server;
        std::size_t first = 0;           ///< of the certain ones: all before it are done
        std::vector<std::size_t> ahead;  ///< certain ones after `first` that are done, in order
        std::uint64_t may = 0;           ///< possible ones that are done, a bit each
        std::size_t losses = 0;
        std::vector<Choice> choices;  ///< left to try, from the back
    };
    using Work = std::tuple<std::size_t, std::vector<std::size_t>, std::uint64_t, std::size_t>;

    static bool is_done(const Frame& frame, std::size_t index);
    static std::uint64_t count_done(const Frame& frame) { return frame.first + frame.ahead.size(); }
    /// Everything after a loss of data comes after everything before it.
    End run(const ServerMoment& start, bool finely);
    void lose(Frame& frame) const;
    void find_choices(Frame& frame);
    void add_choices(Frame& frame, std::size_t index, bool must, Instant since, Instant until);
    /// Adds instants in the given range at which a deadline that the command sets comes just before
    /// or after another execution.
    void add_fine_instants(const Frame& frame, const Execution& execution, Instant first,
                           Instant last, std::vector<Instant>& instants);
    /// Nothing if the model's reply differs from the real server's.
    std::optional<Frame> after(const Frame& frame, const Choice& choice);
    /// Of the command that ran last.
    bool agrees(const Reply& real, const Reply& model) const;
    bool was_there(const Frame& frame);
    void note_furthest(const Frame& frame, const Choice& choice, const Reply& model);

    const HistoryHead& head_;
    const ServerLog& log_;
    const Duration slack_;
    ScriptEngine& scripts_;
    std::uint64_t& budget_;
    std::vector<Instant> earliest_;  ///< earliest sending of the certain ones from this index on
    std::map<Work, std::vector<std::pair<RedisModel, Instant>>> seen_;
    std::vector<ServerMoment> moments_;
    bool finely_ = false;
    bool is_limited_ = false;
    std::uint64_t furthest_ = 0;
    std::size_t furthest_event_ = 0;
    std::string why_;
};

}  // namespace locklab
