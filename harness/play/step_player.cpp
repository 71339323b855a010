#include "harness/play/step_player.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/explore/step_text.h"
#include "harness/play/find_config.h"
#include "harness/play/last_waiter.h"
#include "harness/play/link_cuts.h"
#include "harness/stage/stage.h"

namespace locklab {

namespace {

class Player final : public CommandFaults {
public:
    Player(const Find& find, const Key& key, const StageMaker& make_stage)
        : find_(find),
          key_(key),
          owned_(make_stage(config_for(find, key), *this)),
          stage_(*owned_),
          paused_until_(find.bounds.clients),
          stalled_until_(find.bounds.clients),
          hung_until_(find.bounds.nodes()),
          cuts_(stage_),
          has_learnt_(find.bounds.clients) {}

    void play(const Step& step) {
        const ClientId client{step.client};
        const NodeId server{step.slot};  // for steps of a server
        if (needs_client(step) && !is_there(client)) refuse(step);
        switch (step.kind) {
            using enum Step::Kind;
            case send: send_with(step, calm_way(find_)); break;
            case lose_request: send_with(step, CommandFault::lose_request); break;
            case lose_reply: send_with(step, CommandFault::lose_reply); break;
            case delay: send_with(step, CommandFault::delay); break;
            case delay_reply: send_with(step, CommandFault::delay_reply); break;
            case retry: send_with(step, CommandFault::retry); break;
            case error: send_with(step, CommandFault::error); break;
            case noscript: send_with(step, CommandFault::noscript); break;
            case reset_request: send_with(step, CommandFault::reset_request); break;
            case reset_reply: send_with(step, CommandFault::reset_reply); break;
            case cut_request: cut_with(step, CommandFault::lose_request); break;
            case cut_reply: cut_with(step, CommandFault::lose_reply); break;
            case heal: cuts_.heal(client, NodeId{server_of(step.slot)}); break;
            case take:
                if (step.slow) stage_.next_job(client, find_.bounds.slow_job);
                end_wait(step);
                break;
            case wake: fire(step); break;
            case expire:
                if (server_of(step.slot) == 0) {
                    end_wait(step);
                } else {
                    make(step, Cue::Kind::expire);
                }
                break;
            case arrive:
                // What arrives at a server that hangs waits there, and arrives again.
                if (!hung_until_[server_of(step.slot)]) make(step, Cue::Kind::arrive);
                break;
            case pass: let_pass(std::chrono::milliseconds(step.ms)); break;
            case crash: stage_.crash(client); break;
            case leave: stage_.go_home(client); break;
            case pause:
                stage_.pause(client);
                paused_until_[step.client] = virtual_now_ + find_.bounds.pause;
                break;
            case stall:
                stage_.stall(client);
                stalled_until_[step.client] = virtual_now_ + find_.bounds.pause;
                break;
            case clock_ahead: stage_.jump_clock(client, find_.bounds.clock); break;
            case clock_back: stage_.jump_clock(client, -find_.bounds.clock); break;
            case server_ahead: stage_.jump_server_clock(find_.bounds.clock, server); break;
            case server_back: stage_.jump_server_clock(-find_.bounds.clock, server); break;
            case restart: stage_.restart(find_.bounds.outage, server); break;
            case back: stage_.bring_back(server); break;
            case freeze:
                stage_.hang(server);
                hung_until_[step.slot] = virtual_now_ + find_.bounds.pause;
                break;
            case thaw: let_go_on(step.slot); break;
            case evict: stage_.evict(server, evicted_by(find_, step, key_)); break;
            case flush: stage_.flush(server); break;
            case save: stage_.save(server); break;
            case resume: end_pause(step); break;
            case restore: stage_.restore_saved(server); break;
            case failover: stage_.take_over(); break;
            case learn: learn_master(step); break;
        }
        answer_register();
    }

    void let_wait_at_the_end() {
        for (std::uint32_t i = 0; i < hung_until_.size(); ++i) serve_all(i);
        cuts_.heal_until(Instant::max());
        LastWaiter waiter(find_, stage_);
        if (find_.newcomer) waiter.bring_newcomer();
        if (find_.waiter) waiter.let_wait(*find_.waiter, has_learnt_[find_.waiter->value]);
    }

    Scene finish() {
        return stage_.take_scene(waiter_of(find_) ? newcomer_patience(find_.bounds)
                                                  : Duration::zero());
    }

    CommandFault on_send(const Wait& wait) override {
        if (wait.node == kOracle) return CommandFault::none;
        const CommandFault fault = std::exchange(fault_, CommandFault::none);
        return cuts_.has(wait.client, wait.node) ? CommandFault::lose_request : fault;
    }

private:
    void send_with(const Step& step, CommandFault fault) {
        fault_ = fault;
        make(step, Cue::Kind::send);
    }

    /// Nothing more gets through to that server.
    void cut_with(const Step& step, CommandFault first) {
        cuts_.cut(ClientId{step.client}, NodeId{server_of(step.slot)},
                  virtual_now_ + find_.bounds.pause, [&] { send_with(step, first); });
    }

    /// A timer of the harness may fire early; any other is due.
    void fire(const Step& step) {
        const ClientId client{step.client};
        if (!stage_.started(client)) {
            stage_.start(client);
            return;
        }
        if (try_make(step, Cue::Kind::wake)) return;
        const bool is_workers = task_of(step.slot) == 0;
        if (!is_workers && (stage_.extend_early(client) || stage_.keeps_own_timers())) return;
        if (!stage_.wake_early(client)) refuse(step);
    }

