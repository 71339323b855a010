#include "harness/foreign/library_trial.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/driver/driver.h"
#include "harness/foreign/install.h"
#include "harness/foreign/promised_traits.h"
#include "harness/live/redis_process.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;  // of real processes
using Json = nlohmann::ordered_json;

/// A Java machine takes some seconds to begin on a machine that is busy with something else.
constexpr Duration kMostPatience = std::chrono::seconds(60);
constexpr Duration kSlice = std::chrono::milliseconds(50);
constexpr Duration kStopFor = std::chrono::milliseconds(1000);
constexpr Duration kEnd = std::chrono::seconds(20);
/// A check that was overtaken by a TTL says nothing, and is made again.
constexpr int kMostTries = 8;

/// Not as it should be: `what()` is a sentence.
class Surprise : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
class Stopped : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class LibraryTrial {
public:
    LibraryTrial(const Library& library, Duration ttl, const Watcher& watcher)
        : library_(library),
          ttl_(std::max(ttl, library.least_ttl)),
          watcher_(watcher),
          server_(RedisProcess::Listen::on_port_too),
          nodes_{server_.port_endpoint()},
          first_(library.name, library.start()),
          second_(library.name, library.start()) {}

    void run(std::vector<std::string>& shown) {
        const auto check = [&](const char* name, auto what) {
            watcher_.show(library_.row() + ": " + name);
            (this->*what)();
            shown.emplace_back(name);
        };
        check("says what its manifest says", &LibraryTrial::compare_traits);
        check("excludes", &LibraryTrial::check_exclusion);
        check("releases", &LibraryTrial::check_release);
        check("expires", &LibraryTrial::check_expiry);
        if (library_.many_nodes) check("takes several servers", &LibraryTrial::check_several);
        if (library_.renews) check("renews", &LibraryTrial::check_renewal);
        if (library_.extends) check("extends", &LibraryTrial::check_extension);
        check("does not grant what is not answered", &LibraryTrial::check_silence);
        check("ends", &LibraryTrial::check_end);
    }

private:
    static void expect(bool is_so, const std::string& otherwise) {
        if (!is_so) throw Surprise(otherwise);
    }

    /// Nothing if it says nothing in this time.
    std::optional<DriverAnswer> hear(Driver& driver, Duration limit) {
        const auto end = Clock::now() + limit;
        while (Clock::now() < end) {
            if (watcher_.stopped()) throw Stopped("it was stopped");
            const DriverWord word = driver.hear(kSlice);
            if (const auto* answer = std::get_if<DriverAnswer>(&word)) return *answer;
            if (const auto* failed = std::get_if<DriverFailure>(&word)) {
                throw Surprise(failed->sentence);
            }
        }
        return std::nullopt;
    }

    DriverAnswer ask(Driver& driver, DriverOp op, const Json& more = nullptr) {
        const DriverAnswer answer = answer_to(driver, op, more);
        const std::string asked(kDriverOps[static_cast<std::size_t>(op)]);
        expect(answer.error.empty(), "it answers '" + asked + "' with: " + answer.error);
        return answer;
    }

    DriverAnswer answer_to(Driver& driver, DriverOp op, const Json& more) {
        driver.ask(op, more);
        const std::optional<DriverAnswer> answer = hear(driver, kMostPatience);
        const std::string asked(kDriverOps[static_cast<std::size_t>(op)]);
        expect(answer.has_value(), "it does not answer '" + asked + "' within a minute");
        return *answer;
    }

    /// Both, with a key that nobody had.
    void open(bool renew) {
        Json nodes = Json::array();
        for (const Endpoint& node : nodes_) nodes.push_back(to_string(node));
        Json more{{"key", "trial:" + std::to_string(++keys_)},
                  {"ttl_ms", std::chrono::duration_cast<std::chrono::milliseconds>(ttl_).count()},
                  {"renew", renew},
                  {"nodes", nodes},
                  {"client", Json::object()},
                  {"lib", Json::parse(library_.options)}};
        ask(first_, DriverOp::open, more);
        ask(second_, DriverOp::open, more);
    }

    /// Who is refused where a server is down may say that it does not know what that one says.
    bool acquire(Driver& driver) {
        const Json more{{"wait_ms", 0}};
        const bool may_err = nodes_.size() > 1;
        return (may_err ? answer_to(driver, DriverOp::acquire, more)
                        : ask(driver, DriverOp::acquire, more))
                   .yes == true;
    }

