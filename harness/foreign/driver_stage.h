// A stage whose clients are driver processes: each command is held at the gate of a proxy until it
// has its cue, and so is each answer. Time is real.
//
// 1. Whatever a client's worker waits for has a Wait, as on any stage; a job reads and writes when
// its step was ok.
// 2. A client inside is asked for a step only where that may prove an overlap.
// 3. A client's command and its watchdog's are told apart by what the driver was asked when the
// command came, and by the commands that came while nothing was asked.
// 4. A client has a link for each master. If that master has a replica, the link leads to the
// server that the client takes for the master; when it learns of another one, its connections end.
// 5. Extending a grant by hand is a renewal like that of a watchdog: it needs no cue of its
// client's worker, which waits meanwhile.
// 6. If a client gives up on a command before its cue, the command is on its way already, and
// arrives.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/foreign/command_teller.h"
#include "harness/foreign/driver_worker.h"
#include "harness/foreign/gate_inbox.h"
#include "harness/foreign/key_look.h"
#include "harness/foreign/link_table.h"
#include "harness/foreign/play_lateness.h"
#include "harness/foreign/run_story.h"
#include "harness/foreign/team.h"
#include "harness/live/managed_servers.h"
#include "harness/proxy/proxy_thread.h"
#include "harness/stage/stage.h"
#include "harness/store/oracle/oracle_store.h"

namespace locklab {

/// Driver processes, or this library, cannot do what a play asks for: one sentence.
class NotPlayed : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class DriverStage final : public PlayStage {
public:
    struct Parts {
        const Subject& subject;
        /// Servers of the stage's topology. If clocks jump, theirs must be able to be wrong.
        ManagedServers& servers;
        Team& team;
        /// Time after which a driver of our own lock gives up on a reply.
        Duration driver_timeout;
        /// A client's clock is wrong, or will be.
        bool wrong_clocks = false;
        /// Servers will come back with data that they had some time ago.
        bool keeps_snapshots = false;
    };

    /// `faults` must outlive the stage. Throws NotPlayed, DriverTrouble.
    DriverStage(StageConfig config, const Parts& parts, CommandFaults& faults);
    ~DriverStage() override;
    DriverStage(const DriverStage&) = delete;
    DriverStage& operator=(const DriverStage&) = delete;

    std::vector<Cue> moves() override;
    void make(const Cue& move) override;
    bool wake_early(ClientId client) override { return fire(client, TaskId{}); }
    bool extend_early(ClientId client) override { return fire(client, TaskId{1}); }
    bool await_command(ClientId client, TaskId task, NodeId node) override;
    bool keeps_own_timers() const override { return true; }
    void next_job(ClientId client, Duration length) override { actors_[client.value].job = length; }
    std::optional<Instant> next_due(const Counts& counts) const override;
    void pass_until(Instant at) override;
    void script_waits_until(Instant end) override { script_waits_until_ = end; }
    bool waits_for_lock(ClientId client) const override;
    bool is_waiting(std::uint32_t wait) const override;
    bool waits_for_network(ClientId client) const override;
    Instant time() override { return now(); }

    void start(ClientId client) override;
    bool started(ClientId client) const override { return actors_[client.value].started; }
    const Progress& progress(ClientId client) const override {
        return actors_[client.value].progress;
    }
    Phase phase(ClientId client) const override { return actors_[client.value].phase(); }
    std::string_view algorithm() const override { return parts_.subject.row().name; }
    std::uint32_t clients() const override { return static_cast<std::uint32_t>(actors_.size()); }
    Instant last_grant() const override { return last_grant_; }

    void pause(ClientId client) override;
    void resume(ClientId client) override;
    void stall(ClientId client) override;
    void unstall(ClientId) override {}
    void crash(ClientId client) override;
    void go_home(ClientId client) override;
    void jump_clock(ClientId client, Duration by) override;
    void restart(Duration outage, NodeId server) override;
    void bring_back(NodeId server) override;
    void hang(NodeId server) override { hung_.try_emplace(server, now()); }
    void cut(ClientId client, NodeId server) override {
        cut_.emplace(std::pair(client, server), now());
    }
    void heal(ClientId client, NodeId server) override;
    void go_on(NodeId server) override;
    void restore(Duration age, NodeId server) override;
    void save(NodeId server) override;
    void restore_saved(NodeId server) override;
    void jump_server_clock(Duration by, NodeId server) override;
    void cut_off_replica() override;
    void take_over() override;
    bool has_taken_over() const override { return took_over_; }
    void learn(ClientId client) override;
    using PlayStage::evict;
    void evict(NodeId server, const std::string& key) override;
    void flush(NodeId server) override;

