// Redis-servers and driver processes in virtual time, with the proxy between them: each command
// and each answer is held there until somebody lets it go.
//
// 1. One process acts at a time, and everybody is at rest between two calls: what it said and sent
//    by then is here.
// 2. All that was drawn by chance in a play follows from its seed, and each play begins at a whole
//    second, so that all timers of the servers stand alike.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/driver/driver.h"
#include "harness/foreign/key_look.h"
#include "harness/foreign/link_plan.h"
#include "harness/foreign/link_table.h"
#include "harness/foreign/subject.h"
#include "harness/foreign/team.h"
#include "harness/live/reactor.h"
#include "harness/live/sync_connection.h"
#include "harness/live/temp_folder.h"
#include "harness/proxy/fault_proxy.h"
#include "harness/virtual/virtual_time.h"

namespace locklab {

/// A command or an answer that waits to go on.
struct HeldFrame {
    std::uint32_t client = 0;
    NodeId node{};
    std::uint32_t connection = 0;
    std::uint64_t number = 0;  ///< of the command on its connection
    LinkWay way = LinkWay::request;
    std::string word;  ///< the command's name
    std::string text;  ///< as it came
};

class VirtualWorld final : private LinkGate {
public:
    struct Opening {
        Duration ttl{0};
        Duration timeout{0};
        std::uint64_t seed = 1;
    };

    /// Starts nobody yet. The subject must outlive it. Throws std::runtime_error.
    VirtualWorld(const Subject& subject, std::uint32_t clients, std::uint32_t nodes = 1);
    ~VirtualWorld();
    VirtualWorld(const VirtualWorld&) = delete;
    VirtualWorld& operator=(const VirtualWorld&) = delete;

    /// Everybody lives, the servers are empty, each driver has fresh client objects, and has taken
    /// and released the lock once. All of these throw DriverTrouble, with one sentence, for a
    /// process that ends, or does not come to rest.
    void open(const Opening& opening);
    /// Drivers that are as they should be close; the others are killed.
    void close(std::span<const bool> well);

    Instant now() const { return time_.now(); }
    std::uint32_t clients() const { return static_cast<std::uint32_t>(drivers_.size()); }
    std::uint32_t nodes() const { return static_cast<std::uint32_t>(servers_.size()); }
    std::vector<NodeId> all_nodes() const;

    /// In the order in which they came; each way of a connection has one.
    const std::deque<HeldFrame>& held() const { return held_; }
    /// Whether its client has ended this connection: it hears nothing of it any more.
    bool has_left(std::uint32_t connection) const { return left_.contains(connection); }
    /// `fault` strikes it; null: none does.
    void let_go(const HeldFrame& frame, const FaultRule* fault);

    std::uint64_t ask(std::uint32_t client, DriverOp op,
                      const nlohmann::ordered_json& more = nullptr);
    /// What it has said since the last call.
    std::vector<DriverWord> take_words(std::uint32_t client);

    /// When somebody goes on by itself: a server, or a client that is not stopped.
    std::optional<Instant> next_deadline() const;
    /// When this client goes on by itself; nothing: never, or it is stopped.
    std::optional<Instant> deadline(std::uint32_t client) const;
    void move_to(Instant later) { time_.move_to(later); }
    /// One whose timer is due now goes on. False: there is none.
    bool fire_one();
    /// Counts what everybody has said and sent so far.
    std::uint64_t observed() const { return observed_; }

    /// It does nothing any more, and sees no time pass, until it goes on.
    void stop(std::uint32_t client);
    void go_on(std::uint32_t client);
    void kill(std::uint32_t client);
    const std::string& key() const { return key_; }
    /// At the lock's key, while no time passes. No key where the server is down.
    KeyLook look_at_key(NodeId node);
    bool is_up(NodeId node) const { return servers_[node.value].process != nullptr; }
    void kill_server(NodeId node);
    /// Empty.
    void start_server(NodeId node);
    void evict(NodeId node);
    /// Wall clocks are ahead by so much, or behind, until the world is closed.
    void set_server_clock(NodeId node, Duration ahead) { time_.set_ahead(node.value, ahead); }
    void set_clock(std::uint32_t client, Duration ahead) {
        time_.set_ahead(process_of(client), ahead);
    }

private:
    struct Player {
        std::unique_ptr<Driver> driver;
        bool stopped = false;
        std::vector<DriverWord> words;
    };

    struct Server {
        std::unique_ptr<DriverProcess> process{};
        std::unique_ptr<SyncConnection> control{};
        bool touched = false;
    };

    /// Of the processes in virtual time servers are the first.
    std::size_t process_of(std::uint32_t client) const { return nodes() + client; }
    bool is_server(std::size_t process) const { return process < nodes(); }
    std::uint32_t client_of(std::size_t process) const {
        return static_cast<std::uint32_t>(process) - nodes();
    }
    /// Whether it is there, and goes on.
    bool goes_on(std::size_t process) const;
    Endpoint server_endpoint(NodeId node) const;
    ProxyPlan proxy_plan();
    /// Those that are down.
    void start_servers();
    void touch_servers();
    /// One that was touched looks at once. False: none was.
    bool look_at_server();
    std::unique_ptr<Driver> start_driver(std::uint32_t client);
    void open_one(std::uint32_t client, const Opening& opening);
    void begin_second();
    void await_listener(NodeId node);
    Reply tell_server(NodeId node, const Command& command);

    void await_rest(std::size_t process);
    void settle(std::size_t process);
    void look();
    void hear(std::uint32_t client);

    DriverAnswer await(std::uint32_t client, std::uint64_t id, DriverOp op);
    DriverAnswer ask_and_await(std::uint32_t client, DriverOp op,
                               const nlohmann::ordered_json& more = nullptr);
    /// Something goes on, in the order of its own. False: nothing ever will.
    bool go_on_by_itself();

    bool holds(const AtGate& at) override;
    void left(std::uint16_t link, std::uint32_t connection) override;
    void over(std::uint16_t link, std::uint32_t connection) override;

    const Subject& subject_;
    /// Of this world alone: an oracle mutex has its name.
    const std::string key_;
    TempFolder folder_;
    VirtualTime time_;
    Reactor reactor_;
    EventLog events_;
    const LinkTable links_;
    std::vector<Server> servers_;
    std::unique_ptr<FaultProxy> proxy_;
    std::vector<Player> drivers_;
    std::deque<HeldFrame> held_;
    std::set<std::uint32_t> left_;  ///< connections of this play that their clients have ended
    std::uint64_t observed_ = 0;
    std::uint32_t connections_ = 0;  ///< before this play
    std::uint32_t seen_ = 0;         ///< connections, so far
    bool begun_ = true;              ///< something at the proxy
    std::vector<bool> touched_;
};

}  // namespace locklab
