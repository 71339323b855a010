// One client of a run in real time: when its worker goes on, and when its planned faults strike.
//
// It never waits: it says when it is due, and is called when its driver has said something.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harness/core/fault.h"
#include "harness/core/passed_over.h"
#include "harness/core/random_choices.h"
#include "harness/core/run_spec.h"
#include "harness/foreign/driver_worker.h"
#include "harness/foreign/link_plan.h"
#include "harness/foreign/run_story.h"
#include "harness/foreign/slowness.h"
#include "harness/foreign/still_watch.h"
#include "harness/foreign/subject.h"

namespace locklab {

class ForeignClient {
public:
    using Clock = std::chrono::steady_clock;

    /// What all clients of a run share.
    class Surroundings {
    public:
        /// A command is on its way for less than a TTL over this; pauses last longer than a TTL.
        static constexpr int kTtlPerCommand = 2;
        /// A delay of more than a TTL over this is a pause that nobody planned.
        static constexpr int kTtlPerLag = 4;
        const RunSpec& spec;
        RunStory& story;
        LinkPlan& links;
        FaultSchedule& schedule;
        RandomChoices& choices;
        const Subject& subject;
        StillWatch stillness;
        Slowness slowness;
        PassedOver passed_over;
        /// A fault of the plan strikes as this client is about to go on.
        virtual void strike(const PlannedFault& fault, ForeignClient& client) = 0;
        /// Another client may be inside too, and a step of its could prove it.
        virtual bool is_in_company(const ForeignClient& client) const = 0;
        /// This client's process has ended by itself.
        virtual void died(ForeignClient& client) = 0;
        /// Whether a server hung at this time or later.
        virtual bool has_hung_since(Clock::time_point at) const = 0;
        /// This client has been granted the lock.
        virtual void granted(ForeignClient& client) = 0;
        /// Whether this client needs no more grants.
        bool enough(ClientId client) const {
            return story.grants() >= spec.grants && !passed_over.is(client);
        }

    protected:
        Surroundings(const RunSpec& its_spec, RunStory& its_story, LinkPlan& its_links,
                     FaultSchedule& its_schedule, RandomChoices& its_choices,
                     const Subject& its_subject)
            : spec(its_spec),
              story(its_story),
              links(its_links),
              schedule(its_schedule),
              choices(its_choices),
              subject(its_subject),
              stillness(its_spec.scale / kTtlPerCommand),
              slowness(its_spec.scale / kTtlPerLag),
              passed_over(its_spec.clients, its_spec.grants) {}
        ~Surroundings() = default;
    };

    ForeignClient(ClientId id, Driver& driver, Surroundings& run);

    /// When it has something to do; nothing: it waits for an answer.
    std::optional<Clock::time_point> due() const;
    /// Does what is due.
    void go_on(Clock::time_point now);
    /// Takes all that its driver has said. Throws DriverTrouble.
    void hear();
    /// If it is inside, it is asked for a step as soon as possible.
    void show_yourself();
    /// Makes its current job, if it has one, take most of a lease.
    void linger();

    /// SIGSTOP for `length`. False: the process does not stop.
    bool stop(Duration length);
    void resume();
    /// SIGKILL.
    void kill();
    /// Its caller cancels its try. False: none is under way.
    bool cancel();

    ClientId id() const { return id_; }
    Phase phase() const { return worker_.phase(); }
    bool is_dead() const { return worker_.is_dead(); }
    /// How its process ended by itself, as a sentence; empty: it did not.
    const std::string& how_it_died() const { return how_it_died_; }
    bool is_stopped() const { return stopped_until_.has_value(); }
    /// It has finished all its work, or is dead.
    bool is_done() const { return is_dead() || (worker_.is_finished() && !worker_.is_asked()); }
    DriverProcess& process() { return driver_.process(); }
    /// Complaints that its driver made unasked: "unhandled", "crash".
    std::uint64_t complaints() const { return worker_.complaints(); }
    const std::string& first_error() const { return worker_.first_error(); }
    /// The request that it has not answered for two TTLs: "client 1 has not answered 'step' for
    /// 2s". Empty: there is none.
    std::string unanswered() const;
    /// The same, of a request that waits for nobody: a step, or, where no fault is planned,
    /// whatever is no try.
    std::string hung() const;

private:
    void ask(const DriverWorker::Request& request);
    /// Opens and closes the link rules for this client's new phase.
    void turn(Phase phase) { run_.links.turn(id_, worker_.round(), phase); }
    void observe();
    void try_acquire();
    void leave();
    void take(const DriverAnswer& answer);
    void take_refused();
    void take_granted();
    void take_inside();
    void take_extended();
    void plan_extension();
    void take_released();
    void measure(DriverOp op);
    Duration step_gap() const;

    const ClientId id_;
    Driver& driver_;
    Surroundings& run_;
    DriverWorker worker_;
    Clock::time_point asked_at_;
    std::optional<Clock::time_point> due_;
    std::optional<Clock::time_point> stopped_until_;
    Clock::time_point last_resumed_;
    struct Strike {
        Clock::time_point at;
        PlannedFault fault;
    };
    std::optional<Strike> strike_;
    Clock::time_point granted_at_;
    std::optional<Clock::time_point> extends_at_;
    Duration job_{0};
    std::optional<Duration> waited_before_;  ///< for a processor, until its last request or earlier
    std::string how_it_died_;
};

}  // namespace locklab