    void wait(Duration time) { static_cast<void>(hear(first_, time)); }

    void compare_traits() {
        const DriverTraits said = ask(first_, DriverOp::hello).traits;
        ask(second_, DriverOp::hello);
        const std::string broken = broken_promise(said, promised_traits(library_));
        expect(broken.empty(), broken);
    }

    /// The first takes the lock and does something `meanwhile`; then the second must be refused,
    /// if all of it took less than the TTL since the moment that `meanwhile` returns.
    template <class Meanwhile>
    void refused_after(const Meanwhile& meanwhile, const std::string& otherwise) {
        for (int i = 0; i < kMostTries; ++i) {
            open(false);
            take_and_release(second_);
            const auto taken = Clock::now();
            expect(acquire(first_), "a lock that was released is not granted to another");
            const std::optional<Clock::time_point> since = meanwhile(taken);
            if (!since) continue;
            const bool granted = acquire(second_);
            if (!granted) return;
            expect(Clock::now() - *since > ttl_, otherwise);
        }
        throw Stopped("this machine is too busy");
    }

    void check_exclusion() {
        refused_after([](Clock::time_point taken) { return std::optional(taken); },
                      "a lock that is held is granted to another");
    }

    /// Two of three are enough, whichever they are.
    void check_several() {
        RedisProcess other(RedisProcess::Listen::on_port_too);
        RedisProcess down(RedisProcess::Listen::on_port_too);
        nodes_ = {down.port_endpoint(), other.port_endpoint(), server_.port_endpoint()};
        down.kill();
        try {
            check_exclusion();
        } catch (const Surprise& surprise) {
            throw Surprise(std::string("where one of three servers is down, ") + surprise.what());
        }
        nodes_ = {server_.port_endpoint()};
    }

    void take_and_release(Driver& driver) {
        const auto taken = Clock::now();
        expect(acquire(driver), "a free lock is not granted");
        expect(ask(driver, DriverOp::step).yes == true, "a step is not ok");
        const bool denied = ask(driver, DriverOp::release).yes == false;
        expect(!denied || Clock::now() - taken > ttl_, "a release is not confirmed");
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
        expect(acquire(second_), "a lock is not granted to another after its TTL");
    }

    void check_renewal() {
        open(true);
        expect(acquire(first_), "a free lock is not granted");
        wait(2 * ttl_);
        const DriverAnswer step = ask(first_, DriverOp::step);
        const bool granted = acquire(second_);
        // It may rightly be lost on a machine that is busy, if it says so.
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
        ::kill(server_.pid(), SIGSTOP);
        first_.ask(DriverOp::acquire, {{"wait_ms", 0}});
        std::optional<DriverAnswer> answer = hear(first_, kStopFor);
        // Now it gets no answer, for good.
        server_.kill();
        if (!answer) answer = hear(first_, kStopFor);
        if (!answer) return;
        expect(answer->yes != true, "it grants what no server has answered");
        expect(answer->error.empty() || !answer->definite,
               "it says that nothing has happened, and cannot know: " + answer->error);
    }

    /// Though its server is gone.
    void check_end() {
        const std::string failed = second_.finish(kEnd);
        expect(failed.empty(), failed);
    }

    const Library& library_;
    const Duration ttl_;
    const Watcher& watcher_;
    RedisProcess server_;
    std::vector<Endpoint> nodes_;  ///< that drivers are given
    Driver first_;
    Driver second_;
    int keys_ = 0;
};

}  // namespace

Trial try_library(const Library& library, Duration ttl, const Watcher& watcher) {
    Trial trial;
    if (const std::string why = library.why_not_installed(); !why.empty()) {
        const std::string missing = what_is_missing(library);
        trial.known = false;
        trial.wrong = missing.empty()
                          ? "it " + why + ": ./locklab libraries install " + library.name
                          : missing;
        return trial;
    }
    try {
        LibraryTrial(library, ttl, watcher).run(trial.shown);
    } catch (const Surprise& surprise) {
        trial.wrong = surprise.what();
    } catch (const std::runtime_error& error) {
        // It was stopped, or there is no redis-server, or no driver could be started.
        trial.wrong = error.what();
        trial.known = false;
    }
    return trial;
}

}  // namespace locklab
