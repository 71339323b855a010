// One play of driver processes in progress, in virtual or in real time: which moves are possible,
// making them, and what answers mean.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/foreign/play_client.h"
#include "harness/foreign/play_commands.h"
#include "harness/foreign/play_faults.h"
#include "harness/foreign/play_spec.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// The key's name in histories. Each world has another key, and histories are compared.
inline constexpr const char* kVirtualKey = "locklab:virtual";

class PlayCourse {
public:
    PlayCourse(PlayWorld& world, const Subject& subject, const PlaySpec& spec, PlayDrive& drive,
               std::uint64_t run, PlayDetail detail)
        : world_(world),
          subject_(subject),
          spec_(spec),
          drive_(drive),
          began_(world.now()),
          faults_(world, spec, subject.row().on_redis()),
          story_(head_of(run), at(began_), [this] { return at(world_.now()); }) {
        if (detail == PlayDetail::commands) commands_.emplace(world_, story_, subject_);
        const DriverWorker::Terms terms{
            .lease = subject.own_lease(spec.ttl),
            .fences = subject.row().fences,
            .wait = subject.waits() ? wait_of(spec) : Duration(0),
            .extended = subject.extended_by_hand() ? spec.ttl : Duration(0)};
        for (std::uint32_t i = 0; i < spec.clients; ++i) {
            clients_.push_back({.worker = DriverWorker(ClientId{i}, terms, story_), .due = began_});
        }
    }

    void play();
    /// Makes the moves of the script, each as soon as possible, but not before its time; other
    /// frames, and the rest after the script, go on by themselves. Returns the name of a fault that
    /// never could strike; empty: none.
    std::string follow(const PlayScript& script, const std::function<bool()>& stopped);
    /// What came of it. Call it once.
    PlayResult end();
    /// Makes the world ready for another play. Throws DriverGone, DriverTrouble.
    void close();

private:
    /// The story's times count from the epoch of its clock.
    static RunStory::Clock::time_point at(Instant instant) {
        return RunStory::Clock::time_point(instant.time_since_epoch());
    }

    static Duration wait_of(const PlaySpec& spec);
    HistoryHead head_of(std::uint64_t run) const;
    bool is_over();
    /// All clients wait for answers, and no message, fault or server can bring one.
    bool is_quiet();
    std::vector<PlayOption> list();
    void offer_early(std::vector<PlayOption>& options) const;
    /// The next time at which something happens by itself.
    std::optional<Instant> next_time() const;
    void apply(const PlayOption& option);
    MadeMove made_by(const PlayOption& option) const;
    static const PlayOption* calm(const std::vector<PlayOption>& options);
    bool await(const MadeMove& made, const std::function<bool()>& stopped);
    /// Lets a little time pass.
    void wait();
    void act(const PlayOption& option);
    std::uint64_t call_of(const PlayOption& option) const;
    /// Lets time pass and timers fire until a process says or sends something, or the play has
    /// something to do.
    void pass();
    /// Takes note of new frames at the gate, if the history has commands.
    void see();
    void ask(std::uint32_t i, const DriverWorker::Request& request);
    void ask_next(std::uint32_t i);
    /// A finished client gets an extra round just before another client's library time-out fires.
    bool awaits_timeout(std::uint32_t i);
    void leave(std::uint32_t i);
    void take_words();
    void take(std::uint32_t i, const DriverWord& word);
    void take_end(std::uint32_t i, const std::string& how);
    void take(std::uint32_t i, const DriverAnswer& answer);
    void take_refused(std::uint32_t i);
    void take_granted(std::uint32_t i, const std::string& token);
    bool is_in_company(std::uint32_t i) const;
    void take_inside(std::uint32_t i);
    void take_extended(std::uint32_t i);
    void tell(std::uint32_t i, const std::string& what);

    PlayWorld& world_;
    const Subject& subject_;
    const PlaySpec& spec_;
    PlayDrive& drive_;
    const Instant began_;
    std::vector<PlayClient> clients_;
    PlayFaults faults_;
    RunStory story_;
    std::optional<PlayCommands> commands_;
    PlayChoices choices_;
    PlayScript script_;
    Duration lag_{0};  ///< behind the times of the script that is followed
    std::set<std::string> tokens_;
    std::string transcript_;
    std::string first_error_;
    std::string how_it_died_;
    std::uint64_t inside_ = 0;
    bool is_whole_ = true;
    bool is_quiet_ = false;
    bool hangs_ = false;  ///< and those who are not done wait for what will never come
};

}  // namespace locklab
