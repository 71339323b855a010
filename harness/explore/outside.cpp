#include "harness/explore/outside.h"

#include "harness/check/judge.h"
#include "harness/explore/sim_run.h"

namespace locklab {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint64_t kRuns = 2;

/// FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv
class Digest {
public:
    void add(std::string_view text) {
        for (const char c : text) {
            value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
        }
        add(text.size());
    }
    void add(std::uint64_t number) { value_ = (value_ ^ number) * 0x100000001B3U; }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xCBF29CE484222325U;
};

}  // namespace

std::uint64_t digest_of(const History& history) {
    Digest digest;
    for (const Event& event : history.events) {
        digest.add(static_cast<std::uint64_t>(us(event.at.time_since_epoch())));
        digest.add(std::uint64_t{event.client.value} << 8 | event.detail.index());
        if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            digest.add(to_string(sent->command));
        } else if (const auto* granted = std::get_if<event::Granted>(&event.detail)) {
            digest.add(granted->token.text);
        } else if (const auto* released = std::get_if<event::Released>(&event.detail)) {
            digest.add(static_cast<std::uint64_t>(released->outcome));
        }
    }
    return digest.value();
}

RunSpec OutsideWatch::spec_of(const FaultBudget& budget) const {
    return make_run_spec(algorithm_, algorithm_.defaults, Duration::zero(), budget);
}

OutsideWatch::OutsideWatch(const Algorithm& algorithm) : algorithm_(algorithm) {
    FaultBudget trouble;
    for (const HazardRow& row : kHazards) {
        const bool strikes = row.target == FaultTarget::client && row.hazard != kNoFault;
        if (strikes && applies(algorithm, row.hazard)) trouble[row.hazard] = 1;
    }
    for (const FaultBudget& budget : {FaultBudget(), trouble}) {
        SimRunner runner(spec_of(budget));
        for (std::uint64_t run = 0; run < kRuns; ++run) {
            const History history = runner.run_taped(kSeed, run).history;
            if (history.differs_alone) {
                why_ = judge(history).why_unknown;
                return;
            }
            seen_.push_back({budget, run, digest_of(history)});
        }
    }
}

std::string OutsideWatch::why_now() const {
    if (!why_.empty()) return why_;
    for (const Seen& seen : seen_) {
        const History again = SimRunner(spec_of(seen.budget)).run(kSeed, seen.run).history;
        if (digest_of(again) != seen.digest) return why_another_now(seen.run);
    }
    return {};
}

std::string keeps_outside(const Algorithm& algorithm) { return OutsideWatch(algorithm).why(); }

std::string why_another_now(std::uint64_t run) {
    return why_not_its_own("run " + std::to_string(run) +
                           " is another when it is made again later");
}

}  // namespace locklab
