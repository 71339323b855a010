// A redis-server and driver processes in virtual time, with the proxy between them: each command
// and each answer is held there until somebody lets it go.
//
// 1. One process acts at a time, and everybody is at rest between two calls: what it said and sent
//    by then is here.
// 2. All that was drawn by chance in a play follows from its seed, and each play begins at a whole
//    second, so that all timers of the server stand alike.
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
    VirtualWorld(const Subject& subject, std::uint32_t clients);
    ~VirtualWorld();
    VirtualWorld(const VirtualWorld&) = delete;
    VirtualWorld& operator=(const VirtualWorld&) = delete;

    /// Everybody lives, the server is empty, each driver has fresh client objects, and has taken
    /// and released the lock once. All of these throw DriverTrouble, with one sentence, for a
    /// process that ends, or does not come to rest.
    void open(const Opening& opening);
    /// Drivers that are as they should be close; the others are killed.
    void close(std::span<const bool> well);

    Instant now() const { return time_.now(); }
    std::uint32_t clients() const { return static_cast<std::uint32_t>(drivers_.size()); }

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

    /// When somebody goes on by itself: the server, or a client that is not stopped.
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
    KeyLook look_at_key();
    bool is_up() const { return server_ != nullptr; }
    void kill_server();
    /// Empty.
    void start_server();
    void evict();
    /// Wall clocks are ahead by so much, or behind, until the world is closed.
    void set_server_clock(Duration ahead) { time_.set_ahead(kServer, ahead); }
    void set_clock(std::uint32_t client, Duration ahead) {
        time_.set_ahead(process_of(client), ahead);
    }

private:
    struct Player {
        std::unique_ptr<Driver> driver;
        bool stopped = false;
        std::vector<DriverWord> words;
    };

    /// Of the processes in virtual time.
    static constexpr std::size_t kServer = 0;
    static std::size_t process_of(std::uint32_t client) { return client + 1; }
    Endpoint server_endpoint() const;
    std::unique_ptr<Driver> start_driver(std::uint32_t client);
    void open_one(std::uint32_t client, const Opening& opening);
    void begin_second();
    Reply tell_server(const Command& command);

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
    std::unique_ptr<DriverProcess> server_;
    std::unique_ptr<SyncConnection> control_;
    std::unique_ptr<FaultProxy> proxy_;
    std::vector<Player> drivers_;
    std::deque<HeldFrame> held_;
    std::set<std::uint32_t> left_;  ///< connections of this play that their clients have ended
    std::uint64_t observed_ = 0;
    std::uint32_t connections_ = 0;  ///< before this play
    std::uint32_t seen_ = 0;         ///< connections, so far
    bool server_touched_ = false;
    bool begun_ = true;  ///< something at the proxy
    std::vector<bool> touched_;
};

}  // namespace locklab
