#include "harness/proxy/event_log.h"

#include <gtest/gtest.h>

#include <sstream>

#include "harness/proxy/link_fault.h"

namespace locklab::event_log_test {
namespace {

std::string logged(std::string_view frame, LinkMoment moment = LinkMoment::request) {
    std::string bytes;
    EventLog log([&](std::string_view some) { bytes.append(some); });
    EventHead head;
    head.at_ns = 1'500'000;
    head.number = 3;
    head.link = 1;
    head.connection = 2;
    head.moment = moment;
    head.fault = static_cast<std::uint8_t>(LinkFault::lose_reply);
    log.add(head, frame);
    log.flush();
    return bytes;
}

TEST(EventLog, is_read_back_and_told_in_words) {
    std::istringstream in(logged("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\n\n\x01v\r\n"));
    EventReader reader(in);
    const std::optional<LinkEvent> event = reader.next();
    ASSERT_TRUE(event);
    EXPECT_EQ(event->head.number, 3U);
    EXPECT_EQ(to_string(*event, 500'000),
              "0.001000 link 1 connection 2 request 3: SET k \\n\\x01v");
    EXPECT_FALSE(reader.next());
}

TEST(EventLog, names_the_fault_that_strikes) {
    std::istringstream in(logged("", LinkMoment::struck));
    EXPECT_EQ(to_string(*EventReader(in).next(), 500'000),
              "0.001000 link 1 connection 2 struck 3: lose_reply");
}

TEST(EventLog, keeps_so_much_of_a_frame) {
    const std::string frame(100'000, 'x');
    std::istringstream in(logged(frame));
    const LinkEvent event = *EventReader(in).next();
    EXPECT_EQ(event.head.size, frame.size());
    EXPECT_EQ(event.bytes, frame.substr(0, EventLog::kMostKept));
}

TEST(EventLog, ends_with_its_last_whole_record) {
    const std::string whole = logged("+OK\r\n") + logged("+OK\r\n").substr(EventLog::kMagic.size());
    for (std::size_t size = EventLog::kMagic.size(); size <= whole.size(); ++size) {
        std::istringstream in(whole.substr(0, size));
        EventReader reader(in);
        std::size_t events = 0;
        while (reader.next()) ++events;
        EXPECT_EQ(events, (size - EventLog::kMagic.size()) / (sizeof(EventHead) + 5));
    }
}

TEST(EventLog, refuses_what_is_none) {
    std::istringstream nothing("hello");
    EXPECT_THROW(EventReader{nothing}, std::invalid_argument);
    std::string broken = logged("");
    broken[EventLog::kMagic.size() + offsetof(EventHead, kept) + 2] = 'x';
    std::istringstream in(broken);
    EventReader reader(in);
    EXPECT_THROW(reader.next(), std::invalid_argument);
}

}  // namespace
}  // namespace locklab::event_log_test
