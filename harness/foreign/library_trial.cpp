#include "harness/foreign/library_trial.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "harness/core/duration_text.h"
#include "harness/driver/lost_mark.h"
#include "harness/foreign/install.h"
#include "harness/foreign/program_in_path.h"
#include "harness/foreign/promised_traits.h"
#include "harness/foreign/slowness.h"
#include "harness/foreign/subject.h"
#include "harness/foreign/trial_pair.h"
#include "harness/foreign/virtual_world.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

constexpr Duration kStopFor = std::chrono::seconds(1);
constexpr Duration kEnd = std::chrono::seconds(20);
/// If a library waits longer than this for a server that is down, it does not do without it.
constexpr Duration kDownPatience = std::chrono::seconds(10);
/// Another client is granted the lock of a dead one within the TTL and this.
constexpr Duration kGone = std::chrono::seconds(20);
/// A check that was overtaken by a TTL says nothing, and is made again.
constexpr int kMostTries = 8;
/// So often in a try may an answer wait for a locklab that is late.
constexpr int kAnswersInATry = 4;

class LibraryTrial : private TrialPair {
public:
    LibraryTrial(const Library& library, Duration ttl, const Watcher& watcher)
        : TrialPair(library, ttl, watcher) {}

    void run(std::vector<std::string>& shown, std::vector<std::string>& notes) {
        const auto check = [&](const char* name, auto what) {
            watcher_.show(library_.row() + ": " + name);
            without_operator([&] { (this->*what)(); });
            shown.emplace_back(name);
        };
        check("says what its manifest says", &LibraryTrial::compare_traits);
        check("excludes", &LibraryTrial::check_exclusion);
        check("releases", &LibraryTrial::check_release);
        const bool may_run_out = library_.expires && !library_.always_renews;
        if (may_run_out) check("expires", &LibraryTrial::check_expiry);
        if (library_.many_nodes) check("takes several servers", &LibraryTrial::check_several);
        if (library_.many_nodes) without_operator([&] { note_one_down(notes); });
        if (library_.renews) check("renews", &LibraryTrial::check_renewal);
        // Its keys are not in Redis: none can be taken away here.
        const bool is_in_redis = library_.servers.empty();
        if (library_.renews && library_.tells && is_in_redis) {
            without_operator([&] { note_telling(shown, notes); });
        }
        if (library_.extends) check("extends", &LibraryTrial::check_extension);
        if (!may_run_out) check("outlives no client", &LibraryTrial::check_gone);
        if (library_.why_not_virtual().empty()) note_virtual_time(notes);
        if (library_.cancels) check("can be cancelled", &LibraryTrial::check_cancelling);
        check("does not grant what is not answered", &LibraryTrial::check_silence);
        check("ends", &LibraryTrial::check_end);
    }

    std::string stderr_text() const { return stderr_of_both(); }

private:
    void compare_traits() {
        const DriverTraits said = ask(first_, DriverOp::hello).traits;
        ask(second_, DriverOp::hello);
        const std::string broken = broken_promise(said, promised_traits(library_));
        expect(broken.empty(), broken);
        const std::string lost = lost_mark(first_->process(), first_->name());
        expect(lost.empty(), lost);
    }

    /// The first client takes the lock and runs `meanwhile`; then the second must be refused, if
    /// all took less than the TTL since `meanwhile` returned its time.
    template <class Meanwhile>
    void refused_after(const Meanwhile& meanwhile, const std::string& otherwise) {
        Duration quickest = Duration::max();
        for (int i = 0; i < kMostTries; ++i) {
            open(false);
            take_and_release(second_);
            const std::optional<Duration> waited = processor_wait_of_both();
            const auto taken = Clock::now();
            expect(acquire(first_), "a lock that was released is not granted to another");
            const std::optional<Clock::time_point> since = meanwhile(taken);
            const auto asked = Clock::now();
            if (since && !acquire(second_)) return;
            const auto end = Clock::now();
            expect(!since || end - *since > ttl_, otherwise);
            const auto took = std::chrono::duration_cast<Duration>(end - since.value_or(taken));
            quickest = std::min(quickest, own_time(took, waited, processor_wait_of_both()) -
                                              kAnswersInATry * lateness_now());
            if (since) see_whether_it_waits(end - asked);
        }
        expect(quickest <= ttl_,
               "it is slow by itself, and this machine is not busy: what is to "
               "take less than a TTL took longer, by " +
                   to_string(quickest - ttl_) + " at least, in " + std::to_string(kMostTries) +
                   " tries");
        throw too_busy();
    }

    static TrialStopped too_busy() {
        return TrialStopped(
            "this machine is too busy: what takes less than a TTL took longer, in " +
            std::to_string(kMostTries) + " tries");
    }

    void check_exclusion() {
        refused_after([](Clock::time_point taken) { return std::optional(taken); },
                      "a lock that is held is granted to another");
    }

    void check_several() {
        RedisProcess other(RedisProcess::Listen::on_port_too);
        RedisProcess third(RedisProcess::Listen::on_port_too);
        use({third.port_endpoint(), other.port_endpoint(), server_.port_endpoint()});
        try {
            check_exclusion();
            for (int tries = 1; !most_have_a_key(); ++tries) {
                if (tries == kMostTries) throw too_busy();
            }
        } catch (const TrialSurprise& surprise) {
            throw TrialSurprise(std::string("on three servers, ") + surprise.what());
        }
        use({server_.port_endpoint()});
    }

