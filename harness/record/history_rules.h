// Rules for the order of events. A history that breaks one was recorded or copied wrongly, and a
// verdict on it would mean nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/check/per_client.h"
#include "harness/core/history.h"
#include "harness/record/json_line.h"

namespace locklab {

class HistoryRules {
public:
    /// Zero clients: not announced. `locks`: number that each client takes.
    explicit HistoryRules(std::uint32_t clients = 0, std::uint32_t locks = 1)
        : clients_(clients), locks_(locks) {}

    /// Fails on the line if its event is not allowed here. A write without its grant gets its
    /// client's last grant.
    void check(const JsonLine& line, Event& event);
    void check_end(const JsonLine& line, Instant end) const { check_time(line, end); }

    std::uint64_t next_grant() const { return grants_ + 1; }
    /// As many as were announced, or seen.
    std::uint32_t clients() const { return clients_ != 0 ? clients_ : met_; }

private:
    /// State of one lock of a client.
    struct Hold {
        std::uint64_t grant = 0;   ///< the last grant; 0: none yet
        bool inside = false;       ///< granted, and has not left
        bool releasable = false;   ///< granted, and not released since
        bool wants_again = false;  ///< inside, and taking the lock a second time
    };
    struct Client {
        std::array<Hold, ResourceId::kMost> holds;
        std::size_t crashed = 0;  ///< the line of its crash; 0: alive
    };

    void check_time(const JsonLine& line, Instant at) const;
    void check_lock(const JsonLine& line, ResourceId lock) const;
    void check_wants(const JsonLine& line, const Event& event, bool again, Hold& hold) const;
    void check_grant(const JsonLine& line, const Event& event, Hold& hold);
    void check_leaving(const JsonLine& line, const Event& event, Hold& hold) const;
    void check_write(const JsonLine& line, event::Wrote& wrote, const Hold& hold) const;

    std::uint32_t clients_;
    std::uint32_t locks_;
    std::uint32_t met_ = 0;
    PerClient<Client> state_;
    std::uint64_t grants_ = 0;
    Instant last_;
    std::size_t last_line_ = 0;
};

}  // namespace locklab
