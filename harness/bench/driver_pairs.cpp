#include "harness/bench/driver_pairs.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "harness/bench/statistics.h"

namespace locklab {

namespace {

using Clock = std::chrono::steady_clock;

double took_us(const DriverAnswer& answer) {
    return static_cast<double>(us(answer.answered - answer.called));
}

}  // namespace

double PairTimes::percentile_us(double p) const {
    std::vector<double> sorted = all_;
    std::sort(sorted.begin(), sorted.end());
    return percentile(sorted, p);
}

double PairTimes::per_s() const { return sum_ > 0 ? 1e6 * static_cast<double>(count()) / sum_ : 0; }

DriverAnswer DriverPairs::ask(DriverOp op, const nlohmann::ordered_json& more) {
    DriverAnswer answer = Team::ask(driver_, op, more);
    const bool is_done = answer.error.empty() && (answer.yes == true || op == DriverOp::release);
    if (is_done && answer.yes != false) return answer;
    throw DriverTrouble(
        "The driver of " + driver_.name() +
        (op == DriverOp::acquire ? " cannot take a free lock" : " cannot release its lock") +
        (answer.error.empty() ? "" : ": " + answer.error) + ".");
}

double DriverPairs::pair_us() {
    const double taken = took_us(ask(DriverOp::acquire, {{"wait_ms", 0}}));
    return taken + took_us(ask(DriverOp::release));
}

void DriverPairs::run_for(Duration window, PairTimes& times) {
    const Clock::time_point end = Clock::now() + window;
    do times.add(pair_us());
    while (Clock::now() < end);
}

}  // namespace locklab
