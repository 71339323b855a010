// What is run behind driver processes: somebody's library, or one of our own locks as one.
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

/// Whether driver processes can have this fault: by signals, by a preloaded clock, at the proxy, or
/// at the server.
bool foreign_makes(Hazard hazard);

class Subject {
public:
    /// Its words outlive the library.
    explicit Subject(const Library& library);
    /// `program` is a locklab, which is started as `locklab driver NAME`.
    Subject(const Algorithm& algorithm, const std::string& program);
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    /// What a campaign, its tables and its files are told of it: "lib:redis-py".
    const Algorithm& row() const { return row_; }
    /// What verbs take it by: "lib:redis-py", "driver:set_nx_lua".
    const std::string& operand() const { return operand_; }
    /// The lock of ours that it is like, or is.
    const std::string& like() const { return like_; }
    /// What sentences call it.
    const std::string& name() const { return name_; }
    /// Of a library; empty: it is one of our own locks.
    std::string version() const { return promised_ ? promised_->version : ""; }
    const DriverProcess::Start& start() const { return start_; }
    /// Empty if this answer to `hello` is as its manifest says; else a sentence that names both.
    std::string trouble_with(const DriverTraits& said) const;
    /// What `open` has as `lib`.
    const nlohmann::ordered_json& options() const { return options_; }
    bool waits() const { return waits_; }
    /// What it calls its keys, where it is told this name for the lock: first the lock's own, on
    /// which a grant rests.
    std::vector<std::string> keys_of(const std::string& name) const;
    /// The lease that a holder reckons by its own clock; zero: only the server's key has a time.
    Duration own_lease(Duration ttl) const { return row_.reads_wall_clock ? ttl : Duration(0); }
    /// Whether the fault can befall it, and its clients' clocks can be reached where it is one.
    bool suffers(Hazard hazard) const;
    /// Why its clients' clocks cannot be set wrong; empty: they can.
    const std::string& no_clock() const { return no_clock_; }
    /// Why it cannot live in virtual time; empty: it can.
    const std::string& why_not_virtual() const { return why_not_virtual_; }
    /// What of it is replaced, for a sentence: "not wholly unmodified: ..."; empty: nothing is.
    const std::string& stubs() const { return stubs_; }
    /// It grants no lock of a name but the one job of a queue.
    bool grants_job() const { return grants_job_; }
    /// How soon its holder is told of a loss, if it does what it says; zero: nobody says.
    /// `timeout`: of a command, where nobody else's is in use.
    Duration tells_within(Duration ttl, Duration timeout) const;
    /// It can be given several servers that know nothing of one another.
    bool takes_many_nodes() const { return takes_many_nodes_; }
    /// Why it cannot be given these servers, without a full stop; empty: it can.
    std::string why_not_on(const Topology& topology) const;
    /// Of so many that it is given, how many it asks, if it does what it says.
    std::uint32_t nodes_asked(std::uint32_t given) const;
    /// Its time-outs are as its authors set them: nobody tells it another.
    bool has_own_timeouts() const { return has_own_timeouts_; }
    /// Their driver sets them in proportion to the TTL.
    bool scales_timeouts() const { return scales_timeouts_; }
    /// The shortest that it is run with where nothing else is asked.
    Duration usual_ttl() const { return usual_ttl_; }
    Duration least_ttl() const { return least_ttl_; }

private:
    std::string name_;
    std::string operand_;
    std::string like_;
    std::string row_name_;
    std::string label_;
    DriverProcess::Start start_;
    std::optional<DriverTraits> promised_{};
    std::string no_clock_{};
    std::string why_not_virtual_{};
    std::string stubs_{};
    std::vector<std::string> keys_{std::string(kAskedKey)};
    nlohmann::ordered_json options_ = nlohmann::ordered_json::object();
    bool waits_ = false;
    bool grants_job_ = false;
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
