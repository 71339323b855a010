#include "harness/foreign/team.h"

#include <chrono>
#include <string>

#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/driver/idle_watch.h"
#include "harness/driver/lost_mark.h"
#include "harness/driver/unasked_stop.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;

/// Far longer than a runtime takes to start, even on a busy machine.
constexpr Duration kLongestAnswer = std::chrono::seconds(30);
/// The first connects, for which a short TTL may be too short on a busy machine.
constexpr int kMostWarmTries = 3;

std::string error_of(const DriverAnswer& answer) {
    return answer.error.empty() ? "" : ": " + answer.error;
}

}  // namespace

std::string LostRuns::text(const std::string& unit) const {
    if (count == 0) return {};
    return "its driver could not be waited for any more in " + counted(count, unit) +
           (count == 1 ? ", which does not count" : ", which do not count") +
           "; the first: " + first + "\n";
}

std::unique_ptr<Driver> Team::start(std::size_t client) {
    DriverProcess::Start start = subject_.start();
    if (!clocks_.empty()) {
        clocks_[client].expect_process();
        start.environment.merge(clocks_[client].environment());
    }
    try {
        return std::make_unique<Driver>(subject_.name(), start);
    } catch (const std::runtime_error& error) {
        throw DriverTrouble(error.what());
    }
}

DriverAnswer Team::await(Driver& driver, std::uint64_t id, DriverOp op) {
    const Clock::time_point end = Clock::now() + kLongestAnswer;
    IdleWatch idle(driver.process());
    const std::string trouble = "The driver of " + driver.name() + " does not answer '" +
                                std::string(kDriverOps[static_cast<std::size_t>(op)]) + "'";
    while (Clock::now() < end) {
        const DriverWord word = driver.hear(std::chrono::milliseconds(100));
        if (const auto* failure = std::get_if<DriverFailure>(&word)) {
            throw DriverTrouble(failure->sentence);
        }
        const auto* answer = std::get_if<DriverAnswer>(&word);
        if (answer != nullptr && answer->id == id) return *answer;
        const std::string stopped = unasked_stop(driver.process().pid(), driver.name());
        if (!stopped.empty()) throw DriverTrouble(stopped);
        if (is_answered_at_once(op) && idle.is_idle()) {
            throw DriverTrouble(trouble + ", and has done nothing for " +
                                to_string(IdleWatch::kMost) + ".");
        }
    }
    throw DriverTrouble(trouble + ".");
}

DriverAnswer Team::ask(Driver& driver, DriverOp op, const nlohmann::ordered_json& more) {
    const std::uint64_t id = driver.ask(op, more);
    return await(driver, id, op);
}

/// Only processes started with a preloaded clock can have a wrong one; others do not pay for it.
void Team::set_clocks(const std::vector<Duration>& ahead) {
    if (ahead.size() != clocks_.size()) {
        end();
        clocks_ = std::vector<WrongClock>(ahead.size());
    }
    for (std::size_t i = 0; i < ahead.size(); ++i) clocks_[i].set_ahead(ahead[i]);
}

/// Starts all of them at once.
void Team::start_missing() {
    std::vector<std::pair<Driver*, std::uint64_t>> asked;
    for (std::size_t i = 0; i < drivers_.size(); ++i) {
        if (drivers_[i] != nullptr) continue;
        drivers_[i] = start(i);
        asked.emplace_back(drivers_[i].get(), drivers_[i]->ask(DriverOp::hello));
    }
    for (const auto& [driver, id] : asked) {
        const DriverAnswer hello = await(*driver, id, DriverOp::hello);
        const std::string trouble = subject_.trouble_with(hello.traits);
        if (!trouble.empty()) throw DriverTrouble(trouble);
        const std::string lost = lost_mark(driver->process(), driver->name());
        if (!lost.empty()) throw DriverTrouble(lost);
    }
    for (const WrongClock& clock : clocks_) {
        if (clock.is_taken()) continue;
        throw DriverTrouble("The driver of " + subject_.name() +
                            " does not take the preloaded clock, so that it cannot be set wrong; "
                            "right would be 'no_clock' in its manifest.");
    }
}

void Team::open_libraries(const Opening& opening) {
    nlohmann::ordered_json client = nlohmann::ordered_json::object();
    if (!subject_.has_own_timeouts()) {
        client["timeout_ms"] = opening.timeout / std::chrono::milliseconds(1);
        if (opening.clock_unit > Duration(0)) client["clock_unit_us"] = opening.clock_unit.count();
    }
    std::vector<std::pair<Driver*, std::uint64_t>> asked;
    for (std::size_t i = 0; i < opening.servers.size(); ++i) {
        nlohmann::ordered_json nodes = nlohmann::ordered_json::array();
        for (const Endpoint& node : opening.servers[i]) nodes.push_back(to_string(node));
        const Duration ttl = opening.own_ttls.empty() ? opening.ttl : opening.own_ttls[i];
        const nlohmann::ordered_json more{{"key", opening.key},
                                          {"ttl_ms", ttl / std::chrono::milliseconds(1)},
                                          {"renew", subject_.renews_by_itself()},
                                          {"nodes", nodes},
                                          {"client", client},
                                          {"lib", subject_.options()}};
        asked.emplace_back(drivers_[i].get(), drivers_[i]->ask(DriverOp::open, more));
    }
    for (const auto& [driver, id] : asked) {
        const DriverAnswer answer = await(*driver, id, DriverOp::open);
        if (answer.error.empty()) continue;
        throw DriverTrouble("The driver of " + subject_.name() + " cannot open its library" +
                            error_of(answer) + ".");
    }
}

OwnServers* Team::start_own_servers() {
    if (!subject_.servers_start() || own_servers_ != nullptr) return own_servers_.get();
    try {
        own_servers_ = std::make_unique<OwnServers>(subject_.name(), *subject_.servers_start());
    } catch (const std::runtime_error& error) {
        throw DriverTrouble(error.what());
    }
    return own_servers_.get();
}

std::string Team::open(const Opening& opening) {
    set_clocks(opening.clocks_ahead);
    const std::size_t count = opening.servers.size();
    if (drivers_.size() < count) drivers_.resize(count);
    start_missing();
    open_libraries(opening);
    for (std::size_t i = 0; i < count; ++i) {
        std::string trouble = warm_up(*drivers_[i]);
        for (int n = 1; n < kMostWarmTries && !trouble.empty(); ++n) {
            trouble = warm_up(*drivers_[i]);
        }
        if (!trouble.empty()) return trouble;
    }
    return "";
}

std::string Team::warm_up(Driver& driver) {
    const DriverAnswer taken = ask(driver, DriverOp::acquire, {{"wait_ms", 0}});
    if (taken.yes != true) return "cannot take a free lock" + error_of(taken);
    const DriverAnswer released = ask(driver, DriverOp::release);
    const bool well = released.error.empty() && released.yes != false;
    return well ? "" : "cannot release its lock" + error_of(released);
}

void Team::close(std::span<const bool> well) {
    std::vector<std::pair<std::size_t, std::uint64_t>> asked;
    for (std::size_t i = 0; i < well.size(); ++i) {
        if (well[i]) {
            asked.emplace_back(i, drivers_[i]->ask(DriverOp::close));
        } else {
            drivers_[i].reset();
        }
    }
    for (const auto& [client, id] : asked) await(*drivers_[client], id, DriverOp::close);
}

void Team::give_up(const std::string& why) {
    end();
    throw DriverTrouble("Of the drivers of " + subject_.name() + ", " + why + ".");
}

}  // namespace locklab
