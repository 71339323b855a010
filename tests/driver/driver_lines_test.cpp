#include "harness/driver/driver_lines.h"

#include <gtest/gtest.h>

#include "harness/record/json_line.h"

namespace locklab::driver_lines_test {
namespace {

class DriverLinesTest : public ::testing::Test {
protected:
    DriverAnswer answer(DriverOp op, const std::string& rest) {
        lines_.ask(op);
        return std::get<DriverAnswer>(lines_.read(line(lines_.asked(), rest)));
    }
    /// With times that go on.
    std::string line(std::uint64_t id, const std::string& rest) {
        now_ += 10;
        return R"({"id":)" + std::to_string(id) + R"(,"called_us":)" + std::to_string(now_) +
               R"(,"answered_us":)" + std::to_string(now_ + 5) + (rest.empty() ? "" : ",") + rest +
               "}";
    }
    std::string complaint(const std::string& text) {
        try {
            lines_.read(text);
            return "";
        } catch (const FormatError& error) {
            return error.what();
        }
    }

    DriverLines lines_{"the driver of x"};
    std::uint64_t now_ = 0;
};

TEST_F(DriverLinesTest, a_question_has_a_number_and_what_it_takes) {
    EXPECT_EQ(lines_.ask(DriverOp::hello), "{\"id\":1,\"op\":\"hello\"}\n");
    EXPECT_EQ(lines_.ask(DriverOp::acquire, {{"wait_ms", 0}}),
              "{\"id\":2,\"op\":\"acquire\",\"wait_ms\":0}\n");
    EXPECT_EQ(lines_.waiting(), 2U);
}

TEST_F(DriverLinesTest, a_hello_tells_what_the_library_does) {
    const DriverTraits traits =
        answer(DriverOp::hello,
               R"("library":"redis-py","version":"5.0.1","nodes":"many","waits":true,)"
               R"("renews":false,"extends":true,"tells":false,"fences":true)")
            .traits;
    EXPECT_EQ(traits.library, "redis-py");
    EXPECT_TRUE(traits.many_nodes && traits.waits && traits.extends && traits.fences);
    EXPECT_FALSE(traits.renews || traits.tells);
}

TEST_F(DriverLinesTest, each_operation_has_its_answer) {
    const DriverAnswer granted =
        answer(DriverOp::acquire, R"("granted":true,"token":"t","valid_ms":250,"fence":7)");
    EXPECT_EQ(granted.yes, true);
    EXPECT_EQ(granted.token, "t");
    EXPECT_EQ(granted.valid, std::chrono::milliseconds(250));
    EXPECT_EQ(granted.fence, 7U);
    const auto valid = [&](const std::string& ms) {
        return answer(DriverOp::acquire, "\"granted\":true,\"valid_ms\":" + ms).valid;
    };
    EXPECT_EQ(valid("-3"), std::chrono::milliseconds(-3));
    EXPECT_EQ(valid("null"), std::nullopt);
    EXPECT_EQ(granted.answered - granted.called, std::chrono::microseconds(5));
    EXPECT_EQ(answer(DriverOp::acquire, R"("granted":false)").yes, false);
    const DriverAnswer step = answer(DriverOp::step, R"("ok":true,"lost":true)");
    EXPECT_EQ(step.yes, true);
    EXPECT_TRUE(step.lost);
    EXPECT_EQ(answer(DriverOp::extend, R"("extended":true)").yes, true);
    EXPECT_EQ(answer(DriverOp::release, R"("released":false)").yes, false);
    EXPECT_EQ(answer(DriverOp::release, R"("released":null)").yes, std::nullopt);
    EXPECT_EQ(answer(DriverOp::open, "").op, DriverOp::open);
    const DriverAnswer error = answer(DriverOp::acquire, R"("error":"a\u001b","definite":false)");
    EXPECT_EQ(error.error, "a\\x1b");
    EXPECT_EQ(error.yes, std::nullopt);
    EXPECT_FALSE(error.definite);
}

TEST_F(DriverLinesTest, events_come_at_any_time) {
    const auto event = std::get<DriverEvent>(lines_.read(R"({"ev":"crash","what":"boom"})"));
    EXPECT_EQ(event.kind, DriverEvent::Kind::crash);
    EXPECT_EQ(event.what, "boom");
}

TEST_F(DriverLinesTest, answers_may_come_late_and_in_any_order) {
    lines_.ask(DriverOp::acquire);
    lines_.ask(DriverOp::step);
    EXPECT_EQ(std::get<DriverAnswer>(lines_.read(line(2, R"("ok":true,"lost":false)"))).id, 2U);
    EXPECT_EQ(std::get<DriverAnswer>(lines_.read(line(1, R"("granted":true)"))).op,
              DriverOp::acquire);
}

/// The try is answered, and nothing else.
TEST_F(DriverLinesTest, a_cancelled_call_has_one_answer) {
    lines_.ask(DriverOp::acquire);
    EXPECT_EQ(DriverLines::cancel(lines_.asked()), "{\"id\":1,\"op\":\"cancel\"}\n");
    EXPECT_EQ(lines_.waiting(), 1U);
    const std::string cancelled = line(1, R"("error":"cancelled","definite":false)");
    EXPECT_EQ(std::get<DriverAnswer>(lines_.read(cancelled)).error, "cancelled");
    EXPECT_EQ(lines_.waiting(), 0U);
}

TEST_F(DriverLinesTest, lies_and_nonsense_are_one_sentence) {
    lines_.ask(DriverOp::acquire);
    EXPECT_EQ(complaint("hello"),
              "the driver of x:1: it is not JSON from column 1 on; every line is one whole JSON "
              "object");
    EXPECT_EQ(complaint(line(9, R"("granted":true)")),
              "the driver of x:2: it answers 9, which nobody asked");
    EXPECT_EQ(complaint(line(1, R"("granted":"yes")")),
              "the driver of x:3: 'granted' is '\"yes\"', not true or false");
    lines_.ask(DriverOp::acquire);
    EXPECT_NE(complaint(line(2, R"("grantd":true)")).find("is 'grantd' meant?"), std::string::npos);
    EXPECT_NE(complaint(R"({"ev":"gone"})").find("unknown ev 'gone'"), std::string::npos);
    lines_.ask(DriverOp::step);
    EXPECT_NE(complaint(line(3, R"("ok":true,"lost":false,"more":1)")).find("'more'"),
              std::string::npos);
}

TEST_F(DriverLinesTest, a_validity_is_whole_milliseconds) {
    lines_.ask(DriverOp::step);
    EXPECT_NE(complaint(line(1, R"("ok":true,"lost":false,"valid_ms":0.5)"))
                  .find("'valid_ms' is 0.5; right would be milliseconds"),
              std::string::npos);
}

TEST_F(DriverLinesTest, nothing_is_answered_twice) {
    lines_.ask(DriverOp::acquire);
    EXPECT_EQ(complaint(line(1, R"("granted":true)")), "");
    EXPECT_EQ(complaint(line(1, R"("granted":false)")),
              "the driver of x:2: it answers 1, which was answered before");
}

TEST_F(DriverLinesTest, time_does_not_go_back) {
    lines_.ask(DriverOp::step);
    lines_.ask(DriverOp::step);
    const std::string later = line(1, R"("ok":true,"lost":false)");
    EXPECT_EQ(complaint(later), "");
    now_ = 0;
    EXPECT_NE(complaint(line(2, R"("ok":true,"lost":false)")).find("its time goes back"),
              std::string::npos);
    lines_.ask(DriverOp::step);
    EXPECT_NE(complaint(R"({"id":3,"called_us":90,"answered_us":80,"ok":true,"lost":false})")
                  .find("its time goes back"),
              std::string::npos);
}

/// It would count as none.
TEST_F(DriverLinesTest, a_fence_of_zero_is_refused) {
    lines_.ask(DriverOp::acquire);
    const std::string said = complaint(line(lines_.asked(), R"("granted":true,"fence":0)"));
    EXPECT_NE(said.find("'fence' is 0"), std::string::npos) << said;
}

}  // namespace
}  // namespace locklab::driver_lines_test
