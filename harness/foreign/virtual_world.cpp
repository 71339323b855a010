#include "harness/foreign/virtual_world.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/core/assert.h"
#include "harness/driver/unasked_stop.h"
#include "harness/foreign/operator_commands.h"
#include "harness/foreign/program_in_path.h"
#include "harness/live/random_hex.h"

namespace locklab {

namespace {

/// Far longer than any process takes to come to rest, even on a busy machine.
constexpr Duration kRestless = std::chrono::seconds(20);
/// A message arrives in one hop; opening a connection takes a message, its answer, and another one.
constexpr int kHopsOfMessage = 1;
constexpr int kHopsOfConnection = 3;
/// After this all timers of a server that stood still have run out.
constexpr Duration kServersTimers = std::chrono::seconds(1);

}  // namespace

VirtualWorld::VirtualWorld(const Subject& subject, std::uint32_t clients, std::uint32_t nodes,
                           const std::atomic<bool>& stop)
    : subject_(subject),
      key_("locklab:" + RandomHex().draw(8)),
      folder_(kRedisFolder),
      time_(stop),
      links_(clients, nodes),
      servers_(nodes),
      drivers_(clients),
      touched_(clients) {
    LOCKLAB_ASSERT(nodes > 0 && clients + nodes <= VirtualTime::kMostProcesses);
}

VirtualWorld::~VirtualWorld() {
    proxy_.reset();
    reactor_.look();
}

Endpoint VirtualWorld::server_endpoint(NodeId node) const {
    Endpoint endpoint;
    const std::string name = "redis" + std::to_string(node.value + 1) + ".sock";
    endpoint.socket_path = (folder_.path() / name).string();
    return endpoint;
}

bool VirtualWorld::goes_on(std::size_t process) const {
    if (is_server(process)) {
        return is_up(NodeId{static_cast<std::uint32_t>(process)}) && !servers_[process].hangs;
    }
    const Player& player = drivers_[client_of(process)];
    return player.driver != nullptr && !player.stopped;
}

void VirtualWorld::touch_servers() {
    for (Server& server : servers_) server.touched = true;
}

std::string VirtualWorld::its_script() const {
    const std::string script =
        what_script(subject_.virtual_start().words.front(), subject_.virtual_start().folder);
    return script.empty() ? "" : "; " + script;
}

void VirtualWorld::await_rest(std::size_t process) {
    // Servers are spoken to over Unix sockets, where everything arrives at once.
    if (!is_server(process)) loopback_.await_arrival(kHopsOfMessage);
    // A line may be longer than a pipe holds; one that is too long ends its driver.
    const std::function<void()> read = [&] { hear(client_of(process)); };
    const VirtualTime::Rest rest =
        time_.await_rest(process, kRestless, is_server(process) ? nullptr : read);
    if (!is_server(process)) loopback_.await_arrival(kHopsOfConnection);
    if (rest == VirtualTime::Rest::at_rest) return;
    if (rest == VirtualTime::Rest::given_up) throw PlayStopped();
    if (!is_server(process) && drivers_[client_of(process)].driver == nullptr) return;
    if (!is_server(process)) {
        const pid_t pid = drivers_[client_of(process)].driver->process().pid();
        const std::string stopped = unasked_stop(pid, subject_.name());
        if (!stopped.empty()) throw DriverTrouble(stopped);
    }
    const std::string who =
        is_server(process) ? "redis-server" : "The driver of " + subject_.name();
    if (rest == VirtualTime::Rest::stranger) {
        throw DriverTrouble(who + " does not take the preloaded clock: virtual time does not " +
                            "reach it.");
    }
    if (rest == VirtualTime::Rest::rung) {
        throw DriverTrouble(who + " sets a timer that comes as a signal (setitimer, alarm, " +
                            "timer_create), which virtual time does not move" + its_script() + ".");
    }
    if (rest == VirtualTime::Rest::crowded) {
        throw DriverTrouble(who + " has more threads at once than virtual time takes" +
                            its_script() + ".");
    }
    if (rest == VirtualTime::Rest::elsewhere) {
        throw DriverTrouble(who + " waits in the kernel (system call " +
                            std::to_string(time_.waits_in()) +
                            ") in a way that virtual time does not know" + its_script() + ".");
    }
    if (rest == VirtualTime::Rest::restless) {
        if (is_server(process)) {
            throw DriverTrouble(who + " does not come to rest, so that its time cannot be moved.");
        }
        throw DriverGone(who +
                         " does not come to rest, so that its time cannot be moved: the usual "
                         "reason is threads that run at the same time, or wait for each other, or "
                         "processes of its own" +
                         its_script() + ".");
    }
    // A driver that ended says so itself.
    if (!is_server(process)) return hear_end(client_of(process));
    throw DriverTrouble("redis-server " + servers_[process].process->how_it_ended() + ".");
}

/// After an action on a process: awaits all of its effects.
void VirtualWorld::settle(std::size_t process) {
    await_rest(process);
    if (!is_server(process)) hear(client_of(process));
    look();
}

bool VirtualWorld::look_at_server() {
    for (std::size_t server = 0; server < nodes(); ++server) {
        // One that hangs sees it when it goes on.
        if (servers_[server].hangs) continue;
        if (!std::exchange(servers_[server].touched, false) || !goes_on(server)) continue;
        time_.show(server);
        await_rest(server);
        return true;
    }
    return false;
}

/// Passes all sent data to the proxy; processes touched by that read it at once.
void VirtualWorld::look() {
    while (true) {
        for (std::size_t server = 0; server < nodes(); ++server) {
            if (goes_on(server)) time_.show(server);
        }
        reactor_.look(std::exchange(begun_, false));
        if (proxy_->connections() != seen_) touch_servers();
        seen_ = proxy_->connections();
        if (look_at_server()) continue;
        const auto touched = std::ranges::find(touched_, true);
        if (touched == touched_.end()) return;
        *touched = false;
        const auto client = static_cast<std::uint32_t>(touched - touched_.begin());
        Player& player = drivers_[client];
        if (player.driver == nullptr || player.stopped) continue;
        time_.show(process_of(client));
        await_rest(process_of(client));
        hear(client);
    }
}

void VirtualWorld::hear_end(std::uint32_t client) {
    hear(client);
    if (drivers_[client].driver == nullptr) return;
    throw DriverGone("The driver of " + subject_.name() + " has ended.");
}

void VirtualWorld::hear(std::uint32_t client) {
    Player& player = drivers_[client];
    while (player.driver != nullptr) {
        DriverWord word = player.driver->hear(Duration(0));
        if (std::holds_alternative<DriverSilence>(word)) return;
        const auto* failure = std::get_if<DriverFailure>(&word);
        if (failure != nullptr) player.driver.reset();
        player.words.push_back(std::move(word));
        ++observed_;
    }
}

std::vector<DriverWord> VirtualWorld::take_words(std::uint32_t client) {
    return std::exchange(drivers_[client].words, {});
}

bool VirtualWorld::holds(const AtGate& at) {
    held_.push_back(held_frame(at, links_));
    ++observed_;
    return true;
}

void VirtualWorld::left(std::uint16_t link, std::uint32_t connection) {
    left_.insert(connection);
    servers_[links_.node_of(link).value].touched = true;
    ++observed_;
}

void VirtualWorld::over(std::uint16_t link, std::uint32_t connection) {
    std::erase_if(held_, [&](const HeldFrame& frame) { return frame.connection == connection; });
    servers_[links_.node_of(link).value].touched = true;
    touched_[links_.client_of(link).value] = true;
    ++observed_;
}

void VirtualWorld::let_go(const HeldFrame& given, const FaultRule* fault) {
    const HeldFrame frame = given;
    std::erase_if(held_, [&](const HeldFrame& each) {
        return each.connection == frame.connection && each.way == frame.way;
    });
    const bool is_held_again = fault != nullptr && fault->amount == kUntilTold;
    const bool is_request = frame.way == LinkWay::request;
    const std::string trouble =
        is_request ? operator_trouble(frame.text, ClientId{frame.client}, subject_.name()) : "";
    if (!trouble.empty()) throw DriverTrouble(trouble);
    const std::size_t to = is_request ? frame.node.value : process_of(frame.client);
    const bool is_there =
        is_request ? goes_on(frame.node.value) : drivers_[frame.client].driver != nullptr;
    if (is_there) time_.show(to);
    begun_ = true;
    proxy_->go_on(frame.connection, frame.way, fault);
    if (is_held_again) {
        held_.push_back(frame);
        // The repetition is another command of its connection.
        ++held_.back().number;
    }
    // The proxy answers, or tells the server to discard what an EXEC was to run.
    if (fault != nullptr && fault->fault == LinkFault::error) {
        touched_[frame.client] = servers_[frame.node.value].touched = true;
    }
    const bool arrives = fault == nullptr || fault->fault == LinkFault::repeat_request;
    if (!arrives || !is_there) return look();
    settle(to);
}

std::uint64_t VirtualWorld::ask(std::uint32_t client, DriverOp op,
                                const nlohmann::ordered_json& more) {
    const std::size_t process = process_of(client);
    // It has ended, which is still to be taken.
    if (drivers_[client].driver == nullptr) return 0;
    time_.show(process);
    const std::uint64_t id = drivers_[client].driver->ask(op, more);
    settle(process);
    return id;
}

void VirtualWorld::cancel(std::uint32_t client, std::uint64_t id) {
    const std::size_t process = process_of(client);
    if (drivers_[client].driver == nullptr) return;
    time_.show(process);
    drivers_[client].driver->cancel(id);
    settle(process);
}

std::optional<Instant> VirtualWorld::deadline(std::uint32_t client) const {
    const Player& player = drivers_[client];
    if (player.driver == nullptr || player.stopped) return std::nullopt;
    return time_.deadline(process_of(client));
}

std::optional<Instant> VirtualWorld::next_deadline() const {
    std::optional<Instant> first;
    const auto take = [&](std::optional<Instant> at) {
        if (at && (!first || *at < *first)) first = at;
    };
    for (std::size_t server = 0; server < nodes(); ++server) {
        if (goes_on(server)) take(time_.deadline(server));
    }
    for (std::uint32_t i = 0; i < clients(); ++i) take(deadline(i));
    return first;
}

/// Moves to the first whole second that is not before `least`.
void VirtualWorld::begin_second(Instant least) {
    const Instant begin{std::chrono::ceil<std::chrono::seconds>(least.time_since_epoch())};
    for (auto next = next_deadline(); next && *next <= begin; next = next_deadline()) {
        if (begin == now()) break;
        move_to(std::max(*next, now()));
        while (fire_one()) {
        }
    }
    move_to(begin);
}

void VirtualWorld::align_servers() {
    for (const NodeId node : all_nodes()) freeze_server(node);
    begin_second(now() + kServersTimers);
    for (const NodeId node : all_nodes()) thaw_server(node);
    look();
}

bool VirtualWorld::fire_one() {
    for (std::size_t process = 0; process < nodes() + clients(); ++process) {
        if (!goes_on(process) || !time_.is_due(process)) continue;
        time_.show(process);
        settle(process);
        return true;
    }
    return false;
}

}  // namespace locklab
