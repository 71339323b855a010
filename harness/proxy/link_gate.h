// A gate of the proxy: its owner sees each command and each answer of the links that it chooses,
// and decides when each goes on, or what strikes it. It does not deal with time.
//
// 1. A held frame holds back all later ones of its way; each way has at most one.
// 2. Rules strike first: a command that a rule struck is not held. Its answer may be, even if its
// client will not get it: so the gate knows which commands have run.
// 3. A frame is held until FaultProxy::go_on() is called for it, or its connection is over.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/core/time.h"

namespace locklab {

/// Delay of a command that the gate holds once more, or repeats later.
inline constexpr Duration kUntilTold = Duration::max();

/// Direction on a connection.
enum class LinkWay : std::uint8_t { request, reply };

/// A frame at the gate.
struct AtGate {
    std::uint16_t link = 0;
    std::uint32_t connection = 0;
    /// Of the command on its connection, from 1, also for its answer; 0: an unasked message of the
    /// server.
    std::uint64_t number = 0;
    LinkWay way = LinkWay::request;
    /// Valid during the call only.
    std::string_view frame;
};

/// Called from inside the proxy, which must not be called back.
class LinkGate {
public:
    /// Whether to hold this frame.
    virtual bool holds(const AtGate& at) = 0;
    /// The client has closed the connection, or is gone. Its earlier commands may still be held,
    /// and go on as told.
    virtual void left(std::uint16_t link, std::uint32_t connection) = 0;
    /// The connection is over. Held frames are lost.
    virtual void over(std::uint16_t link, std::uint32_t connection) = 0;

protected:
    ~LinkGate() = default;
};

}  // namespace locklab
