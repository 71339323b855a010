// What comes to the gate of a proxy that runs in a thread of its own, in its order, for who says
// what becomes of it.
//
// Held are the commands that name the lock's key, and their answers (or all of them): what a
// library says to open a connection, or to look for a script, goes through, and so does what is
// about a channel. Of a transaction EXEC is held, if some command of it names the key. Until the
// gate is closed nothing is held.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/proxy/link_gate.h"

namespace locklab {

class GateInbox final : public LinkGate {
public:
    struct News {
        enum class Kind : std::uint8_t { request, reply, left, over };
        Kind kind = Kind::request;
        std::uint16_t link = 0;
        std::uint32_t connection = 0;
        std::uint64_t number = 0;  ///< of the command on its connection
        std::string frame{};
        /// Of EXEC: what came before it, from MULTI on, each with its number.
        std::vector<std::pair<std::uint64_t, std::string>> queued{};
    };

    /// In the place of the key: all commands are held.
    static constexpr const char* kEveryCommand = "";

    explicit GateInbox(std::string key) : key_(std::move(key)) {}

    void close_gate();
    /// The answer to this command is held too.
    void expect(std::uint32_t connection, std::uint64_t number);
    /// The next one, if there is one.
    std::optional<News> take();

    bool holds(const AtGate& at) override;
    void left(std::uint16_t link, std::uint32_t connection) override;
    void over(std::uint16_t link, std::uint32_t connection) override;

private:
    using Queue = std::vector<std::pair<std::uint64_t, std::string>>;

    bool is_to_be_held(const AtGate& at, Queue& queued);

    const std::string key_;
    std::mutex mutex_;
    bool closed_ = false;
    std::deque<News> news_;
    /// Commands that were held, whose answers are to be: connection and number.
    std::set<std::pair<std::uint32_t, std::uint64_t>> held_;
    std::map<std::uint32_t, Queue> queues_;  ///< of connections within a transaction
};

}  // namespace locklab
