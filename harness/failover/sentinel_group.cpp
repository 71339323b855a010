#include "harness/failover/sentinel_group.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "harness/core/printable.h"
#include "harness/live/probe.h"
#include "harness/live/sync_connection.h"

namespace locklab {

namespace {

/// The name by which the Sentinels know the master.
constexpr const char* kName = "locklab";
/// Sentinels vote again only after twice this time, and repair the address of a replica that
/// follows through a link after it: longer than any run.
constexpr std::chrono::milliseconds kFailoverTimeout(30'000);
/// Far longer than Sentinels need to know each other.
constexpr auto kReadyLimit = std::chrono::seconds(20);
constexpr auto kLookAgain = std::chrono::milliseconds(20);

std::string at(const RedisProcess& process) {
    const Endpoint endpoint = process.port_endpoint();
    return endpoint.host + " " + std::to_string(endpoint.port);
}

/// The value of this field in a reply of names and values; empty if there is none.
std::string field_of(const Reply& reply, std::string_view name) {
    const std::vector<Reply>& words = reply.elements();
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        if (words[i].text() == name) return words[i + 1].text();
    }
    return {};
}

/// Throws std::runtime_error.
void require_waitaof(const RedisProcess& server, const std::string& version) {
    SyncConnection connection(server.endpoint(), std::chrono::seconds(1));
    const Reply known = connection.command(Command::of("COMMAND", "INFO", "WAITAOF"));
    if (!known.elements().empty() && !known.elements()[0].is_nil()) return;
    throw std::runtime_error("Redis " + version +
                             " has no WAITAOF; right would be --server valkey, or Redis 7.2.");
}

bool is_master(const Endpoint& server) {
    SyncConnection connection(server, std::chrono::seconds(1));
    const Reply role = connection.command(Command::of("ROLE"));
    return !role.elements().empty() && role.elements()[0].text() == "master";
}

}  // namespace

SentinelGroup::SentinelGroup(const FailoverCell& cell) : cell_(cell) {
    const auto on_port = RedisProcess::Listen::on_port_too;
    master_ = std::make_unique<RedisProcess>(on_port);
    version_ = probe(master_->endpoint());
    if (cell.lag > Duration::zero()) {
        link_ = std::make_unique<SlowLink>(master_->port_endpoint(), cell.lag);
    }
    for (std::uint32_t i = 0; i < cell.replicas; ++i) {
        replicas_.push_back(std::make_unique<RedisProcess>(on_port));
        // The last one is held back.
        const bool is_held_back = link_ != nullptr && i + 1 == cell.replicas;
        is_held_back ? replicas_.back()->follow(*master_, link_->endpoint())
                     : replicas_.back()->follow(*master_);
    }
    if (cell.safeguard == Safeguard::min_replicas) {
        const auto guard = [](RedisProcess& server) {
            server.set("min-replicas-to-write", "1");
            server.set("min-replicas-max-lag", "1");
        };
        guard(*master_);
        for (const auto& replica : replicas_) guard(*replica);
    }
    if (cell.safeguard == Safeguard::wait_on_disk) {
        require_waitaof(*master_, version_);
        for (const auto& replica : replicas_) {
            replica->set("appendfsync", "always");
            replica->set("appendonly", "yes");
        }
    }
    for (std::uint32_t i = 0; i < kSentinels; ++i) {
        sentinels_.push_back(std::make_unique<RedisProcess>(
            on_port, std::map<std::string, std::string>(), sentinel_lines()));
    }
    introduce_sentinels();
    await_sentinels();
}

std::string SentinelGroup::sentinel_lines() const {
    const std::string name = kName;
    const auto down_after = std::chrono::milliseconds(kDownAfter / std::chrono::milliseconds(1));
    std::string lines = "sentinel monitor " + name + " " + at(*master_) + " 2\n";
    lines += "sentinel down-after-milliseconds " + name + " " + std::to_string(down_after.count()) +
             "\n";
    lines +=
        "sentinel failover-timeout " + name + " " + std::to_string(kFailoverTimeout.count()) + "\n";
    for (const auto& replica : replicas_) {
        lines += "sentinel known-replica " + name + " " + at(*replica) + "\n";
    }
    return lines;
}

/// Says to each what the others will say every two seconds: a run need not wait for that.
void SentinelGroup::introduce_sentinels() const {
    const std::string master = std::to_string(master_->port_endpoint().port);
    for (const auto& one : sentinels_) {
        SyncConnection its(one->endpoint());
        const std::string id = its.command(Command::of("SENTINEL", "MYID")).text();
        const std::string port = std::to_string(one->port_endpoint().port);
        const std::string hello =
            "127.0.0.1," + port + "," + id + ",0," + kName + ",127.0.0.1," + master + ",0";
        for (const auto& other : sentinels_) {
            if (other == one) continue;
            SyncConnection connection(other->endpoint());
            connection.command(Command::of("PUBLISH", "__sentinel__:hello", hello));
        }
    }
}

std::string SentinelGroup::what_it_lacks(const RedisProcess& sentinel) const {
    SyncConnection connection(sentinel.endpoint());
    const Reply quorum = connection.command(Command::of("SENTINEL", "CKQUORUM", kName));
    if (quorum.is_unknown()) return "it does not answer (" + connection.reason() + ")";
    const std::string all = "OK " + std::to_string(kSentinels) + " usable";
    if (!quorum.text().starts_with(all)) return printable(quorum.text());
    const Reply replicas = connection.command(Command::of("SENTINEL", "REPLICAS", kName));
    const auto knows = std::ranges::count_if(replicas.elements(), [](const Reply& replica) {
        return field_of(replica, "flags") == "slave" &&
               field_of(replica, "master-link-status") == "ok";
    });
    if (static_cast<std::uint32_t>(knows) == cell_.replicas) return {};
    return "it knows " + std::to_string(knows) + " of " + std::to_string(cell_.replicas) +
           " replicas";
}

void SentinelGroup::await_sentinels() const {
    const auto limit = Clock::now() + kReadyLimit;
    for (const auto& sentinel : sentinels_) {
        while (true) {
            const std::string lack = what_it_lacks(*sentinel);
            if (lack.empty()) break;
            if (Clock::now() > limit) {
                throw std::runtime_error("A Sentinel could lead no failover in time: " + lack +
                                         ".");
            }
            std::this_thread::sleep_for(kLookAgain);
        }
    }
}

std::optional<Endpoint> SentinelGroup::promoted(Duration limit) const {
    const auto end = Clock::now() + limit;
    const std::string old = std::to_string(master_->port_endpoint().port);
    while (Clock::now() < end) {
        for (const auto& sentinel : sentinels_) {
            SyncConnection connection(sentinel->endpoint());
            const Reply address =
                connection.command(Command::of("SENTINEL", "GET-MASTER-ADDR-BY-NAME", kName));
            if (address.elements().size() != 2 || address.elements()[1].text() == old) continue;
            const Endpoint named =
                parse_endpoint(address.elements()[0].text() + ":" + address.elements()[1].text());
            if (is_master(named)) return named;
        }
        std::this_thread::sleep_for(kLookAgain);
    }
    return std::nullopt;
}

}  // namespace locklab
