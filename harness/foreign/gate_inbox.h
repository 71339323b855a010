// Frames that come to the gate of a proxy in another thread, in order, for the owner who decides
// what becomes of them.
//
// It holds the commands that name the lock's key, and their answers (or all of them). Commands that
// a library sends to open a connection or to look for a script go through, and so do commands about
// a channel. Of a transaction EXEC is held, if one of its commands names the key. Nothing is held
// until the gate is closed.
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
        /// With EXEC: the commands before it, from MULTI on, each with its number.
        std::vector<std::pair<std::uint64_t, std::string>> queued{};
    };

    /// Instead of a key: hold all commands.
    static constexpr const char* kEveryCommand = "";

    explicit GateInbox(std::string key) : key_(std::move(key)) {}

    void close_gate();
    /// Hold the answer to this command too.
    void expect(std::uint32_t connection, std::uint64_t number);
    /// The first command that changes a server, before the gate was closed too.
    struct Changer {
        std::uint16_t link = 0;
        std::string frame{};
    };
    /// Nothing: none came.
    std::optional<Changer> changer();
    /// The next news; nothing: there is none.
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
    std::optional<Changer> changer_;
    std::deque<News> news_;
    /// Commands whose answers are to be held: connection and number.
    std::set<std::pair<std::uint32_t, std::uint64_t>> held_;
    std::map<std::uint32_t, Queue> queues_;  ///< open transactions by connection
};

}  // namespace locklab
