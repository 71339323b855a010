#include "harness/foreign/trial_pair.h"

#include <signal.h>

#include <algorithm>
#include <thread>
#include <variant>

#include "harness/core/duration_text.h"
#include "harness/driver/unasked_stop.h"
#include "harness/foreign/operator_commands.h"
#include "harness/live/processor_wait.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

constexpr Duration kStopFor = std::chrono::seconds(1);
/// Who has not been told of a loss by then, and for so many times of what its manifest says, is not
/// told.
constexpr Duration kToldWithin = std::chrono::seconds(5);
constexpr int kLatest = 4;

}  // namespace

TrialPair::Network::Network(std::vector<Endpoint> its_servers, std::optional<NodeId> which_is_down)
    : servers(std::move(its_servers)),
      down(which_is_down),
      links(2, static_cast<std::uint32_t>(servers.size())),
      proxy(links.gated_plan([this](NodeId node) { return servers[node.value]; }, commands),
            false) {}

TrialPair::TrialPair(const Library& library, Duration ttl, const Watcher& watcher)
    : library_(library),
      ttl_(std::max(ttl, library.least_ttl)),
      watcher_(watcher),
      server_(RedisProcess::Listen::on_port_too) {
    use({server_.port_endpoint()});
    if (!library.servers.empty()) {
        own_servers_ = std::make_unique<OwnServers>(library.name, library.servers_start());
    }
    begin();
}

void TrialPair::use(const std::vector<Endpoint>& servers, std::optional<NodeId> down) {
    networks_.push_back(std::make_unique<Network>(servers, down));
}

void TrialPair::blame_operator() {
    for (const auto& network : networks_) {
        const std::optional<GateInbox::Changer> changer = network->commands.changer();
        if (!changer) continue;
        throw TrialSurprise(operator_trouble(
            changer->frame, network->links.client_of(changer->link), library_.name));
    }
}

void TrialPair::stop_servers() {
    if (own_servers_ == nullptr) {
        ::kill(server_.pid(), SIGSTOP);
    } else {
        own_servers_->stop_all();
    }
}

void TrialPair::kill_servers() { own_servers_ == nullptr ? server_.kill() : own_servers_.reset(); }

TrialPair::Json TrialPair::nodes_of(ClientId client) const {
    const Network& network = *networks_.back();
    std::vector<Endpoint> told = network.links.servers_of(client, network.proxy);
    if (own_servers_ != nullptr) told = own_servers_->nodes();
    if (network.down) told[network.down->value] = network.servers[network.down->value];
    Json nodes = Json::array();
    for (const Endpoint& node : told) nodes.push_back(to_string(node));
    return nodes;
}

std::string TrialPair::stderr_of_both() const {
    std::string all;
    for (const Driver* driver : {first_.get(), second_.get()}) {
        if (driver != nullptr) all += driver->process().stderr_text();
    }
    return all;
}

std::optional<Duration> TrialPair::processor_wait_of_both() const {
    const auto first = processor_wait(first_->process().pid());
    const auto second = processor_wait(second_->process().pid());
    return first && second ? std::optional(*first + *second) : std::nullopt;
}

Duration TrialPair::lateness_now() {
    constexpr auto sleep = std::chrono::milliseconds(2);
    constexpr int sleeps = 5;
    Duration worst{0};
    for (int i = 0; i < sleeps; ++i) {
        const auto before = Clock::now();
        std::this_thread::sleep_for(sleep);
        worst =
            std::max(worst, std::chrono::duration_cast<Duration>(Clock::now() - before - sleep));
    }
    return worst;
}

void TrialPair::begin() {
    first_ = std::make_unique<Driver>(library_.name, library_.start());
    second_ = std::make_unique<Driver>(library_.name, library_.start());
}

void TrialPair::expect(bool is_so, const std::string& otherwise) {
    if (!is_so) throw TrialSurprise(otherwise);
}

void TrialPair::expect_unsure(const DriverAnswer& answer) {
    expect(answer.error.empty() || !answer.definite,
           "it says that nothing has happened, and cannot know: " + answer.error);
}

std::optional<DriverAnswer> TrialPair::hear(DriverPtr& driver, Duration limit, IdleWatch* idle) {
    const auto end = Clock::now() + limit;
    while (Clock::now() < end) {
        if (watcher_.stopped()) throw TrialStopped("it was stopped");
        const DriverWord word = driver->hear(kSlice);
        if (const auto* answer = std::get_if<DriverAnswer>(&word)) return *answer;
        if (const auto* failed = std::get_if<DriverFailure>(&word)) {
            throw TrialSurprise(failed->sentence);
        }
        const std::string stopped = unasked_stop(driver->process().pid(), library_.name);
        if (!stopped.empty()) throw TrialSurprise(stopped);
        if (idle != nullptr && idle->is_idle()) return std::nullopt;
    }
    return std::nullopt;
}

DriverAnswer TrialPair::ask(DriverPtr& driver, DriverOp op, const Json& more) {
    const DriverAnswer answer = answer_to(driver, op, more);
    const std::string asked(kDriverOps[static_cast<std::size_t>(op)]);
    expect(answer.error.empty(), "it answers '" + asked + "' with: " + answer.error);
    return answer;
}

