// Redis-servers and driver processes in virtual time, with the proxy between them, which holds each
// command and each answer until let_go().
//
// 1. One process acts at a time, and all are at rest between two calls: everything said and sent by
// then is here.
// 2. All random values of a play follow from its seed, and each play begins at a whole second, so
// that the servers' timers start alike.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/driver/driver.h"
#include "harness/foreign/key_look.h"
#include "harness/foreign/link_plan.h"
#include "harness/foreign/link_table.h"
#include "harness/foreign/play_world.h"
#include "harness/foreign/subject.h"
#include "harness/foreign/team.h"
#include "harness/live/processors.h"
#include "harness/live/reactor.h"
#include "harness/live/sync_connection.h"
#include "harness/live/temp_folder.h"
#include "harness/proxy/fault_proxy.h"
#include "harness/virtual/loopback.h"
#include "harness/virtual/virtual_time.h"

namespace locklab {

/// The work was stopped while waiting for a process.
class PlayStopped : public std::runtime_error {
public:
    PlayStopped() : std::runtime_error("it was stopped") {}
};

class VirtualWorld final : public PlayWorld, private LinkGate {
public:
    struct Opening {
        Duration ttl{0};
        Duration timeout{0};
        std::uint64_t seed = 1;
    };

    /// Starts no process yet. The subject must outlive it, and so must `stop`: once that is set,
    /// waits end. Throws std::runtime_error.
    VirtualWorld(const Subject& subject, std::uint32_t clients, std::uint32_t nodes = 1,
                 const std::atomic<bool>& stop = kNeverStopped);
    ~VirtualWorld() override;
    VirtualWorld(const VirtualWorld&) = delete;
    VirtualWorld& operator=(const VirtualWorld&) = delete;

    /// Starts missing processes and empties the servers; each driver has fresh client objects, and
    /// has taken and released the lock once. This and all calls below throw DriverTrouble, with one
    /// sentence, if a process ends or does not come to rest.
    void open(const Opening& opening);
    void close(std::span<const bool> well) override;
    /// In place of close(), or after it threw.
    void end_drivers();

    Instant now() const override { return time_.now(); }
    bool has_virtual_time() const override { return true; }
    std::uint32_t clients() const override { return static_cast<std::uint32_t>(drivers_.size()); }
    std::uint32_t nodes() const override { return static_cast<std::uint32_t>(servers_.size()); }

    const std::deque<HeldFrame>& held() const override { return held_; }
    bool has_left(std::uint32_t connection) const override { return left_.contains(connection); }
    void let_go(const HeldFrame& frame, const FaultRule* fault) override;

    std::uint64_t ask(std::uint32_t client, DriverOp op,
                      const nlohmann::ordered_json& more) override;
    void cancel(std::uint32_t client, std::uint64_t id) override;
    std::vector<DriverWord> take_words(std::uint32_t client) override;

    std::optional<Instant> next_deadline() const override;
    std::optional<Instant> deadline(std::uint32_t client) const override;
    bool servers_owe_nothing() override;
    void move_to(Instant later) override { time_.move_to(later); }
    bool fire_one() override;
    std::uint64_t observed() const override { return observed_; }

    void stop(std::uint32_t client) override;
    void go_on(std::uint32_t client) override;
    void kill(std::uint32_t client) override;
    const std::string& key() const override { return key_; }
    /// No time passes meanwhile.
    KeyLook look_at_key(NodeId node, const std::string& key) override;
    bool is_up(NodeId node) const override { return servers_[node.value].process != nullptr; }
    void kill_server(NodeId node) override;
    void start_server(NodeId node) override;
    void freeze_server(NodeId node) override { servers_[node.value].hangs = true; }
    void thaw_server(NodeId node) override;
    std::vector<std::string> keys_to_evict(NodeId node) override;
    void evict(NodeId node, const std::string& told) override;
    void flush(NodeId node) override;
    void set_server_clock(NodeId node, Duration ahead) override {
        time_.set_ahead(node.value, ahead);
    }
    void set_clock(std::uint32_t client, Duration ahead) override {
        time_.set_ahead(process_of(client), ahead);
    }

private:
    struct Player {
        std::unique_ptr<Driver> driver;
        bool stopped = false;
        std::vector<DriverWord> words;
        bool ticks = false;  ///< its timers went on when it had begun, and had nothing to do
    };

