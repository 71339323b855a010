#include "harness/proxy/event_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <istream>
#include <stdexcept>
#include <utility>

#include "harness/core/printable.h"
#include "harness/proxy/link_fault.h"

namespace locklab {

namespace {

constexpr std::size_t kFlushAt = 65'536;
constexpr std::array<std::string_view, 11> kMomentNames{
    "opened",   "request",   "struck",  "released", "answer", "push",
    "withheld", "closed by", "refused", "cut",      "delayed"};

/// Texts and lines one after the other, without arrays and lengths.
std::string values_of(std::string_view frame) {
    std::string values;
    while (!frame.empty()) {
        const std::size_t end = std::min(frame.find("\r\n"), frame.size());
        std::string_view value = frame.substr(0, end);
        frame.remove_prefix(std::min(end + 2, frame.size()));
        const char type = value.empty() ? '\0' : value.front();
        if (type == '*' || type == '>' || type == '%' || type == '~' || type == '|') continue;
        if (type == '$' && value != "$-1") {
            std::size_t size = 0;
            std::from_chars(value.data() + 1, value.data() + value.size(), size);
            value = frame.substr(0, size);
            frame.remove_prefix(std::min(size, frame.size()));
            frame.remove_prefix(std::min<std::size_t>(2, frame.size()));
        }
        values.append(values.empty() ? "" : " ").append(value);
    }
    return values;
}

}  // namespace

EventLog::EventLog(Sink sink) : sink_(std::move(sink)) {
    if (sink_) buffer_ = kMagic;
}

void EventLog::add(EventHead head, std::string_view frame) {
    if (!sink_) return;
    head.size = static_cast<std::uint32_t>(frame.size());
    head.kept = static_cast<std::uint32_t>(std::min(frame.size(), kMostKept));
    buffer_.append(reinterpret_cast<const char*>(&head), sizeof head);
    buffer_.append(frame.substr(0, head.kept));
    if (kept_.size() <= head.link) kept_.resize(head.link + std::size_t{1});
    kept_[head.link] += sizeof head + head.kept;
    if (buffer_.size() >= kFlushAt) flush();
}

void EventLog::flush() {
    if (!sink_ || buffer_.empty()) return;
    sink_(buffer_);
    buffer_.clear();
}

void EventLog::stop() {
    sink_ = nullptr;
    buffer_ = {};
}

EventReader::EventReader(std::istream& in) : in_(in) {
    std::string magic(EventLog::kMagic.size(), '\0');
    in_.read(magic.data(), static_cast<std::streamsize>(magic.size()));
    if (magic != EventLog::kMagic) {
        throw std::invalid_argument(
            "this is no file of a proxy's events; right would be one that locklab proxy --events "
            "wrote");
    }
}

std::optional<LinkEvent> EventReader::next() {
    LinkEvent event;
    if (!in_.read(reinterpret_cast<char*>(&event.head), sizeof event.head)) return std::nullopt;
    const bool known = event.head.kept <= EventLog::kMostKept &&
                       static_cast<std::size_t>(event.head.moment) < kMomentNames.size() &&
                       event.head.fault < kLinkFaults.size();
    if (!known) throw std::invalid_argument("an event of the proxy's file is broken");
    event.bytes.resize(event.head.kept);
    if (!in_.read(event.bytes.data(), event.head.kept)) return std::nullopt;
    return event;
}

std::string to_string(const LinkEvent& event, std::int64_t since_ns) {
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%.6f",
                  static_cast<double>(event.head.at_ns - since_ns) / 1e9);
    std::string line(seconds.data());
    line += " link " + std::to_string(event.head.link) + " connection " +
            std::to_string(event.head.connection) + " " +
            std::string(kMomentNames[static_cast<std::size_t>(event.head.moment)]);
    if (event.head.number != 0) line += " " + std::to_string(event.head.number);
    if (event.head.moment == LinkMoment::struck) {
        line += ": " + std::string(kLinkFaults[event.head.fault].name);
    } else if (event.head.kept > 0) {
        line += ": " + printable(values_of(event.bytes));
    }
    return line;
}

}  // namespace locklab