    /// Two of three servers, whichever they are, are enough for the algorithm. A library that needs
    /// all three may have a right driver: with all three it was seen to work.
    void note_one_down(std::vector<std::string>& notes) {
        watcher_.show(library_.row() + ": one of three servers is down");
        RedisProcess other(RedisProcess::Listen::on_port_too);
        RedisProcess down(RedisProcess::Listen::on_port_too);
        use({down.port_endpoint(), other.port_endpoint(), server_.port_endpoint()}, NodeId{0});
        down.kill();
        patience_ = kDownPatience;
        try {
            check_exclusion();
        } catch (const TrialSurprise& surprise) {
            notes.push_back(std::string("where one of three servers is down, ") + surprise.what());
            begin();
        }
        patience_ = kMostPatience;
        use({server_.port_endpoint()});
    }

    /// Finds out what a search would find in its first play.
    void note_virtual_time(std::vector<std::string>& notes) {
        watcher_.show(library_.row() + ": virtual time");
        const std::string script =
            what_script(library_.virtual_start().words.front(), library_.installed);
        if (!script.empty()) {
            notes.push_back("'explore' cannot search it: " + script +
                            "; right would be the program itself in 'run'");
            return;
        }
        try {
            const Subject subject(library_);
            VirtualWorld world(subject, 1);
            world.open({ttl_, kStopFor, 1});
        } catch (const DriverTrouble& trouble) {
            notes.push_back(std::string("'explore' cannot search it: ") + trouble.what());
        }
    }

    void check_release() {
        open(false);
        take_and_release(first_);
        expect(acquire(second_), "a lock that was released is not granted to another");
    }

    void check_expiry() {
        open(false);
        expect(acquire(first_), "a free lock is not granted");
        wait(ttl_ + ttl_ / 4);
        if (library_.grants_job)
            return await_grant("a job is not granted to another after its TTL");
        expect(acquire(second_), "a lock is not granted to another after its TTL");
    }

    /// A job comes back when some worker polls for it, now and then.
    void await_grant(const std::string& otherwise) {
        const auto end = Clock::now() + ttl_ + kGone;
        while (!acquire(second_)) {
            expect(Clock::now() < end, otherwise);
            static_cast<void>(hear(second_, kSlice));
        }
        ask(second_, DriverOp::release);
    }

    /// Its process is killed, so it neither renews nor holds a connection.
    void check_gone() {
        open(false);
        expect(acquire(first_), "a free lock is not granted");
        wait(2 * ttl_);
        expect(!acquire(second_), "a lock that is held is granted to another after two TTLs");
        first_->process().kill();
        await_grant("a lock whose client is gone is not granted to another");
        begin();
    }

    void check_renewal() {
        open(true);
        expect(acquire(first_), "a free lock is not granted");
        wait(2 * ttl_);
        const DriverAnswer step = ask(first_, DriverOp::step);
        const bool granted = acquire(second_);
        // On a busy machine it may rightly be lost, if it says so.
        expect(!granted || step.lost, "a lock that is renewed is granted to another");
        ask(first_, DriverOp::release);
        expect(acquire(second_), "a lock that was renewed and released is not granted to another");
        ask(second_, DriverOp::release);
    }

    void check_extension() {
        refused_after(
            [this](Clock::time_point taken) -> std::optional<Clock::time_point> {
                wait(ttl_ * 6 / 10);
                const auto extended = Clock::now();
                if (ask(first_, DriverOp::extend).yes != true) {
                    expect(Clock::now() - taken > ttl_, "a lock that is held is not extended");
                    return std::nullopt;
                }
                wait(ttl_ * 6 / 10);
                return extended;
            },
            "a lock that was extended is granted to another");
    }

    void check_silence() {
        open(false);
        take_and_release(first_);
        stop_servers();
        first_->ask(DriverOp::acquire, {{"wait_ms", 0}});
        std::optional<DriverAnswer> answer = hear(first_, kStopFor);
        // From now on it gets no answer at all.
        kill_servers();
        if (!answer) answer = hear(first_, kStopFor);
        if (!answer) return;
        expect(answer->yes != true, "it grants what no server has answered");
        expect_unsure(*answer);
    }

    /// A driver must end even though its server is gone.
    void check_end() {
        const std::string failed = second_->finish(kEnd);
        expect(failed.empty(), failed);
    }
};

}  // namespace

Trial try_library(const Library& library, Duration ttl, const Watcher& watcher) {
    Trial trial;
    if (!library.cannot_run.empty()) {
        trial.known = false;
        trial.wrong = "it cannot run: " + library.cannot_run;
        return trial;
    }
    if (const std::string why = library.why_not_installed(); !why.empty()) {
        const std::string missing = what_is_missing(library);
        trial.known = false;
        trial.wrong = missing.empty()
                          ? "it " + why + ": ./locklab libraries install " + library.folder_name()
                          : missing;
        return trial;
    }
    std::optional<LibraryTrial> tried;
    try {
        tried.emplace(library, ttl, watcher);
        tried->run(trial.shown, trial.notes);
    } catch (const TrialSurprise& surprise) {
        trial.wrong = surprise.what();
        trial.stderr_text = tried->stderr_text();
    } catch (const std::runtime_error& error) {
        // It was stopped, or there is no redis-server, or no driver could be started.
        trial.wrong = error.what();
        trial.known = false;
    }
    return trial;
}

}  // namespace locklab
