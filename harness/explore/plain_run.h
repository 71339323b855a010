// The rules of a search once more, the plain way: real coroutines, the model of Redis itself, times
// that count up, no tables and no states that are kept. A run cannot be copied, so whoever wants
// every schedule makes each from its beginning. It is there to check the search, with which it
// shares the coroutines' host (Actor) and the model of Redis, and nothing else.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "harness/explore/actor.h"
#include "harness/explore/path.h"
#include "harness/store/redis/redis_model.h"

namespace locklab {

class PlainRun {
public:
    /// `clocks`: by how much each client's is off, in milliseconds.
    PlainRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
             const std::array<std::int16_t, Bounds::kMostClients>& clocks);

    /// Every step that can be made. A `take` with a slow job is among them wherever a reply can be
    /// taken; make() says whether a job began.
    std::vector<Step> offered() const;
    /// False if the step is none after all: the run is spoilt.
    bool make(const Step& step);
    bool is_violated() const;
    /// In the end, where no step is left: whether somebody who comes now never gets the lock. Who
    /// went without a release may leave behind what it likes.
    bool is_stuck();
    const Coverage& coverage() const { return coverage_; }

private:
    /// What became of a command, or a timer.
    struct Call {
        std::uint32_t ticket = 0;
        std::int64_t due = 0;  ///< of a timer, of a silent command's time limit, or of its reply
        bool is_timer = false;
        bool sent = false;
        bool again = false;  ///< the client library will send it again
        std::uint8_t slot = 0;
        std::unique_ptr<Command> command;  ///< for a Redis server
        std::unique_ptr<Reply> reply;
    };
    struct Client {
        std::unique_ptr<Actor> actor;
        std::vector<Call> calls;
        bool begun = false;
        bool gone = false;
        std::int64_t paused_until = 0;
        std::int64_t stalled_until = 0;
        std::int64_t clock = 0;
    };
    struct Late {
        std::uint8_t client = 0;
        std::uint8_t slot = 0;
        std::uint32_t ticket = 0;
        Command command;
        std::int64_t arrives = 0;
        bool in_order = false;  ///< its task was cancelled, and its connection lives on
    };

    bool can_act(const Client& client, std::uint8_t slot) const;
    /// The calm step of a client's wait; false if it can do nothing.
    bool calm_step(std::uint8_t client, const Actor::Shown& shown, Step& step) const;
    bool must_act_now(const Client& client, const Actor::Shown& shown) const;
    std::vector<Late>::const_iterator first_late(std::uint8_t client, std::uint8_t slot) const;
    bool waits_behind(std::uint8_t client, std::uint8_t slot) const;
    bool may_leave(const Client& client) const;
    void offer_faults(std::vector<Step>& steps) const;
    /// How long until something happens by itself; 0: never.
    std::int64_t next_due() const;

    Actor::Shown shown_at(const Step& step) const;
    static const Call& call_of(const Client& client, std::uint32_t ticket);
    static Call& call_of(Client& client, std::uint32_t ticket) {
        return const_cast<Call&>(call_of(std::as_const(client), ticket));
    }
    Phase phase_of(const Client& client, std::uint8_t slot) const;
    void cover(const Step& step);
    void cover_passing();
    void send_command(const Step& step);
    /// Its reply is there from now on.
    void answer(Call& call, Reply reply);
    bool observe(const Step& step);
    void arrive_late(const Step& step);
    void restart_server(RedisModel data);
    void look_anew(std::uint8_t client);
    Reply ask_oracle(std::uint8_t client, const Command& command);
    WallTime server_clock() const;
    const KeyEntry* lock_key() const;
    std::uint32_t& left(Hazard hazard) { return left_[static_cast<std::size_t>(hazard)]; }
    bool may(Hazard hazard) const { return left_[static_cast<std::size_t>(hazard)] > 0; }

    const Algorithm& algorithm_;
    const Bounds& bounds_;
    const bool on_redis_;
    ScriptEngine& scripts_;
    TokenNames names_;
    std::vector<Client> clients_;
    std::vector<Late> late_;
    RedisModel server_;
    std::optional<RedisModel> saved_;
    std::int64_t now_ = 0;
    std::int64_t server_offset_ = 0;
    std::uint32_t leaves_;
    int oracle_ = -1;  ///< who has perfect_lock's
    std::array<std::uint32_t, kHazards.size()> left_{};
    Coverage coverage_;
};

}  // namespace locklab
