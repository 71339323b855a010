// Where driver processes are played: redis-servers, a process for each client, and the proxy
// between them, where each command and each answer is held until somebody lets it go. Time is
// virtual (VirtualWorld) or real (RealWorld).
#pragma once

#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/time.h"
#include "harness/driver/driver.h"
#include "harness/foreign/key_look.h"
#include "harness/foreign/link_table.h"
#include "harness/proxy/link_fault.h"
#include "harness/proxy/link_gate.h"

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

HeldFrame held_frame(const AtGate& at, const LinkTable& links);

class PlayWorld {
public:
    virtual ~PlayWorld() = default;

    virtual Instant now() const = 0;
    /// Whether its clocks move only when all of it waits.
    virtual bool has_virtual_time() const { return false; }
    virtual std::uint32_t clients() const = 0;
    virtual std::uint32_t nodes() const = 0;
    std::vector<NodeId> all_nodes() const;
    /// Drivers that are as they should be close; the others are killed.
    virtual void close(std::span<const bool> well) = 0;

    /// In the order in which they came; each way of a connection has one.
    virtual const std::deque<HeldFrame>& held() const = 0;
    /// Whether its client has ended this connection: it hears nothing of it any more.
    virtual bool has_left(std::uint32_t connection) const = 0;
    /// `fault` strikes it; null: none does.
    virtual void let_go(const HeldFrame& frame, const FaultRule* fault) = 0;

    virtual std::uint64_t ask(std::uint32_t client, DriverOp op,
                              const nlohmann::ordered_json& more) = 0;
    /// What it has said since the last call.
    virtual std::vector<DriverWord> take_words(std::uint32_t client) = 0;

    /// When somebody may go on by itself: a server, or a client that is not stopped.
    virtual std::optional<Instant> next_deadline() const = 0;
    /// When this client goes on by itself; nothing: never, it is stopped, or nobody knows.
    virtual std::optional<Instant> deadline(std::uint32_t client) const = 0;
    /// No client waits for a server in a command that blocks, and no key expires: what the servers
    /// do by themselves is nobody's affair. False where that is not known.
    virtual bool servers_owe_nothing() { return false; }
    virtual void move_to(Instant later) = 0;
    /// One whose timer is due now goes on. False: there is none.
    virtual bool fire_one() = 0;
    /// Counts what everybody has said and sent so far.
    virtual std::uint64_t observed() const = 0;

    /// It does nothing any more, and sees no time pass, until it goes on.
    virtual void stop(std::uint32_t client) = 0;
    virtual void go_on(std::uint32_t client) = 0;
    virtual void kill(std::uint32_t client) = 0;
    /// What drivers are told to call the lock.
    virtual const std::string& key() const = 0;
    /// No key where the server is down.
    virtual KeyLook look_at_key(NodeId node, const std::string& key) = 0;
    virtual bool is_up(NodeId node) const = 0;
    virtual void kill_server(NodeId node) = 0;
    /// Empty.
    virtual void start_server(NodeId node) = 0;
    virtual void evict(NodeId node) = 0;
    /// Wall clocks are ahead by so much, or behind, until the world is closed.
    virtual void set_server_clock(NodeId node, Duration ahead) = 0;
    virtual void set_clock(std::uint32_t client, Duration ahead) = 0;
};

}  // namespace locklab
