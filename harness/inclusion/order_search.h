// The search for an order in which one server did what it was asked: depth first, over copies of
// the model of Redis.
//
// 1. What was answered before something else was sent came before it.
// 2. Instants are tried at both ends of what is possible, in the middle, and on both sides of
//    every deadline. Where these find no order, so are those that bring a deadline to either side
//    of when something else was sent or answered. Nothing else can tell instants apart.
// 3. A state that was reached before with the same work done, no later, is not tried again.
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

/// A server at some instant.
struct ServerMoment {
    Instant now;
    RedisModel redis;
    Duration clock_offset{0};
};

class OrderSearch {
public:
    /// `slack`: by how much the history's clock and the server's may differ. `budget`: executions
    /// that may be tried; it goes down. All must outlive the search.
    OrderSearch(const HistoryHead& head, const ServerLog& log, Duration slack,
                ScriptEngine& scripts, std::uint64_t& budget);

    /// unknown: the budget is spent, or more was under way at once than is followed.
    enum class End : std::uint8_t { found, none, unknown };
    End run(const ServerMoment& start);

    /// If found: the server before the first execution and after each.
    const std::vector<ServerMoment>& moments() const { return moments_; }
    /// If there is none: the event that is as far as any order gets, and what the model says.
    std::size_t event() const { return furthest_event_; }
    const std::string& why() const { return why_; }

private:
    /// Of what may be done, so much is followed.
    static constexpr std::size_t kWindow = 64;
    struct Choice {
        std::size_t index = 0;
        bool must = true;
        Instant at;
    };
    struct Frame {
        ServerMoment server;
        std::size_t first = 0;           ///< of what must be done: all before it is
        std::vector<std::size_t> ahead;  ///< of those after it: which are done, in order
        std::uint64_t may = 0;           ///< of what may be done: which is
        std::size_t losses = 0;
        std::vector<Choice> choices;  ///< that are left to try, the last first
    };
    using Work = std::tuple<std::size_t, std::vector<std::size_t>, std::uint64_t, std::size_t>;

    static bool is_done(const Frame& frame, std::size_t index);
    static std::uint64_t count_done(const Frame& frame) { return frame.first + frame.ahead.size(); }
    /// Everything after a loss comes after everything before it.
    End run(const ServerMoment& start, bool finely);
    void lose(Frame& frame) const;
    void find_choices(Frame& frame);
    void add_choices(Frame& frame, std::size_t index, bool must, Instant since, Instant until);
    /// The instants, of those between, at which the deadline that it sets is just before or after
    /// another execution.
    void add_fine_instants(const Frame& frame, const Execution& execution, Instant first,
                           Instant last, std::vector<Instant>& instants);
    /// Nothing if the model says something else than the real server did.
    std::optional<Frame> after(const Frame& frame, const Choice& choice);
    bool was_there(const Frame& frame);
    void note_furthest(const Frame& frame, const Choice& choice, const Reply& model);

    const HistoryHead& head_;
    const ServerLog& log_;
    const Duration slack_;
    ScriptEngine& scripts_;
    std::uint64_t& budget_;
    std::vector<Instant> earliest_;  ///< was sent, of what must be done from this place on
    std::map<Work, std::vector<std::pair<RedisModel, Instant>>> seen_;
    std::vector<ServerMoment> moments_;
    bool finely_ = false;
    bool is_limited_ = false;
    std::uint64_t furthest_ = 0;
    std::size_t furthest_event_ = 0;
    std::string why_;
};

}  // namespace locklab
