// A drive of a cluster that offers every step of a search, with real coroutines, the Redis model
// itself and a clock that counts up; without tables, and without stored states. A run cannot be
// copied, so to enumerate schedules each is made from its beginning. It checks the search, which
// has the rules of the cluster in a second form. Both share how one client is run and answered
// (Cluster), how far it goes (BoundedClient) and the Redis model, and nothing else.
//
// A request arrives when it is sent unless it is late, and is not sent before it can arrive.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "harness/cluster/cluster.h"
#include "harness/explore/bounded_client.h"
#include "harness/explore/path.h"

namespace locklab {

class PlainRun final : private Agenda {
public:
    /// `clocks`: how far each client's clock is off, in milliseconds.
    PlainRun(const Algorithm& algorithm, const Bounds& bounds, ScriptEngine& scripts,
             const std::array<std::int16_t, Bounds::kMostClients>& clocks);
    PlainRun(const PlainRun&) = delete;
    PlainRun& operator=(const PlainRun&) = delete;

    /// Every step that can be made. Wherever a reply can be taken, a `take` with a slow job is
    /// offered too; make() says whether a job began.
    std::vector<Step> offered() const;
    /// False if the step was none after all, for no job began; the run is then unusable.
    bool make(const Step& step);
    bool is_violated() const;
    /// A bit for each client that has neither crashed nor gone for good.
    std::uint32_t alive() const;
    /// A client went without a release, so what it left behind is no error.
    bool has_left() const { return leaves_ != bounds_.leaves; }
    /// Continues a run in which no client is between a try and the end of its release. The clients
    /// of `who` come again, or go on trying, until each was granted the lock, or no client is for
    /// long. The others stay away, as does a client that has had it. Bit `clients` is a newcomer.
    /// With a null `order` the first offered step is made; else `order` picks. Returns the clients
    /// that were granted the lock. Call it once. Throws std::length_error as count_newcomers_move()
    /// does.
    std::uint32_t go_on(std::uint32_t who, Choices* order);
    const Coverage& coverage() const { return coverage_; }

    /// `listener` gets every event that the history keeps, from now on.
    void on_note(std::function<void(const Event&)> listener) { listener_ = std::move(listener); }
    /// All that the future depends on, except what clients remember: what the servers store, what
    /// each client waits for, and which faults are left or going on. Times count from now.
    /// Incomplete for faults that save data or set a clock.
    std::string data_text() const;
    std::string waits_text(std::uint8_t client) const;
    std::string faults_text() const;
    /// The client waits only for a timer that fires at any time, or never.
    bool rests(std::uint8_t client) const;

private:
    struct Pending {
        Move move;
        Window window;
        Instant stop;  ///< one step of time does not pass this instant
    };
    struct Client {
        explicit Client(const Bounds& bounds) : work(bounds) {}
        BoundedClient work;
        bool begun = false;
        bool gone = false;  ///< crashed, gone or done; its requests may still be on their way
    };

    void is_ready(std::uint32_t message) override { ready_.push_back(message); }
    void armed(const Move& move, const Window& window) override;
    void noted(const Event& event) override;
    Choices& choices() override { return calm_; }
    bool enough(ClientId client) override { return clients_[client.value].work.enough(); }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;

    /// Whether the client has steps to make.
    bool is_there(std::uint32_t client) const {
        return !clients_[client].gone && !clients_[client].work.waits_on();
    }
    void offer_client(std::uint8_t client, std::vector<Step>& steps) const;
    void offer_send(std::uint32_t message, std::vector<Step>& steps) const;
    void offer_end(const Pending& pending, std::vector<Step>& steps) const;
    void offer_faults(std::vector<Step>& steps) const;
    void offer_server_faults(NodeId server, std::vector<Step>& steps) const;
    bool may_leave(std::uint8_t client) const;
    bool has_background(std::uint8_t client) const;
    /// Whether a move that ends a wait can be made now, unless its client is held up.
    bool is_possible(const Pending& pending) const;
    /// Whether the move gives up on a reply that has arrived.
    bool is_answered(const Pending& pending) const;
    /// Whether the client library sends the command again instead of ending the wait.
    bool sends_again(const Pending& pending) const;
    /// The moves that end a wait: one, or one per server that was asked and has not answered yet.
    /// Empty if the wait at some server cannot end now.
    std::vector<const Pending*> end_of_wait(const Pending& one) const;
    bool can_act(const Move& move) const;
    bool hangs(NodeId server) const {
        return server != kOracle && cluster_.value().nodes[server.value].hangs_until > now();
    }
    /// Whether nothing gets through between the client and the server.
    bool is_cut(std::uint32_t client, NodeId server) const {
        return cluster_.cut_until(ClientId{client}, server) > now();
    }
    /// Whether the message waits at a server that hangs, or hung.
    bool is_in_queue(std::uint32_t message) const;
    /// The arrivals of requests that waited for servers that go on: the first at each.
    std::vector<const Pending*> served() const;
    /// Whether something must be done before time can pass.
    bool must_act() const;
    bool can_send(std::uint32_t message) const;
    /// Time until something happens by itself; zero: never.
    Duration next_stop() const;
    /// The request of that route that arrives first; null if there is none.
    const Pending* first_arrival(const Route& route) const;
    /// The longest time that a message takes without a fault.
    Duration latency_to(const Route& route) const {
        return route.node == kOracle ? Duration::zero() : bounds_.latency;
    }
    const Route& route_of(const Move& move) const { return cluster_.message(move.message).route; }

