#include "harness/sim/latency.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/core/random_choices.h"

namespace locklab::latency_test {
namespace {

/// Picks one quantile, whatever is asked, and counts how often it is.
class OneQuantile final : public Choices {
public:
    explicit OneQuantile(std::uint32_t quantile) : quantile_(quantile) {}
    std::uint32_t pick(ChoiceKind kind, std::uint32_t count) override {
        EXPECT_EQ(kind, ChoiceKind::latency);
        EXPECT_EQ(count, kQuantiles);
        ++asked;
        return quantile_;
    }
    int asked = 0;

private:
    std::uint32_t quantile_;
};

std::int64_t drawn(const char* text, double quantile) {
    OneQuantile choices(static_cast<std::uint32_t>(quantile * kQuantiles));
    return us(Latency::parse(text).draw(choices));
}

TEST(LatencyTest, what_is_fixed_asks_for_no_choice) {
    for (const char* text : {"instant", "constant:200us"}) {
        OneQuantile choices(0);
        const std::int64_t time = us(Latency::parse(text).draw(choices));
        EXPECT_EQ(time, std::string(text) == "instant" ? 0 : 200);
        EXPECT_EQ(choices.asked, 0);
    }
}

TEST(LatencyTest, uniform_goes_from_end_to_end) {
    EXPECT_EQ(drawn("uniform:100us-1124us", 0), 100);
    EXPECT_EQ(drawn("uniform:100us-1124us", 0.25), 356);
    EXPECT_EQ(drawn("uniform:100us-1124us", 0.5), 612);
    EXPECT_EQ(drawn("uniform:100us-1124us", 65'535.0 / 65'536), 1123);
    EXPECT_EQ(drawn("uniform:5ms-5ms", 0.7), 5000);
}

/// The quantiles are those of another implementation of the normal distribution.
TEST(LatencyTest, log_normal_has_its_median_and_its_tails) {
    EXPECT_EQ(drawn("lognormal:500us,1", 0), 28);
    EXPECT_EQ(drawn("lognormal:500us,1", 0.25), 255);
    EXPECT_EQ(drawn("lognormal:500us,1", 0.5), 500);
    EXPECT_EQ(drawn("lognormal:500us,1", 0.75), 979);
    EXPECT_LE(drawn("lognormal:500us,1", 65'535.0 / 65'536), 8968);
    EXPECT_GT(drawn("lognormal:500us,1", 65'535.0 / 65'536), 8900);
    EXPECT_EQ(drawn("lognormal:200us,0.5", 0), 47);
    EXPECT_EQ(drawn("lognormal:200us,0", 0.9), 200);
}

TEST(LatencyTest, a_later_quantile_is_never_shorter) {
    for (const char* text : {"uniform:50us-2ms", "lognormal:500us,1", "lognormal:1us,3"}) {
        std::int64_t last = 0;
        for (double quantile = 0; quantile < 1; quantile += 0.001) {
            EXPECT_GE(drawn(text, quantile), last) << text << " at " << quantile;
            last = drawn(text, quantile);
        }
    }
}

TEST(LatencyTest, names_itself_as_it_is_read) {
    for (const char* text : {"instant", "constant:200us", "uniform:50us-2ms", "lognormal:500us,1",
                             "lognormal:100us,0.5", "lognormal:1.5ms,0.25", "lognormal:1ms,3"}) {
        const std::string name = Latency::parse(text).name();
        const Latency again = Latency::parse(name);
        EXPECT_EQ(again.name(), name) << text;
        RandomChoices one(5);
        RandomChoices other(5);
        for (int i = 0; i < 100; ++i) {
            ASSERT_EQ(Latency::parse(text).draw(one), again.draw(other)) << text;
        }
    }
    EXPECT_EQ(Latency::parse("constant:0.2ms").name(), "constant:200us");
    EXPECT_EQ(Latency::parse("lognormal:100us,0.50").name(), "lognormal:100us,0.5");
}

TEST(LatencyTest, rejects_what_it_cannot_read) {
    for (const char* text : {"",
                             "fast",
                             "instant:",
                             "constant",
                             "constant:",
                             "constant:200",
                             "constant:-1us",
                             "uniform:1ms",
                             "uniform:2ms-1ms",
                             "uniform:-1ms",
                             "uniform:1ms-",
                             "lognormal:1ms",
                             "lognormal:1ms,",
                             "lognormal:1ms,-1",
                             "lognormal:1ms,3.1",
                             "lognormal:1ms,nan",
                             "lognormal:1ms,1x",
                             "lognormal:,1",
                             "Instant",
                             "constant:200us "}) {
        try {
            Latency::parse(text);
            ADD_FAILURE() << "read " << text;
        } catch (const std::invalid_argument& error) {
            EXPECT_EQ(std::string(error.what()),
                      "'" + std::string(text) +
                          "' is no latency; right would be instant, constant:200us, "
                          "uniform:50us-2ms or lognormal:100us,0.5");
        }
    }
}

}  // namespace
}  // namespace locklab::latency_test
