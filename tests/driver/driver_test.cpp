// Whatever a driver does, it ends as one sentence, and nothing of it is left.

#include "harness/driver/driver.h"

#include "tests/driver/shell_driver.h"

namespace locklab::driver_test {
namespace {

constexpr Duration kLong = std::chrono::seconds(20);
const std::string kStep = R"({"id":1,"called_us":1,"answered_us":2,"ok":true,"lost":false})";

/// What comes of asking it for a step, until it fails; then it is gone.
std::string failure_of(const std::string& script) {
    Driver driver("x", shell(script));
    const pid_t pid = driver.process().pid();
    driver.ask(DriverOp::step);
    for (int i = 0; i < 2000; ++i) {
        const DriverWord word = driver.hear(kLong);
        const auto* failure = std::get_if<DriverFailure>(&word);
        if (failure == nullptr) continue;
        expect_gone(pid);
        const DriverWord again = driver.hear(kLong);
        EXPECT_EQ(std::get<DriverFailure>(again).sentence, failure->sentence);
        return failure->sentence;
    }
    return "";
}

TEST(Driver, answers_what_it_is_asked) {
    Driver driver("x", shell("read line; echo '" + kStep + "'; read line"));
    EXPECT_EQ(driver.ask(DriverOp::step), 1U);
    const DriverWord word = driver.hear(kLong);
    ASSERT_TRUE(std::holds_alternative<DriverAnswer>(word));
    EXPECT_EQ(std::get<DriverAnswer>(word).yes, true);
    EXPECT_EQ(driver.finish(kLong), "");
}

TEST(Driver, one_that_dies) {
    EXPECT_EQ(failure_of("read line; echo 'ImportError: no lock' >&2; exit 1"),
              "The driver of x ended with code 1; it said last: ImportError: no lock");
    EXPECT_EQ(failure_of("kill -9 $$"), "The driver of x was killed by signal 9.");
    EXPECT_EQ(failure_of("sleep 1000 & exit 0"), "The driver of x ended with code 0.");
}

TEST(Driver, one_that_hangs_is_silent_and_is_killed_in_the_end) {
    Driver driver("x", shell("sleep 1000"));
    const pid_t pid = driver.process().pid();
    driver.ask(DriverOp::acquire);
    const DriverWord word = driver.hear(std::chrono::milliseconds(50));
    EXPECT_TRUE(std::holds_alternative<DriverSilence>(word)) << "no answer is an answer";
    EXPECT_EQ(driver.finish(std::chrono::milliseconds(50)), "The driver of x does not end.");
    expect_gone(pid);
}

TEST(Driver, one_that_never_stops_talking_does_not_end) {
    Driver driver("x", shell("yes '{\"ev\":\"lost\"}'"));
    EXPECT_EQ(driver.finish(std::chrono::milliseconds(200)), "The driver of x does not end.");
}

TEST(Driver, one_that_lies) {
    EXPECT_EQ(failure_of("echo '{\"id\":7,\"called_us\":1,\"answered_us\":2}'; sleep 1000"),
              "The driver of x speaks nonsense (the driver of x:1: it answers 7, which nobody "
              "asked).");
    EXPECT_NE(failure_of("read line; echo '" + kStep + "'; echo '" + kStep + "'; sleep 1000")
                  .find("which was answered before"),
              std::string::npos);
}

TEST(Driver, one_that_floods) {
    EXPECT_EQ(failure_of("yes '{\"ev\":\"lost\"}'"),
              "The driver of x says more than anybody can want to know.");
    EXPECT_EQ(failure_of("yes | tr -d '\\n'"),
              "The driver of x says a line of more than 1,000,000 bytes.");
}

TEST(Driver, one_that_speaks_nonsense) {
    EXPECT_NE(failure_of("echo hello; sleep 1000").find("it is not JSON from column 1 on"),
              std::string::npos);
    EXPECT_NE(failure_of("echo; sleep 1000").find("the line is empty"), std::string::npos);
    EXPECT_NE(failure_of("printf '\\377\\n'; sleep 1000").find("speaks nonsense"),
              std::string::npos);
    EXPECT_NE(failure_of("yes [ | head -n 10000 | tr -d '\\n'; echo; sleep 1000")
                  .find("it is nested more than 16 deep"),
              std::string::npos);
}

TEST(Driver, one_that_closes_its_stdout) {
    EXPECT_EQ(failure_of("exec >&-; sleep 1000"), "The driver of x closed its stdout.");
}

TEST(Driver, one_that_does_not_read) {
    Driver driver("x", shell("sleep 1000"));
    for (int i = 0; i < 2000; ++i) driver.ask(DriverOp::step);
    const DriverWord word = driver.hear(Duration::zero());
    EXPECT_EQ(std::get<DriverFailure>(word).sentence,
              "The driver of x does not read what it is told.");
}

}  // namespace
}  // namespace locklab::driver_test
