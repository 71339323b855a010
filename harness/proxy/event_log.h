// What went through the proxy, written as bytes at once and made into words later.
//
// A record is an EventHead as it lies in memory, and then `kept` bytes of the frame; the file
// begins with kMagic. It is read on the machine that wrote it.
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
    opened,    ///< a client has come
    request,   ///< a command has come from the client
    struck,    ///< a fault strikes it
    released,  ///< what was held back goes on
    answer,    ///< an answer goes to the client
    push,      ///< the server said something unasked, which goes to the client
    withheld,  ///< what the server said does not go to the client
    closed,    ///< by whom, its bytes say
    refused,   ///< its bytes say why
    cut,       ///< the proxy ended the connection, for a fault
    delayed,   ///< an answer has come, which goes on later
};

struct EventHead {
    std::int64_t at_ns = 0;    ///< monotonic
    std::uint64_t number = 0;  ///< of the command on its connection, from 1; 0: of none
    std::uint32_t size = 0;    ///< of the frame
    std::uint32_t kept = 0;    ///< bytes of it that follow
    std::uint32_t connection = 0;
    std::uint16_t link = 0;
    LinkMoment moment = LinkMoment::opened;
    std::uint8_t fault = 0;  ///< of `struck`: a LinkFault
};
static_assert(sizeof(EventHead) == 32);

class EventLog {
public:
    static constexpr std::string_view kMagic = "locklab-proxy-events-1\n";
    /// So much of a frame is kept.
    static constexpr std::size_t kMostKept = 4096;
    using Sink = std::function<void(std::string_view bytes)>;

    /// Without a sink nothing is kept.
    explicit EventLog(Sink sink = {});

    void add(EventHead head, std::string_view frame = {});
    bool keeps() const { return sink_ != nullptr; }
    /// From here on nothing is kept.
    void stop();
    /// Of the link, in bytes.
    std::uint64_t kept_of(std::size_t link) const { return link < kept_.size() ? kept_[link] : 0; }
    /// Hands everything to the sink.
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

/// Throws std::invalid_argument with one sentence for what is no log. A log that was cut off, as by
/// kill -9, ends with its last whole record.
class EventReader {
public:
    explicit EventReader(std::istream& in);
    std::optional<LinkEvent> next();

private:
    std::istream& in_;
};

/// One line without its end: "0.001204 link 0 connection 1 request 3: SET lock token NX PX 30000".
/// `since_ns` is the beginning of time.
std::string to_string(const LinkEvent& event, std::int64_t since_ns);

}  // namespace locklab