DriverAnswer TrialPair::answer_to(DriverPtr& driver, DriverOp op, const Json& more) {
    driver->ask(op, more);
    IdleWatch idle(driver->process());
    const std::optional<DriverAnswer> answer =
        hear(driver, patience_, is_answered_at_once(op) ? &idle : nullptr);
    const std::string asked(kDriverOps[static_cast<std::size_t>(op)]);
    expect(answer || !idle.is_idle(), "it does not answer '" + asked + "', and has done nothing " +
                                          "for " + to_string(IdleWatch::kMost));
    expect(answer.has_value(), "it does not answer '" + asked + "' within " + to_string(patience_));
    return *answer;
}

void TrialPair::open(bool renew) {
    Json more{{"key", "trial:" + std::to_string(++keys_)},
              {"ttl_ms", std::chrono::duration_cast<std::chrono::milliseconds>(ttl_).count()},
              {"renew", renew},
              {"nodes", nodes_of(ClientId{0})},
              {"client", Json::object()},
              {"lib", Json::parse(library_.options)}};
    ask(first_, DriverOp::open, more);
    more["nodes"] = nodes_of(ClientId{1});
    ask(second_, DriverOp::open, more);
}

bool TrialPair::acquire(DriverPtr& driver) {
    const Json more{{"wait_ms", 0}};
    const bool may_err = nodes().size() > 1;
    return (may_err ? answer_to(driver, DriverOp::acquire, more)
                    : ask(driver, DriverOp::acquire, more))
               .yes == true;
}

void TrialPair::see_whether_it_waits(Clock::duration took) {
    const auto before = Clock::now();
    ask(second_, DriverOp::step);
    const auto late = Clock::now() - before;
    if (took < ttl_ / 2 || late > ttl_ / 10) return;
    const auto ms = [](Clock::duration time) {
        return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) +
               " ms";
    };
    throw TrialSurprise("a try that was told not to wait ('wait_ms' 0) took " + ms(took) +
                        ", until the lock was free, and this machine is not busy: a step takes " +
                        ms(late) + "; is it tried again by the library where 'retries' are 0?");
}

void TrialPair::take_and_release(DriverPtr& driver) {
    const auto taken = Clock::now();
    expect(acquire(driver), "a free lock is not granted");
    expect(ask(driver, DriverOp::step).yes == true, "a step is not ok");
    const bool denied = ask(driver, DriverOp::release).yes == false;
    expect(!denied || Clock::now() - taken > ttl_, "a release is not confirmed");
}

Reply TrialPair::tell(const Endpoint& node, const char* command) {
    return SyncConnection(node, kStopFor).command(Command::of(command));
}

bool TrialPair::most_have_a_key() {
    open(false);
    for (const Endpoint& node : nodes()) tell(node, "FLUSHALL");
    const auto taken = Clock::now();
    expect(acquire(first_), "a free lock is not granted");
    std::size_t keys = 0;
    for (const Endpoint& node : nodes()) keys += tell(node, "DBSIZE").as_integer() > 0 ? 1 : 0;
    const bool may_be_over = Clock::now() - taken > ttl_;
    expect(keys >= 2 || may_be_over,
           "only " + std::to_string(keys) + " has a key while the lock is held");
    return keys >= 2;
}

void TrialPair::check_cancelling() {
    open(false);
    take_and_release(first_);
    ::kill(server_.pid(), SIGSTOP);
    first_->cancel(first_->ask(DriverOp::acquire, {{"wait_ms", 0}}));
    std::optional<DriverAnswer> answer = hear(first_, kStopFor);
    ::kill(server_.pid(), SIGCONT);
    if (!answer) answer = hear(first_, patience_);
    expect(answer.has_value(), "it does not answer a try that was cancelled");
    expect_unsure(*answer);
}

void TrialPair::note_telling(std::vector<std::string>& shown, std::vector<std::string>& notes) {
    watcher_.show(library_.row() + ": tells of a loss");
    open(true);
    expect(acquire(first_), "a free lock is not granted");
    for (const Endpoint& node : nodes()) tell(node, "FLUSHALL");
    const auto lost = Clock::now();
    const Duration within = ttl_ * library_.tells_within_percent / 100;
    const Duration longest = std::max(kToldWithin, within * kLatest);
    bool told = false;
    while (!told && Clock::now() - lost < longest) {
        wait(kSlice);
        told = ask(first_, DriverOp::step).lost;
    }
    const auto after = std::chrono::duration_cast<Duration>(Clock::now() - lost);
    static_cast<void>(answer_to(first_, DriverOp::release, nullptr));
    const std::string promised =
        ", and not within " + to_string(within) + ", as 'tells_within' in its manifest says";
    if (!told) {
        notes.push_back("a holder whose key is gone is not told of it within " +
                        to_string(longest));
    } else if (after > within + ttl_ / 4 + 2 * kSlice) {
        notes.push_back("a holder whose key is gone is told late: after " +
                        to_string(std::chrono::round<std::chrono::milliseconds>(after)) + promised);
    } else {
        shown.emplace_back("tells of a loss");
    }
}

}  // namespace locklab
