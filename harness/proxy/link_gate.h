// A gate of the proxy: whoever keeps it is shown each command and each answer of the links that it
// chooses, and says of each when it goes on, or what strikes it. It knows nothing of time.
//
// 1. What is held holds back all that comes after it on its way; each way has one that is held.
// 2. Rules strike first: a command that a rule struck is not held. Its answer may be, whether its
//    client is to have it or not: so the gate knows what has run.
// 3. What is held is held until FaultProxy::go_on() is called for it, or its connection is over.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/core/time.h"

namespace locklab {

/// How long a command is late that is held at the gate once more, or comes again from there.
inline constexpr Duration kUntilTold = Duration::max();

/// Which direction of a connection.
enum class LinkWay : std::uint8_t { request, reply };

/// What has come to the gate.
struct AtGate {
    std::uint16_t link = 0;
    std::uint32_t connection = 0;
    /// Of the command on its connection, from 1, also where it is its answer; 0: what the server
    /// says unasked.
    std::uint64_t number = 0;
    LinkWay way = LinkWay::request;
    /// Good during the call only.
    std::string_view frame;
};

/// It is told from inside the proxy, which must not be called from there.
class LinkGate {
public:
    /// Whether this is held.
    virtual bool holds(const AtGate& at) = 0;
    /// Its client says no more: it has closed the connection, or is gone. What it said before may
    /// still be held, and goes on as it is told to.
    virtual void left(std::uint16_t link, std::uint32_t connection) = 0;
    /// The connection is over. What was held there is lost.
    virtual void over(std::uint16_t link, std::uint32_t connection) = 0;

protected:
    ~LinkGate() = default;
};

}  // namespace locklab
