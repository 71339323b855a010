// What one driver process does: it wants the lock, tries until it is granted, works step by step,
// and releases. It is fed what its driver says and gives the next request to be sent to it; of both
// it tells the history.
//
// 1. It has no clock and waits for nothing: a run in real time, a stage and a play in virtual time
//    say when it is due.
// 2. A step that is not ok, or says that the lock is lost, ends its stay, as a line does that says
//    so unasked; what is left to do then is to release.
// 3. An error of which the driver knows that nothing came of it is no refusal: the try failed.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/driver/driver.h"
#include "harness/foreign/run_story.h"

namespace locklab {

class DriverWorker {
public:
    struct Terms {
        Duration lease{0};             ///< computed by the client's own clock; zero: it is not
        bool fences = false;           ///< its grants have fencing tokens
        Duration wait{0};              ///< how long a try may wait for the lock
        bool always_releases = false;  ///< though it was refused
    };
    struct Request {
        DriverOp op = DriverOp::acquire;
        nlohmann::ordered_json more = nullptr;
    };
    /// What a word of its driver was.
    enum class Heard : std::uint8_t {
        nothing,
        lost,       ///< it has lost the lock, and is still inside by its own account
        complaint,  ///< something went wrong in its driver
        answer,     ///< to what it was asked: to be taken
    };
    /// What came of an answer.
    enum class Outcome : std::uint8_t {
        granted,
        refused,      ///< or failed; it may try again
        releases,     ///< it was refused, and releases all the same
        inside,       ///< its step is ok
        outside,      ///< its step says that it lost the lock, or fails
        released,     ///< or failed to
        nobodys_news  ///< of what no worker asks
    };

    /// The story must outlive it.
    DriverWorker(ClientId id, const Terms& terms, RunStory& story)
        : id_(id), terms_(terms), story_(&story) {}

    /// What it does next: it begins a round, tries again, takes a step of its job, or releases what
    /// it has lost.
    Request next();
    Request step();
    /// Its job is over.
    Request leave();
    /// What it last gave was sent under this number.
    void asked(std::uint64_t id) { asked_->id = id; }

    /// Throws DriverGone for a driver that has failed.
    Heard hear(const DriverWord& word);
    Outcome take(const DriverAnswer& answer);

    /// It is refused for the last time in its round; the next one is to begin.
    void give_up();
    /// It wants the lock no more.
    void finish();
    /// Its process was killed: it does nothing any more...
    void crash();
    /// ... and nobody is to see a crash in that.
    void gone();

    ClientId id() const { return id_; }
    Phase phase() const { return phase_; }
    std::uint32_t round() const { return round_; }
    /// That were refused, or failed, since its round began.
    std::uint32_t tries() const { return tries_; }
    bool is_asked() const { return asked_.has_value(); }
    /// For what may send commands: no step does.
    bool is_asked_to_send() const { return asked_ && asked_->op != DriverOp::step; }
    std::optional<DriverOp> asked_for() const {
        return asked_ ? std::optional(asked_->op) : std::nullopt;
    }
    bool is_dead() const { return dead_; }
    bool is_finished() const { return finished_; }
    /// It has been told that it lost the lock that it was granted last.
    bool is_lost() const { return lost_; }
    /// Nobody knows what came of its last try.
    bool is_unsure() const { return unsure_; }
    std::uint64_t grant() const { return grant_; }
    /// Of its last grant; 0: none.
    std::uint64_t fence() const { return fence_; }
    /// What it said of itself unasked: "unhandled", "crash".
    std::uint64_t complaints() const { return complaints_; }
    const std::string& first_error() const { return first_error_; }

private:
    struct Asked {
        std::uint64_t id = 0;
        DriverOp op = DriverOp::hello;
    };

    void enter(Phase phase);
    Request request(DriverOp op);
    Outcome take_acquired(const DriverAnswer& answer);
    Outcome take_step(const DriverAnswer& answer);
    Outcome take_released(const DriverAnswer& answer);
    Outcome refused();
    void note_error(const std::string& error);

    ClientId id_;
    Terms terms_;
    RunStory* story_;
    Phase phase_ = Phase::idle;
    std::uint32_t round_ = 0;
    std::uint32_t tries_ = 0;
    std::optional<Asked> asked_;
    std::string failure_;  ///< of its last try, of which nothing came; empty: it was none
    bool unsure_ = false;
    bool in_vain_ = false;  ///< it releases though it was refused
    bool lost_ = false;
    bool dead_ = false;
    bool finished_ = false;
    std::uint64_t grant_ = 0;
    std::uint64_t fence_ = 0;
    std::uint64_t complaints_ = 0;
    std::string first_error_;
};

}  // namespace locklab
