// The time that a message takes one way. Drawn as a quantile, so that pick 0 is the fastest and a
// replay needs only the pick.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "harness/core/choices.h"
#include "harness/core/time.h"

namespace locklab {

class Latency {
public:
    /// Messages take no time: all that is pending is due at once, in any order.
    static Latency instant() { return Latency(); }
    static Latency constant(Duration value);
    static Latency uniform(Duration least, Duration most);
    /// exp(N(ln median, sigma)), cut at the quantiles 1/514 and 513/514.
    static Latency log_normal(Duration median, double sigma);

    /// Reads "instant", "constant:200us", "uniform:50us-2ms" or "lognormal:100us,0.5".
    /// Throws std::invalid_argument with a sentence that says what would be right.
    static Latency parse(std::string_view text);

    Duration draw(Choices& choices) const {
        if (kind_ == Kind::fixed) return quantiles_[0];
        return between(choices.pick(ChoiceKind::latency, kQuantiles));
    }
    /// In the form that parse() reads.
    const std::string& name() const { return name_; }

private:
    static constexpr std::uint32_t kSteps = 256;
    enum class Kind : std::uint8_t { fixed, drawn };

    /// Interpolates linearly between the quantiles i / kSteps.
    Duration between(std::uint32_t pick) const;

    Kind kind_ = Kind::fixed;
    std::array<Duration, kSteps + 1> quantiles_{};
    std::string name_ = "instant";
};

}  // namespace locklab