    /// The command that the step sends.
    std::vector<std::uint32_t>::const_iterator ready_for(const Step& step) const;
    Move take(const Pending& pending);
    Move take_arrival(const Step& step);
    void let_arrive(const Step& step);
    void observe(const Step& step);
    void end_wait(const Step& step);
    void let_learn(ClientId client);
    void send_command(const Step& step);
    void depart(std::uint32_t message, const Step& step);
    void strike(const Step& step, Hazard hazard);
    /// Makes waits that are no steps at once, and drops what no task waits for any more.
    void settle(ClientId client);
    bool pass_over(ClientId client);
    void forget(ClientId client);
    void leave_behind(std::uint32_t message);
    void come_again(ClientId client);
    using MayBegin = std::function<bool(std::uint32_t client)>;
    std::vector<Step> offered_calmly(std::uint32_t who, const MayBegin& may_begin) const;
    std::uint32_t grants_of_all() const;
    void cover(const Step& step);
    void cover_refused();
    void cover_keys();
    void cover_passing();

    static constexpr std::chrono::milliseconds kMs{1};
    static constexpr std::string_view kLock = "lock";

    static ClientId id_of(const Step& step) { return ClientId{step.client}; }
    /// A step at one server; a step that ends a whole wait names its task's first slot.
    Step step_at(Step::Kind kind, const Move& move) const;
    static Step step_of(Step::Kind kind, const Move& move);
    static Step::Kind kind_of(MoveKind kind);
    static bool ends_wait(const Move& move) {
        return move.kind != MoveKind::arrive && move.kind != MoveKind::learn;
    }
    static bool end_same_wait(const Move& a, const Move& b) {
        return a.client == b.client && a.ticket == b.ticket;
    }
    Phase phase_of(const Client& client, TaskId task) const;
    const RedisModel& data_of(NodeId server) const;
    const KeyEntry* lock_key(NodeId server) const;
    std::string session_text(const Session& session, NodeId server) const;
    /// Whether the lock's key (`of_lock`), or another key, has a time to live at any server.
    bool has_deadline(bool of_lock) const;
    bool is_inside(std::uint32_t client) const {
        return !clients_[client].gone && clients_[client].work.inside();
    }
    Crowd inside() const;
    Mode mode_of(std::uint32_t client) const {
        return its_mode(ClientId{client}, algorithm_, bounds_.unequal);
    }
    Instant now() const { return cluster_.value().now; }
    std::uint32_t& left(Hazard hazard) { return left_[static_cast<std::size_t>(hazard)]; }
    bool may(Hazard hazard) const { return left_[static_cast<std::size_t>(hazard)] > 0; }

    const Algorithm& algorithm_;
    const Bounds bounds_;
    const std::vector<std::string> keys_;  ///< that can be evicted
    const Bounds newcomers_bounds_;
    const bool on_redis_;
    std::vector<Workload> workloads_;  ///< of each client
    CalmChoices calm_;
    std::vector<Client> clients_;       ///< the last is the newcomer, absent until go_on()
    std::vector<std::uint32_t> ready_;  ///< messages that are not sent yet
    TokenOrder tokens_;
    bool sends_ = false;  ///< a command is being executed at the moment of sending
    /// Messages that wait since a server hung, by server, the first in front.
    std::vector<std::vector<std::uint32_t>> queues_;
    std::vector<Pending> pending_;
    bool slow_ = false;
    bool asked_slow_ = false;
    std::function<void(const Event&)> listener_;
    std::uint32_t leaves_;
    std::array<std::uint32_t, kHazards.size()> left_{};
    Coverage coverage_;
    Cluster cluster_;
};

/// A live client that is never granted the lock from where the steps of `path` have led `run`:
/// neither alone nor with all other live clients, in any order that is tried. If no client is
/// alive, a newcomer. Continues the run.
std::optional<ClientId> who_is_stuck(PlainRun& run, const Path& path, const Algorithm& algorithm,
                                     const Bounds& bounds, ScriptEngine& scripts);
std::optional<ClientId> who_is_stuck_after(const Path& path, const Algorithm& algorithm,
                                           const Bounds& bounds, ScriptEngine& scripts);

}  // namespace locklab