    struct Server {
        std::unique_ptr<DriverProcess> process{};
        std::unique_ptr<SyncConnection> control{};
        bool touched = false;
        bool hangs = false;  ///< it gets no turn, and is shown no time
    };

    /// Servers are the first processes in virtual time, clients follow.
    std::size_t process_of(std::uint32_t client) const { return nodes() + client; }
    /// Whether one of its timers is due by then.
    bool has_timer(std::uint32_t client, Instant until) const;
    bool is_server(std::size_t process) const { return process < nodes(); }
    std::uint32_t client_of(std::size_t process) const {
        return static_cast<std::uint32_t>(process) - nodes();
    }
    /// Whether the process exists, and neither is stopped nor hangs.
    bool goes_on(std::size_t process) const;
    Endpoint server_endpoint(NodeId node) const;
    ProxyPlan proxy_plan();
    /// All servers are up, and none hangs.
    void start_servers();
    void touch_servers();
    /// Lets one touched server read its sockets. False: none was touched.
    bool look_at_server();
    std::unique_ptr<Driver> start_driver(std::uint32_t client);
    void open_one(std::uint32_t client, const Opening& opening);
    /// Throws DriverTrouble if the client's driver has child processes.
    void check_alone(std::uint32_t client);
    /// Until a whole second. What is sent meanwhile arrives.
    void let_pass(Duration time);
    void look_at_timers(std::uint32_t client);
    void let_run_out();
    void end_connections();
    /// What is on its way arrives, and the answers to it. False: it never ends.
    bool let_arrive();
    void begin_second(Instant least);
    /// A server counts its time from when it last went on, or began: lets all go on at a whole
    /// second, so that their timers come alike in each play.
    void align_servers();
    void await_listener(NodeId node);
    Reply tell_server(NodeId node, const Command& command);
    bool owes_nothing(NodeId node);

    void await_rest(std::size_t process);
    /// Where `run` does not start the program itself, but a script in its place: which, for the end
    /// of a sentence; else empty.
    std::string its_script() const;
    void settle(std::size_t process);
    void look();
    void hear(std::uint32_t client);
    /// Its process is gone, and nobody killed it.
    void hear_end(std::uint32_t client);

    DriverAnswer await(std::uint32_t client, std::uint64_t id, DriverOp op);
    DriverAnswer ask_and_await(std::uint32_t client, DriverOp op,
                               const nlohmann::ordered_json& more = nullptr);
    /// Makes the next thing happen without a drive: a message in order of arrival, then a timer.
    /// False: nothing ever will.
    bool go_on_by_itself();

    bool holds(const AtGate& at) override;
    void left(std::uint16_t link, std::uint32_t connection) override;
    void over(std::uint16_t link, std::uint32_t connection) override;

    /// What was sent has arrived in order only if all of this runs on one processor (Loopback).
    const KeptOn one_{current_processor()};
    const Subject& subject_;
    /// Unique to this world, since it also names an oracle mutex.
    const std::string key_;
    TempFolder folder_;
    VirtualTime time_;
    Loopback loopback_;
    Reactor reactor_;
    EventLog events_;
    const LinkTable links_;
    std::vector<Server> servers_;
    std::unique_ptr<FaultProxy> proxy_;
    std::vector<Player> drivers_;
    std::deque<HeldFrame> held_;
    std::set<std::uint32_t> left_;  ///< connections of this play that their clients have ended
    std::uint64_t observed_ = 0;
    std::uint32_t connections_ = 0;  ///< connections before this play
    std::uint32_t seen_ = 0;         ///< connections seen so far
    bool begun_ = true;              ///< the proxy has been asked for something since the last look
    std::vector<bool> touched_;
};

}  // namespace locklab
