// The processes of a virtual world: how they start, are struck, and end.

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "harness/core/assert.h"
#include "harness/core/duration_text.h"
#include "harness/core/random_choices.h"
#include "harness/driver/lost_mark.h"
#include "harness/foreign/program_in_path.h"
#include "harness/foreign/server_in_path.h"
#include "harness/foreign/virtual_world.h"

namespace locklab {

namespace {

/// In virtual time: longest wait for an answer without a fault.
constexpr Duration kMostVirtualTime = std::chrono::seconds(60);
/// Some seconds after a process began, V8 looks by timers whether memory is to be given back.
constexpr Duration kUntilRuntimeRests = std::chrono::seconds(12);
/// A socket that is closed may be given this time to end well.
constexpr Duration kUntilOpened = std::chrono::seconds(3);
constexpr Duration kRealLimit = std::chrono::seconds(20);
constexpr Duration kLookAgain = std::chrono::milliseconds(1);

}  // namespace

void VirtualWorld::start_server(NodeId node) {
    LOCKLAB_ASSERT(!is_up(node));
    const std::size_t process = node.value;
    const DriverProcess::Start start{
        {"redis-server", "--port", "0", "--unixsocket", server_endpoint(node).socket_path,
         "--unixsocketperm", "700", "--dir", folder_.path().string(), "--save", "", "--appendonly",
         "no", "--daemonize", "no", "--loglevel", "warning", "--jemalloc-bg-thread", "no"},
        time_.environment(process),
        {}};
    try {
        servers_[process].process = std::make_unique<DriverProcess>(start);
    } catch (const std::runtime_error& error) {
        throw DriverTrouble(error.what());
    }
    time_.started(process, servers_[process].process->pid());
    await_rest(process);
    await_listener(node);
    tell_server(node, Command::of("PING"));
}

/// The server may have come to rest once before it listens.
void VirtualWorld::await_listener(NodeId node) {
    std::unique_ptr<SyncConnection>& control = servers_[node.value].control;
    const auto end = std::chrono::steady_clock::now() + kRealLimit;
    do {
        control = std::make_unique<SyncConnection>(server_endpoint(node), kRealLimit);
        if (control->trouble() == SyncConnection::Trouble::none) return;
        // Other servers of this name may never listen.
        if (!server_in_path().starts_with("Redis server")) break;
        std::this_thread::sleep_for(kLookAgain);
        await_rest(node.value);
    } while (std::chrono::steady_clock::now() < end);
    throw DriverTrouble("redis-server (" + server_in_path() +
                        ") does not listen in virtual time; right " +
                        "would be a redis-server of Redis in PATH, or a campaign in real time.");
}

void VirtualWorld::start_servers() {
    for (const NodeId node : all_nodes()) {
        thaw_server(node);
        if (!is_up(node)) start_server(node);
    }
}

Reply VirtualWorld::tell_server(NodeId node, const Command& command) {
    const std::size_t process = node.value;
    LOCKLAB_ASSERT(!servers_[process].hangs);
    time_.show(process);
    std::unique_ptr<SyncConnection>& control = servers_[process].control;
    if (control == nullptr) {
        control = std::make_unique<SyncConnection>(server_endpoint(node), kRealLimit);
    }
    time_.give_turn(process);
    Reply reply = control->command(command);
    await_rest(process);
    if (control->trouble() == SyncConnection::Trouble::none) return reply;
    throw DriverTrouble("redis-server does not answer in virtual time: " + control->reason() + ".");
}

KeyLook VirtualWorld::look_at_key(NodeId node, const std::string& key) {
    if (!is_up(node)) return {};
    return look_at(key, [&](const Command& command) { return tell_server(node, command); });
}

/// Its turn is the next that somebody gives it: what came meanwhile may come before its own timers
/// that have run out, as it does in its event loop.
void VirtualWorld::thaw_server(NodeId node) {
    Server& server = servers_[node.value];
    if (std::exchange(server.hangs, false)) server.touched = true;
}

void VirtualWorld::kill_server(NodeId node) {
    servers_[node.value].hangs = false;
    servers_[node.value].control.reset();
    servers_[node.value].process.reset();
    look();
}

std::vector<std::string> VirtualWorld::keys_to_evict(NodeId node) {
    const auto ask = [&](const Command& command) { return tell_server(node, command); };
    return locklab::keys_to_evict(subject_.keys_of(key_).front(), ask);
}

void VirtualWorld::evict(NodeId node, const std::string& told) {
    evict_named(told, subject_.keys_of(key_).front(),
                [&](const Command& command) { return tell_server(node, command); });
    look();
}

void VirtualWorld::flush(NodeId node) {
    tell_server(node, Command::of("FLUSHALL"));
    look();
}

ProxyPlan VirtualWorld::proxy_plan() {
    ProxyPlan plan = links_.plan([this](NodeId node) { return server_endpoint(node); });
    plan.gate = this;
    return plan;
}

std::unique_ptr<Driver> VirtualWorld::start_driver(std::uint32_t client) {
    DriverProcess::Start start = subject_.virtual_start();
    const std::size_t process = process_of(client);
    for (const auto& [name, value] : time_.environment(process)) start.environment[name] = value;
    std::unique_ptr<Driver> driver;
    try {
        driver = std::make_unique<Driver>(subject_.name(), start);
    } catch (const std::runtime_error& error) {
        throw DriverTrouble(error.what());
    }
    time_.started(process, driver->process().pid());
    return driver;
}

void VirtualWorld::stop(std::uint32_t client) {
    Player& player = drivers_[client];
    player.stopped = player.driver->process().stop();
}

void VirtualWorld::go_on(std::uint32_t client) {
    Player& player = drivers_[client];
    if (!std::exchange(player.stopped, false)) return;
    player.driver->process().go_on();
    time_.show(process_of(client));
    settle(process_of(client));
}

void VirtualWorld::kill(std::uint32_t client) {
    drivers_[client].driver.reset();
    drivers_[client].stopped = false;
    drivers_[client].words.clear();
    look();
}

bool VirtualWorld::go_on_by_itself() {
    if (!held_.empty()) {
        let_go(held_.front(), nullptr);
        return true;
    }
    if (fire_one()) return true;
    const std::optional<Instant> next = next_deadline();
    if (next) move_to(std::max(*next, now()));
    return next.has_value();
}

DriverAnswer VirtualWorld::await(std::uint32_t client, std::uint64_t id, DriverOp op) {
    const Instant begin = now();
    const Instant end = begin + kMostVirtualTime;
    std::optional<Instant> sleeps_until;
    do {
        // It may do something before it sleeps.
        if (now() < begin + kMostVirtualTime / 2) sleeps_until = deadline(client);
        for (const DriverWord& word : take_words(client)) {
            if (const auto* failure = std::get_if<DriverFailure>(&word)) {
                throw DriverGone(failure->sentence);
            }
            const auto* answer = std::get_if<DriverAnswer>(&word);
            if (answer != nullptr && answer->id == id) return *answer;
        }
    } while (now() < end && go_on_by_itself());
    const std::string does_not = "The driver of " + subject_.name() + " does not answer '" +
                                 std::string(kDriverOps[static_cast<std::size_t>(op)]) +
                                 "' in virtual time";
    // Its timer did not move for half of that time, and nothing else would wake it.
    if (sleeps_until && *sleeps_until > now() && sleeps_until == deadline(client)) {
        throw DriverTrouble(does_not + ": it waits for longer than the " +
                            to_string(kMostVirtualTime) + " that an answer may take.");
    }
    const std::string script =
        what_script(subject_.virtual_start().words.front(), subject_.virtual_start().folder);
    const std::string why =
        op == DriverOp::hello
            ? "; 'run' must start the program itself, and no shell or other program "
              "around it" +
                  (script.empty() ? "" : ": " + script)
            : "; threads that wait for each other, or processes of its own, may be "
              "why";
    throw DriverGone(does_not + why + ".");
}

DriverAnswer VirtualWorld::ask_and_await(std::uint32_t client, DriverOp op,
                                         const nlohmann::ordered_json& more) {
    const std::uint64_t id = ask(client, op, more);
    return await(client, id, op);
}

void VirtualWorld::open(const Opening& opening) {
    start_servers();
    if (proxy_ == nullptr) proxy_ = std::make_unique<FaultProxy>(reactor_, proxy_plan(), events_);
    std::vector<std::uint32_t> fresh;
    for (std::uint32_t i = 0; i < clients(); ++i) {
        if (drivers_[i].driver != nullptr) continue;
        drivers_[i].driver = start_driver(i);
        fresh.push_back(i);
    }
    for (const std::uint32_t i : fresh) settle(process_of(i));
    for (const std::uint32_t i : fresh) {
        const DriverAnswer hello = ask_and_await(i, DriverOp::hello);
        const std::string trouble = subject_.trouble_with(hello.traits);
        if (!trouble.empty()) throw DriverTrouble(trouble);
        check_alone(i);
    }
    if (!fresh.empty()) let_pass(kUntilRuntimeRests);
    for (const std::uint32_t i : fresh) look_at_timers(i);
    align_servers();
    for (const NodeId node : all_nodes()) {
        tell_server(node, Command::of("FLUSHALL"));
        tell_server(node, Command::of("SCRIPT", "FLUSH"));
    }
    for (std::uint32_t i = 0; i < clients(); ++i) {
        time_.seed(process_of(i), RandomChoices(opening.seed, i + 1).next() | 1);
        open_one(i, opening);
    }
    // Opening may have taken time, and what was closed for it has timers that are yet to go.
    let_pass(kUntilOpened);
}

void VirtualWorld::open_one(std::uint32_t client, const Opening& opening) {
    nlohmann::ordered_json options = nlohmann::ordered_json::object();
    if (!subject_.has_own_timeouts()) {
        options["timeout_ms"] = opening.timeout / std::chrono::milliseconds(1);
    }
    const auto check = [&](const DriverAnswer& answer, bool well, const char* what) {
        if (well && answer.error.empty()) return;
        const std::string why = answer.error.empty() ? "" : ": " + answer.error;
        throw DriverTrouble("The driver of " + subject_.name() + " cannot " + what + why + ".");
    };
    nlohmann::ordered_json nodes = nlohmann::ordered_json::array();
    for (const NodeId node : all_nodes()) {
        nodes.push_back(to_string(proxy_->endpoint(links_.at(ClientId{client}, node))));
    }
    const DriverAnswer opened =
        ask_and_await(client, DriverOp::open,
                      {{"key", key_},
                       {"ttl_ms", opening.ttl / std::chrono::milliseconds(1)},
                       {"renew", subject_.renews_by_itself()},
                       {"nodes", nodes},
                       {"client", options},
                       {"lib", subject_.options()}});
    check(opened, true, "open its library");
    const DriverAnswer taken = ask_and_await(client, DriverOp::acquire, {{"wait_ms", 0}});
    check(taken, taken.yes == true, "take a free lock");
    const DriverAnswer released = ask_and_await(client, DriverOp::release);
    check(released, released.yes != false, "release its lock");
    // A library that awaits most servers may not have the answers of the others.
    if (let_arrive()) return;
    throw DriverGone("The driver of " + subject_.name() +
                     " sends command after command once it has released its lock.");
}

/// Throws if the driver has child processes: virtual time does not reach them.
void VirtualWorld::check_alone(std::uint32_t client) {
    const std::string lost = lost_mark(drivers_[client].driver->process(), subject_.name());
    if (!lost.empty()) throw DriverTrouble(lost);
    if (!drivers_[client].driver->process().starts_processes()) return;
    throw DriverTrouble("The driver of " + subject_.name() +
                        " starts processes, which virtual time does not reach; right would be a "
                        "driver that is one process.");
}

}  // namespace locklab
