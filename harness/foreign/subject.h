// The lock that runs in driver processes: a foreign library, or one of our own.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/topology.h"
#include "harness/driver/driver_lines.h"
#include "harness/driver/driver_process.h"
#include "harness/foreign/library.h"
#include "harness/foreign/library_manifest.h"

namespace locklab {

class Subject {
public:
    /// Its data outlives the library.
    explicit Subject(const Library& library);
    /// `program` is a locklab executable, which is started as `locklab driver NAME`.
    Subject(const Algorithm& algorithm, const std::string& program);
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    /// Its row for campaigns, their tables and files: "lib:redis-py".
    const Algorithm& row() const { return row_; }
    /// Its name on the command line: "lib:redis-py", "driver:set_nx_lua".
    const std::string& operand() const { return operand_; }
    /// The lock of ours that it resembles, or is.
    const std::string& like() const { return like_; }
    /// Its name in sentences.
    const std::string& name() const { return name_; }
    /// Version of a library; empty: it is one of our own locks.
    std::string version() const { return promised_ ? promised_->version : ""; }
    const DriverProcess::Start& start() const { return start_; }
    /// The same in virtual time.
    const DriverProcess::Start& virtual_start() const { return virtual_start_; }
    /// How the servers are started that it needs in place of Redis. Nothing: it is a lock in Redis.
    const std::optional<DriverProcess::Start>& servers_start() const { return servers_start_; }
    /// Empty if this answer to `hello` agrees with its manifest; else a sentence with both.
    std::string trouble_with(const DriverTraits& said) const;
    /// The `lib` options of `open`.
    const nlohmann::ordered_json& options() const { return options_; }
    bool waits() const { return waits_; }
    /// Names of its keys if the lock is told `name`: first its own key, on which a grant rests.
    std::vector<std::string> keys_of(const std::string& name) const;
    /// The lease that a holder computes by its own clock; zero: only the server's key has a TTL.
    Duration own_lease(Duration ttl) const { return row_.reads_wall_clock ? ttl : Duration(0); }
    /// Why the fault cannot be made for it, as half a sentence: not in this world, its clients'
    /// clocks cannot be reached, or its servers are not Redis. Empty: it can.
    std::string why_not_struck_by(Hazard hazard) const;
    /// Whether it can be made, and means something for this lock.
    bool can_be_struck_by(Hazard hazard) const;
    /// Why its clients' clocks cannot be set wrong; empty: they can.
    const std::string& no_clock() const { return no_clock_; }
    /// Why it cannot run in virtual time; empty: it can.
    const std::string& why_not_virtual() const { return why_not_virtual_; }
    /// Which parts of it are replaced, for a sentence: "not wholly unmodified: ..."; empty: none.
    const std::string& stubs() const { return stubs_; }
    /// It grants no lock of a name but the one job of a queue.
    bool grants_job() const { return grants_job_; }
    /// Its callers extend it while they work; by itself it does not renew.
    bool extended_by_hand() const { return extended_by_hand_; }
    /// Whether it sends commands that nobody asked for, while a client has it.
    bool renews_by_itself() const { return row_.renews && !extended_by_hand_; }
    /// How soon its holder is told of a loss, if it does what it says; zero: nobody says.
    /// `timeout`: of a command, where nobody else's is in use.
    Duration tells_within(Duration ttl, Duration timeout) const;
    /// It can be given several servers that know nothing of one another.
    bool takes_many_nodes() const { return takes_many_nodes_; }
    /// Why no script of commands can be played on it with these servers of Redis, without a full
    /// stop; empty: it can.
    std::string why_not_on(const Topology& topology) const;
    /// Number of servers that it asks when given this many, if it does what it says.
    std::uint32_t nodes_asked(std::uint32_t given) const;
    /// Its time-outs are as its authors set them, and cannot be changed.
    bool has_own_timeouts() const { return has_own_timeouts_; }
    /// Its driver sets the time-outs in proportion to the TTL.
    bool scales_timeouts() const { return scales_timeouts_; }
    /// The TTL that it is run with by default: the shortest suitable one.
    Duration usual_ttl() const { return usual_ttl_; }
    Duration least_ttl() const { return least_ttl_; }

private:
    std::string name_;
    std::string operand_;
    std::string like_;
    std::string row_name_;
    std::string label_;
    DriverProcess::Start start_;
    DriverProcess::Start virtual_start_;
    std::optional<DriverProcess::Start> servers_start_{};
    std::optional<DriverTraits> promised_{};
    std::string no_clock_{};
    std::string why_not_virtual_{};
    std::string stubs_{};
    std::vector<std::string> keys_{std::string(kAskedKey)};
    nlohmann::ordered_json options_ = nlohmann::ordered_json::object();
    bool waits_ = false;
    bool grants_job_ = false;
    bool extended_by_hand_ = false;
    int tells_within_percent_ = 0;  ///< of a TTL; of a library
    bool is_library_ = false;
    bool takes_many_nodes_ = true;
    bool has_own_timeouts_ = false;
    bool scales_timeouts_ = false;
    Duration usual_ttl_;
    Duration least_ttl_{0};
    Algorithm row_;
};

}  // namespace locklab