    void remark(std::string text) override { remarks_.push_back({0, now(), std::move(text)}); }
    void close() override { closing_ = true; }
    Scene take_scene(Duration patience) override;

    /// Throws DriverTrouble if a driver has changed its server.
    void blame_operator();
    /// Whether the play was late by more than `most` within one TTL.
    PlayLateness::Found lateness(Duration most);
    /// Pairs of clients that were proved inside together: first the one with the earlier grant.
    const std::vector<std::pair<ClientId, ClientId>>& proved() const {
        return story_->proved_pairs();
    }
    /// Clients whose driver told them of a loss while they were inside with another client.
    const std::set<ClientId>& told_of_loss() const { return told_of_loss_; }
    /// Clients that were stopped while inside with another client, and did nothing inside after
    /// they went on.
    const std::set<ClientId>& showed_nothing() const { return showed_nothing_; }
    /// The first error that the library gave; empty: none.
    const std::string& first_error() const { return first_error_; }

private:
    using Clock = std::chrono::steady_clock;

    struct Actor {
        DriverWorker worker;
        Driver* driver = nullptr;
        Progress progress{};
        std::optional<Duration> job{};  ///< of the next job
        std::optional<Instant> paused{};
        std::int64_t base = 0;  ///< the value that its job read
        bool started = false;
        bool limited = false;   ///< its job is stopped before its write
        bool shown = false;     ///< its last step was ok
        bool has_sent = false;  ///< it has sent a command for its last request
        bool woke = false;  ///< it went on after a stop beside another client, without a step since
        NodeId master{};    ///< the one it uses, where the first master has a replica

        ClientId id() const { return worker.id(); }
        Phase phase() const { return worker.phase(); }
        bool is_dead() const { return worker.is_dead(); }
    };
    /// A wait, and where its command stands.
    struct Held : Wait {
        CommandTeller::Name name{};
        bool is_noted = false;     ///< the history has it as sent
        bool may_wait = false;     ///< it may block at the server, as WAIT does
        bool replied = false;      ///< its answer is at the gate
        bool over = false;         ///< its connection has ended
        bool broken = false;       ///< the server was killed before its client took the answer
        bool abandoned = false;    ///< its client gave up on it before it had its cue
        bool brings_back = false;  ///< a timer: the server comes back
        bool extends = false;      ///< a timer: its client extends its grant by hand
        DriverAnswer answer{};     ///< of a driver that sent no command for the request
        std::string frame{};       ///< the answer, as it came
        Reply reply;               ///< the register's answer
        std::vector<KeyLook> before{};
    };

    // driver_stage.cpp: moves, and what comes from processes and proxy
    void open();
    Instant now() const { return story_->instant_of(Clock::now()); }
    bool is_awake(const Wait& wait) const;
    std::optional<Cue::Kind> move_of(const Held& wait) const;
    bool awaits_extension(const Held& wait) const;
    bool can_act(const Actor& actor) const;
    bool fire(ClientId client, TaskId task);
    bool pump(Duration limit);
    template <class Done>
    bool pump_until(Duration limit, Done done) {
        const Clock::time_point end = Clock::now() + limit;
        while (!done()) {
            const auto left = std::chrono::duration_cast<Duration>(end - Clock::now());
            if (left <= Duration(0)) return false;
            pump(left);
        }
        return true;
    }
    bool take_news();
    void came(GateInbox::News&& news);
    void answered(GateInbox::News&& news);
    void broke(std::uint32_t connection);
    Held* held_at(const CommandTeller::Name& name);
    Held& add(ClientId client, TaskId task, Phase phase);
    void end();
    /// Between moves: lets commands go whose clients gave up before the cue, asks clients for
    /// proof, and drops waits that have ended.
    void tidy_up();

