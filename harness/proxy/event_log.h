// Log of what went through the proxy: written as bytes at once, turned into words later.
//
// A record is an EventHead as it lies in memory, and then `kept` bytes of the frame; the file
// begins with kMagic. It can only be read on the machine that wrote it.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

enum class LinkMoment : std::uint8_t {
    opened,    ///< a client has connected
    request,   ///< a command has come from the client
    struck,    ///< a fault strikes the command
    released,  ///< a held frame goes on
    answer,    ///< an answer goes to the client
    push,      ///< the server sent something unasked, which goes to the client
    withheld,  ///< a frame of the server does not go to the client
    closed,    ///< its bytes say by whom
    refused,   ///< its bytes say why
    cut,       ///< the proxy ended the connection, as a fault
    delayed,   ///< an answer has come, and will go on later
};

struct EventHead {
    std::int64_t at_ns = 0;    ///< monotonic
    std::uint64_t number = 0;  ///< of the command on its connection, from 1; 0: none
    std::uint32_t size = 0;    ///< of the frame
    std::uint32_t kept = 0;    ///< bytes of it that follow
    std::uint32_t connection = 0;
    std::uint16_t link = 0;
    LinkMoment moment = LinkMoment::opened;
    std::uint8_t fault = 0;  ///< for `struck`: a LinkFault; its bytes: see note_strike()
};
static_assert(sizeof(EventHead) == 32);

class EventLog {
public:
    static constexpr std::string_view kMagic = "locklab-proxy-events-1\n";
    /// Most bytes of a frame that are kept.
    static constexpr std::size_t kMostKept = 4096;
    using Sink = std::function<void(std::string_view bytes)>;

    /// Without a sink nothing is kept.
    explicit EventLog(Sink sink = {});

    void add(EventHead head, std::string_view frame = {});
    bool keeps() const { return sink_ != nullptr; }
    /// Nothing is kept from now on.
    void stop();
    /// Bytes kept for the link.
    std::uint64_t kept_of(std::size_t link) const { return link < kept_.size() ? kept_[link] : 0; }
    /// Passes all bytes to the sink.
    void flush();

private:
    Sink sink_;
    std::string buffer_;
    std::vector<std::uint64_t> kept_;  ///< by link
};

struct LinkEvent {
    EventHead head;
    std::string bytes;
};

/// Throws std::invalid_argument with one sentence for anything but a log. A log that was cut off,
/// as by kill -9, ends with its last whole record.
class EventReader {
public:
    explicit EventReader(std::istream& in);
    std::optional<LinkEvent> next();

private:
    std::istream& in_;
};

/// One line without its end: "0.001204 link 0 connection 1 request 3: SET lock token NX PX 30000".
/// `since_ns` is time 0.
std::string to_string(const LinkEvent& event, std::int64_t since_ns);

}  // namespace locklab
