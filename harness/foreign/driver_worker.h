// The worker of one driver process: it wants the lock, tries until it is granted, works step by
// step, and releases. It takes what its driver says, gives the next request for the driver, and
// writes both into the history.
//
// 1. It has no clock and never waits: its owner (a run in real time, a stage, a play in virtual
// time) decides when it goes on.
// 2. A step that is not ok or reports a loss ends the time inside, and so does an unasked line that
// reports a loss; then it only has to release.
// 3. A caller who extends its grant by hand goes out when that is refused, and when it fails.
// 4. If the driver reports an error and knows that nothing came of the try, that is a failed try,
// not a refusal.
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
        Duration lease{0};    ///< computed by the client's own clock; zero: it computes none
        bool fences = false;  ///< its grants have fencing tokens
        Duration wait{0};     ///< how long a try may wait for the lock
        bool always_releases = false;  ///< it releases even after a refusal
        Duration extended{0};          ///< by hand, by so much; zero: never
    };
    struct Request {
        DriverOp op = DriverOp::acquire;
        nlohmann::ordered_json more = nullptr;
    };
    /// The meaning of a word of its driver.
    enum class Heard : std::uint8_t {
        nothing,
        lost,       ///< the lock is lost, and by its own account the client is still inside
        complaint,  ///< something went wrong in the driver
        answer,     ///< the answer to its request: call take()
    };
    /// The result of an answer.
    enum class Outcome : std::uint8_t {
        granted,
        refused,   ///< or the try failed; it may try again
        releases,  ///< it was refused, and releases nevertheless
        inside,    ///< its step is ok
        extended,
        outside,      ///< its step or extension says that it lost the lock, or fails
        released,     ///< or failed to
        nobodys_news  ///< the answer to an operation that no worker asks for
    };

    /// The story must outlive it.
    DriverWorker(ClientId id, const Terms& terms, RunStory& story)
        : id_(id), terms_(terms), story_(&story) {}

    /// Its next request: begin a round, try again, do a step of the job, or release a lost lock.
    Request next();
    Request step();
    /// It extends its grant.
    Request extend();
    /// How long after its grant, or its last extension, it is to extend; nothing: never.
    std::optional<Duration> extends_after() const;
    /// Its job is over: the request to release.
    Request leave();
    /// The last request was sent under this number.
    void asked(std::uint64_t id) { asked_->id = id; }

    /// Throws DriverGone for a driver that has failed.
    Heard hear(const DriverWord& word);
    Outcome take(const DriverAnswer& answer);

    /// Its round ends with a refusal; the next request begins a new round.
    void give_up();
    /// It does not want the lock any more.
    void finish();
    /// Its process was killed: it does nothing any more, and the story has the crash.
    void crash();
    /// As crash(), but the story has no crash.
    void gone();

    ClientId id() const { return id_; }
    Phase phase() const { return phase_; }
    std::uint32_t round() const { return round_; }
    /// Tries that were refused or failed since its round began.
    std::uint32_t tries() const { return tries_; }
    bool is_asked() const { return asked_.has_value(); }
    /// Whether its request may send commands: all may but a step.
    bool is_asked_to_send() const { return asked_ && asked_->op != DriverOp::step; }
    std::optional<DriverOp> asked_for() const {
        return asked_ ? std::optional(asked_->op) : std::nullopt;
    }
    /// The number of its try, if one is under way.
    std::optional<std::uint64_t> try_under_way() const {
        const bool tries = asked_for() == DriverOp::acquire;
        return tries ? std::optional(asked_->id) : std::nullopt;
    }
    bool is_dead() const { return dead_; }
    bool is_finished() const { return finished_; }
    /// It was told that its last grant is lost.
    bool is_lost() const { return lost_; }
    /// The same, or it could not extend its grant: it works no more.
    bool is_out() const { return lost_ || extension_failed_; }
    /// The phase of a command that it sends now: an extension is a renewal.
    Phase phase_of_command() const {
        return asked_for() == DriverOp::extend ? Phase::background : phase_;
    }
    /// The result of its last try is not known.
    bool is_unsure() const { return unsure_; }
    std::uint64_t grant() const { return grant_; }
    /// Fencing token of its last grant; 0: none.
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
    Outcome take_extension(const DriverAnswer& answer);
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
    std::string failure_;  ///< error of its last try, if it is known that the lock was not taken;
                           ///< empty: no such error
    bool unsure_ = false;
    bool in_vain_ = false;  ///< it releases after a refusal
    bool lost_ = false;
    bool extension_failed_ = false;
    std::optional<Duration> valid_;  ///< its grant, as its library last said
    bool dead_ = false;
    bool finished_ = false;
    std::uint64_t grant_ = 0;
    std::uint64_t fence_ = 0;
    std::uint64_t complaints_ = 0;
    std::string first_error_;
};

}  // namespace locklab