    /// Ends the wait at each server: with its reply, which comes now if it is late, or without one.
    void end_wait(const Step& step) {
        const bool gives_up = step.kind == Step::Kind::expire;
        bool is_it = false;
        for (std::uint32_t server = 0; server < find_.bounds.nodes(); ++server) {
            Step part = step;
            part.slot = static_cast<std::uint8_t>(slot_of(task_of(step.slot), server));
            try_make(part, Cue::Kind::come);
            const bool takes = try_make(part, Cue::Kind::take);
            is_it = (gives_up ? try_make(part, Cue::Kind::expire) : takes) || is_it;
        }
        if (!is_it) refuse(step);
    }

    void learn_master(const Step& step) {
        if (!stage_.has_taken_over()) refuse(step);
        stage_.learn(ClientId{step.client});
        has_learnt_[step.client] = true;
    }

    /// Ends a pause or stall before its time.
    void end_pause(const Step& step) {
        const ClientId client{step.client};
        (step.slot == 0 ? paused_until_ : stalled_until_)[step.client].reset();
        step.slot == 0 ? stage_.resume(client) : stage_.unstall(client);
    }

    void let_pass(Duration time) {
        virtual_now_ += time;
        // If the world is late, waits from its present time, so that timers are due afterwards.
        // Pauses end where the steps end them.
        stage_.pass_until(std::max(virtual_now_, stage_.time() + time));
        for (std::uint32_t i = 0; i < find_.bounds.clients; ++i) {
            if (is_over(paused_until_[i])) stage_.resume(ClientId{i});
            if (is_over(stalled_until_[i])) stage_.unstall(ClientId{i});
        }
        for (std::uint32_t i = 0; i < hung_until_.size(); ++i) {
            if (is_over(hung_until_[i])) stage_.go_on(NodeId{i});
        }
        cuts_.heal_until(virtual_now_);
    }
    /// Ends a hang, and executes what waited.
    void serve_all(std::uint32_t server) {
        if (!hung_until_[server]) return;
        let_go_on(server);
        const auto waited = [&](const Cue& move) {
            return move.kind == Cue::Kind::arrive && move.wait->node == NodeId{server};
        };
        for (;;) {
            const std::vector<Cue> moves = stage_.moves();
            const auto next = std::ranges::find_if(moves, waited);
            if (next == moves.end()) return;
            stage_.make(*next);
        }
    }
    void let_go_on(std::uint32_t server) {
        hung_until_[server].reset();
        stage_.go_on(NodeId{server});
    }
    /// Whether a pause has just ended.
    bool is_over(std::optional<Instant>& until) {
        const bool over = until && *until <= virtual_now_;
        if (over) until.reset();
        return over;
    }

    bool try_make(const Step& step, Cue::Kind kind) {
        for (const Cue& move : stage_.moves()) {
            const Wait& wait = *move.wait;
            const bool elsewhere =
                !wait.is_timer && wait.node != kOracle && wait.node.value != server_of(step.slot);
            const bool meant = wait.client.value == step.client &&
                               wait.task.value == task_of(step.slot) && !elsewhere;
            if (move.kind != kind || !meant) continue;
            stage_.make(move);
            return true;
        }
        return false;
    }
    void make(const Step& step, Cue::Kind kind) {
        if (try_make(step, kind)) return;
        const bool is_sent = kind == Cue::Kind::send;
        const bool comes =
            is_sent && stage_.await_command(ClientId{step.client}, TaskId{task_of(step.slot)},
                                            NodeId{server_of(step.slot)});
        if (!comes || !try_make(step, kind)) refuse(step);
    }
    [[noreturn]] static void refuse(const Step& step) {
        throw std::invalid_argument("the step '" + to_string(step) +
                                    "' cannot be made where it stands: its client waits for "
                                    "something else, or is not there");
    }
    /// Moves of the network, a server or a clock need no client; and a client is not there yet when
    /// it begins, or learns of a master before it begins.
    bool needs_client(const Step& step) const {
        using enum Step::Kind;
        const bool is_of_clock = step.kind == clock_ahead || step.kind == clock_back;
        const bool can_be_first = step.kind == wake || step.kind == learn;
        const bool is_first = can_be_first && !stage_.started(ClientId{step.client});
        return is_of_client(step.kind) && step.kind != arrive && !is_of_clock && !is_first;
    }
    bool is_there(ClientId client) const {
        return stage_.started(client) && !stage_.progress(client).gone;
    }

    /// Makes the moves of the job's register, which searches do not have.
    void answer_register() {
        for (bool moved = true; moved;) {
            moved = false;
            for (const Cue& move : stage_.moves()) {
                const Wait& wait = *move.wait;
                if (wait.is_timer || wait.node != kOracle) continue;
                if (wait.command[0] != "READ" && wait.command[0] != "WRITE") continue;
                stage_.make(move);
                moved = true;
                break;
            }
        }
    }

    const Find& find_;
    const Key key_;
    CommandFault fault_ = CommandFault::none;
    const std::unique_ptr<PlayStage> owned_;
    PlayStage& stage_;
    Instant virtual_now_;
    std::vector<std::optional<Instant>> paused_until_;
    std::vector<std::optional<Instant>> stalled_until_;
    std::vector<std::optional<Instant>> hung_until_;  ///< by server
    LinkCuts cuts_;
    std::vector<bool> has_learnt_;  ///< by client: knows the new master
};

}  // namespace

Scene play_steps(const Find& find, StageWorld& world, const Key& key) {
    return play_steps(find, key, [&](StageConfig config, CommandFaults& faults) {
        return std::make_unique<Stage>(std::move(config), world, faults);
    });
}

Scene play_steps(const Find& find, const Key& key, const StageMaker& make_stage) {
    Player player(find, key, make_stage);
    for (const Step& step : find.steps) player.play(step);
    player.let_wait_at_the_end();
    Scene scene = player.finish();
    describe(scene, find);
    return scene;
}

}  // namespace locklab