    // driver_stage_time.cpp: how it passes
    /// The present stretch of time that the script did not ask for ends here.
    void end_unasked();
    /// What the processes of the play, each by one thread, and this thread waited for a processor:
    /// who does something for another is waited for, and not the other threads of a runtime.
    Duration waited_for_processors() const;

    // driver_stage_commands.cpp: what becomes of a command
    void note_sent(Held& wait);
    void send(Held& wait);
    void let(const Held& wait, LinkWay way, std::optional<LinkFault> fault = {});
    void reset(const Held& wait);
    bool tell_by_fault(Held& wait);
    void run(Held& wait, std::optional<LinkFault> fault = {});
    void send_text(Held& wait);
    void take_reply(Held& wait);
    void expire(Held& wait);
    void arrive(Held& wait);
    void give_up_on(Actor& actor);
    void note_fault(const Held& wait, CommandFault fault);
    /// The node that the link leads to now.
    NodeId node_at(std::uint32_t link) const;
    /// Looks at each of the lock's keys.
    std::vector<KeyLook> look(NodeId node);
    void see(NodeId node, const std::vector<KeyLook>& looks);
    /// Called when the server's data may have changed: a later restart may bring this state back.
    void keep_snapshot(NodeId node);
    void kill_server(NodeId node);
    void restart_with(const ManagedServers::Kept& kept, Duration age, NodeId node);
    void settle(const Actor& actor, bool is_worker = true);

    // driver_stage_worker.cpp: what a client does
    bool hear_all();
    bool hear(Actor& actor);
    void ask(Actor& actor, const DriverWorker::Request& request);
    void take(Actor& actor, const DriverAnswer& answer);
    void take_result(Actor& actor, const DriverAnswer& answer);
    void leave_to_watchdog(Actor& actor);
    void granted(Actor& actor);
    void released(Actor& actor);
    void told_lost(Actor& actor);
    bool is_in_company(const Actor& actor) const;
    void try_acquire(Actor& actor);
    void refused(Actor& actor);
    void leave(Actor& actor);
    void wake(Actor& actor);
    void plan_extension(const Actor& actor);
    void extend(Actor& actor);
    void sleep(Actor& actor, Duration length);
    bool show(Actor& actor);
    void prove();
    void add_register(Actor& actor, Command command);
    void ask_register(Held& wait);
    void land(Held& wait);
    void told_by_register(Held& wait);
    const Workload& workload(const Actor& actor) const {
        return config_.roles[actor.id().value].workload;
    }

    const StageConfig config_;
    const Parts parts_;
    CommandFaults& faults_;
    const LinkTable links_;
    std::string key_;                     ///< the lock's name, as drivers are told it
    std::vector<std::string> lock_keys_;  ///< the lock's keys, its own first
    std::unique_ptr<GateInbox> inbox_;
    std::unique_ptr<ProxyThread> proxy_;
    std::vector<std::unique_ptr<KeyWatch>> key_watches_;  ///< by node
    std::unique_ptr<RunStory> story_;
    std::unique_ptr<CommandTeller> teller_;
    std::vector<Actor> actors_;
    std::vector<std::unique_ptr<Held>> waits_;
    std::uint32_t last_wait_ = 0;
    OracleStore register_;
    std::vector<Remark> remarks_;
    std::vector<KeySight> sights_;
    std::set<ClientId> told_of_loss_;
    std::set<ClientId> showed_nothing_;
    std::string first_error_;
    Instant last_grant_;
    PlayLateness lateness_;
    PlayLateness::Stretch unasked_;  ///< the present one
    Instant asked_until_;            ///< when it began
    Instant script_waits_until_;
    Duration processor_wait_{0};  ///< of all processes, as last read
    std::map<NodeId, ManagedServers::Kept> saved_;
    std::map<NodeId, Instant> hung_;                      ///< servers that hang, since then
    std::map<std::pair<ClientId, NodeId>, Instant> cut_;  ///< links, since then
    std::optional<Instant> cut_off_;                      ///< when the replica was cut off
    bool took_over_ = false;
    bool closing_ = false;
    bool wants_proof_ = false;
};

}  // namespace locklab
