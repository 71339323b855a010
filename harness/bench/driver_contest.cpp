#include "harness/bench/driver_contest.h"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>

#include "harness/core/random_choices.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kSeed = 1;
/// How often the stop flag is polled.
constexpr Duration kSlice = std::chrono::milliseconds(50);
/// Time after the window and a wait, when a driver that still owes an answer counts as dead.
constexpr Duration kLongestAnswer = std::chrono::seconds(30);

struct Contender {
    explicit Contender(Driver& its_driver) : driver(its_driver) {}

    Driver& driver;
    std::uint64_t asked = 0;  ///< number of the request that it is to answer; 0: none
    std::optional<Clock::time_point> due;
    std::optional<Clock::time_point> wants_since;
    bool holds = false;
    std::uint32_t tries = 0;
    double grants = 0;
};

class Contest {
public:
    Contest(Team& team, const ContestTerms& terms)
        : terms_(terms), choices_(kSeed), began_(Clock::now()), end_(began_ + terms.window) {
        prctl(PR_SET_TIMERSLACK, 1);  // ns: makes a hold exactly as long as asked for
        for (std::uint32_t i = 0; i < terms.clients; ++i) {
            contenders_.emplace_back(team.driver(i)).due = began_;
        }
    }

    ContestFigures hold(const std::function<bool()>& stopped) {
        while (!is_over() && !stopped()) turn();
        figures_.seconds = std::chrono::duration<double>(terms_.window).count();
        for (const Contender& each : contenders_) figures_.shares.push_back(each.grants);
        std::sort(figures_.waits.begin(), figures_.waits.end());
        return std::move(figures_);
    }

private:
    bool is_over() const {
        return closed_ && std::ranges::none_of(contenders_, [](const Contender& each) {
                   return each.asked != 0 || each.holds;
               });
    }

    void turn() {
        await_something();
        for (Contender& each : contenders_) hear(each);
        const Clock::time_point now = Clock::now();
        if (!closed_ && now >= end_) close(now);
        for (Contender& each : contenders_) {
            if (each.due && *each.due <= now) go_on(each);
        }
    }

    void await_something() {
        Clock::time_point until = Clock::now() + kSlice;
        if (!closed_) until = std::min(until, end_);
        std::vector<DriverProcess*> asked;
        for (Contender& each : contenders_) {
            if (each.due) until = std::min(until, *each.due);
            asked.push_back(&each.driver.process());
        }
        const auto left = std::chrono::duration_cast<Duration>(until - Clock::now());
        if (left > Duration(0)) DriverProcess::await_any(asked, left);
    }

    /// No client begins anything more; an unfinished wait counts as it stands; a holder releases
    /// the lock.
    void close(Clock::time_point now) {
        closed_ = true;
        for (Contender& each : contenders_) {
            if (each.wants_since) note_wait(each, end_);
            each.due.reset();
            if (each.holds && each.asked == 0) each.due = now;
        }
    }

    void go_on(Contender& each) {
        each.due.reset();
        if (each.holds) return ask(each, DriverOp::release);
        if (!each.wants_since) each.wants_since = Clock::now();
        const Duration wait = terms_.waits_itself ? terms_.window : Duration(0);
        ask(each, DriverOp::acquire, {{"wait_ms", wait / std::chrono::milliseconds(1)}});
    }

    static void ask(Contender& each, DriverOp op, const nlohmann::ordered_json& more = nullptr) {
        each.asked = each.driver.ask(op, more);
    }

    void hear(Contender& each) {
        for (;;) {
            const DriverWord word = each.driver.hear(Duration(0));
            if (const auto* failure = std::get_if<DriverFailure>(&word)) {
                throw DriverTrouble(failure->sentence);
            }
            if (std::holds_alternative<DriverSilence>(word)) break;
            const auto* answer = std::get_if<DriverAnswer>(&word);
            if (answer != nullptr && answer->id == each.asked) take(each, *answer);
        }
        if (each.asked == 0 || Clock::now() < end_ + terms_.window + kLongestAnswer) return;
        throw DriverTrouble("The driver of " + each.driver.name() + " does not answer any more.");
    }

    void take(Contender& each, const DriverAnswer& answer) {
        each.asked = 0;
        if (!answer.error.empty()) {
            ++figures_.errors;
            if (figures_.first_error.empty()) figures_.first_error = answer.error;
        }
        const Clock::time_point now = Clock::now();
        if (each.holds) {
            each.holds = false;
            if (!closed_) each.due = now + terms_.think;
        } else if (answer.yes == true) {
            take_grant(each, now);
        } else if (!closed_) {
            const bool again = terms_.waits_itself && answer.error.empty();
            each.due = now + (again ? Duration(0) : wait_time(terms_.wait, each.tries, choices_));
            ++each.tries;
        }
    }

    void take_grant(Contender& each, Clock::time_point now) {
        ++figures_.all_grants;
        each.holds = true;
        each.tries = 0;
        each.due = closed_ ? now : now + terms_.hold;
        if (closed_) return;
        each.grants += 1;
        note_wait(each, now);
    }

    void note_wait(Contender& each, Clock::time_point until) {
        const auto waited = std::chrono::duration_cast<Duration>(until - *each.wants_since);
        figures_.waits.push_back(static_cast<double>(us(waited)));
        each.wants_since.reset();
    }

    const ContestTerms& terms_;
    RandomChoices choices_;
    const Clock::time_point began_;
    const Clock::time_point end_;
    std::vector<Contender> contenders_;
    bool closed_ = false;
    ContestFigures figures_;
};

}  // namespace

double ContestFigures::grants() const { return std::accumulate(shares.begin(), shares.end(), 0.0); }

ContestFigures hold_contest(Team& team, const ContestTerms& terms,
                            const std::function<bool()>& stopped) {
    return Contest(team, terms).hold(stopped);
}

}  // namespace locklab
