// Plays a script: for each line it picks, among the possible moves, those that the line asks for.
// Watchdogs, and clients that "wait", move by themselves as soon as they can.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/stage/play_stage.h"
#include "harness/stage/script.h"

namespace locklab {

class Director final : public CommandFaults {
public:
    /// `scenario` must outlive the director. If no client is granted the lock for `patience`, none
    /// ever will be. `watchdogs_alone`: commands that only watchdogs of the lock send, as named by
    /// command_meant().
    Director(const Scenario& scenario, Duration patience,
             std::set<std::string> watchdogs_alone = {});

    /// Plays every line, and then lets all started work come to its end. Throws std::runtime_error
    /// if that takes too many moves.
    void play(PlayStage& stage);
    /// Lines that asked for a step that this lock never takes.
    const std::vector<std::string>& passed_over() const { return passed_over_; }

    CommandFault on_send(const Wait& wait) override;

private:
    using Done = std::function<bool()>;
    using Wanted = std::function<bool(const Cue&)>;

    /// A fault that waits for its command.
    struct Trap {
        ClientId client;
        Selector selector;
        CommandFault fault;
    };
    struct Client {
        bool by_itself = false;  ///< until it is granted the lock
        bool stopped = false;    ///< a line stopped it before or after a command
        bool cut_off = false;
        std::set<NodeId> cut_from;
        bool rests = false;  ///< it gave up
    };

    void perform(const Line& line);
    void perform_on_client(const Line& line);
    void run_to_command(const Line& line);
    void run_to_release(const Line& line);
    void let_arrive(const Line& line);
    void let_go_on(NodeId server);
    void let_reply_arrive(const Line& line);
    void pass_over(const Line& line, const std::string& why);
    void finish();

    /// Lets the client's worker move until `done`; time passes if it must. False if that never
    /// comes.
    bool run(ClientId client, const Done& done, const Wanted& stop_before);
    bool run(ClientId client, const Done& done);
    /// Begins a round if the client is not in one.
    void enter(ClientId client);
    /// Makes a client that gave up want the lock again. False: it cannot.
    bool comes_back(const Line& line);
    void pass(Duration time);
    /// Makes all moves that no line controls.
    void move_by_itself();
    bool is_by_itself(const Wait& wait) const;
    bool make_first(const Wanted& wanted);

    const Scenario& scenario_;
    const Duration patience_;
    const std::set<std::string> watchdogs_alone_;
    PlayStage* stage_ = nullptr;
    std::vector<Client> clients_;
    std::vector<Trap> traps_;
    std::vector<std::string> passed_over_;
    std::uint32_t moves_ = 0;
    bool finale_ = false;
};

/// Whether the wait is for a command that the selector means.
bool matches(const Selector& selector, const Wait& wait);

}  // namespace locklab
