#include "harness/sim/latency.h"

#include <cmath>
#include <stdexcept>

#include "harness/core/duration_text.h"

namespace locklab {

namespace {

/// The inverse of the standard normal distribution function, by bisection of erfc: exact enough
/// that the microseconds are equal with every library.
double normal_quantile(double p) {
    double low = -10;
    double high = 10;
    for (int i = 0; i < 80; ++i) {
        const double middle = (low + high) / 2;
        (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
    }
    return low;
}

[[noreturn]] void refuse(std::string_view text) {
    throw std::invalid_argument("'" + std::string(text) +
                                "' is no latency; right would be instant, constant:200us, "
                                "uniform:50us-2ms or lognormal:100us,0.5");
}

Duration duration_of(std::string_view whole, std::string_view part) {
    const auto duration = parse_duration(part);
    if (!duration) refuse(whole);
    return *duration;
}

}  // namespace

Latency Latency::constant(Duration value) {
    Latency latency;
    latency.quantiles_.fill(value);
    latency.name_ = "constant:" + to_string(value);
    return latency;
}

Latency Latency::uniform(Duration least, Duration most) {
    Latency latency;
    latency.kind_ = Kind::drawn;
    for (std::uint32_t i = 0; i <= kSteps; ++i) {
        latency.quantiles_[i] = least + (most - least) * i / kSteps;
    }
    latency.name_ = "uniform:" + to_string(least) + "-" + to_string(most);
    return latency;
}

Latency Latency::log_normal(Duration median, double sigma) {
    Latency latency;
    latency.kind_ = Kind::drawn;
    for (std::uint32_t i = 0; i <= kSteps; ++i) {
        const double p = (i + 0.5) / (kSteps + 1.0);
        const double factor = std::exp(sigma * normal_quantile(p));
        latency.quantiles_[i] = Duration(std::llround(static_cast<double>(us(median)) * factor));
    }
    latency.name_ = "lognormal:" + to_string(median) + "," + std::to_string(sigma);
    while (latency.name_.ends_with("0")) latency.name_.pop_back();
    return latency;
}

Latency Latency::parse(std::string_view text) {
    if (text == "instant") return instant();
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) refuse(text);
    const std::string_view kind = text.substr(0, colon);
    const std::string_view rest = text.substr(colon + 1);
    if (kind == "constant") return constant(duration_of(text, rest));
    if (kind == "uniform") {
        const std::size_t dash = rest.find('-');
        if (dash == std::string_view::npos) refuse(text);
        const Duration least = duration_of(text, rest.substr(0, dash));
        const Duration most = duration_of(text, rest.substr(dash + 1));
        if (least > most) refuse(text);
        return uniform(least, most);
    }
    if (kind == "lognormal") {
        const std::size_t comma = rest.find(',');
        if (comma == std::string_view::npos) refuse(text);
        const std::string sigma(rest.substr(comma + 1));
        std::size_t used = 0;
        double value = -1;
        try {
            value = std::stod(sigma, &used);
        } catch (const std::exception&) {
            refuse(text);
        }
        if (used != sigma.size() || !(value >= 0 && value <= 3)) refuse(text);
        return log_normal(duration_of(text, rest.substr(0, comma)), value);
    }
    refuse(text);
}

Duration Latency::between(std::uint32_t pick) const {
    const std::uint32_t width = kQuantiles / kSteps;
    const std::uint32_t step = pick / width;
    const Duration below = quantiles_[step];
    const Duration above = quantiles_[step + 1];
    return below + (above - below) * (pick % width) / width;
}

}  // namespace locklab
