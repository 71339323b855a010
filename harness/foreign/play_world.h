// Where driver processes are played: redis-servers, a process for each client, and the proxy
// between them, which holds each command and each answer until let_go(). Time is virtual
// (VirtualWorld) or real (RealWorld).
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

/// A command or an answer that waits at the gate.
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
    /// Whether its clocks move only when all processes wait.
    virtual bool has_virtual_time() const { return false; }
    virtual std::uint32_t clients() const = 0;
    virtual std::uint32_t nodes() const = 0;
    std::vector<NodeId> all_nodes() const;
    /// Drivers marked `well` are asked to close; the others are killed.
    virtual void close(std::span<const bool> well) = 0;

    /// In order of arrival; each way of a connection has at most one.
    virtual const std::deque<HeldFrame>& held() const = 0;
    /// Whether its client has ended this connection: no further answer reaches it.
    virtual bool has_left(std::uint32_t connection) const = 0;
    /// Null: no fault strikes it.
    virtual void let_go(const HeldFrame& frame, const FaultRule* fault) = 0;

    virtual std::uint64_t ask(std::uint32_t client, DriverOp op,
                              const nlohmann::ordered_json& more) = 0;
    /// Its caller cancels the call of this number.
    virtual void cancel(std::uint32_t client, std::uint64_t id) = 0;
    /// What the client's driver has said since the last call.
    virtual std::vector<DriverWord> take_words(std::uint32_t client) = 0;

    /// When a server, or a client that is not stopped, may next act by itself.
    virtual std::optional<Instant> next_deadline() const = 0;
    /// When this client next acts by itself; nothing: never, it is stopped, or that is not known.
    virtual std::optional<Instant> deadline(std::uint32_t client) const = 0;
    /// True if no client is blocked at a server and no key can expire, so that servers do nothing
    /// by themselves. False if that is not known.
    virtual bool servers_owe_nothing() { return false; }
    virtual void move_to(Instant later) = 0;
    /// Lets one process whose timer is due go on. False: there is none.
    virtual bool fire_one() = 0;
    /// Number of words and frames of all processes so far.
    virtual std::uint64_t observed() const = 0;

    /// Stops the client: it does nothing, and sees no time pass, until go_on().
    virtual void stop(std::uint32_t client) = 0;
    virtual void go_on(std::uint32_t client) = 0;
    virtual void kill(std::uint32_t client) = 0;
    /// The lock's name, as drivers are told it.
    virtual const std::string& key() const = 0;
    /// Reports no key if the server is down.
    virtual KeyLook look_at_key(NodeId node, const std::string& key) = 0;
    virtual bool is_up(NodeId node) const = 0;
    virtual void kill_server(NodeId node) = 0;
    /// Starts it without data.
    virtual void start_server(NodeId node) = 0;
    /// It stands still, and nobody may ask it anything; connections to it can be opened all the
    /// same, and its clock goes on. It is up.
    virtual void freeze_server(NodeId node) = 0;
    /// It goes on with its data, if it stood still.
    virtual void thaw_server(NodeId node) = 0;
    /// The keys that this server can lose, as keys_to_evict() tells them. It is up and answers.
    virtual std::vector<std::string> keys_to_evict(NodeId node) = 0;
    /// Removes one of these.
    virtual void evict(NodeId node, const std::string& told) = 0;
    /// Deletes all its keys, in every database.
    virtual void flush(NodeId node) = 0;
    /// Sets the wall clock ahead, or behind if negative, until the world is closed.
    virtual void set_server_clock(NodeId node, Duration ahead) = 0;
    virtual void set_clock(std::uint32_t client, Duration ahead) = 0;
};

}  // namespace locklab
