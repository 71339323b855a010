#include "harness/explore/state_graph.h"

#include <algorithm>
#include <stdexcept>

#include "harness/explore/interned.h"

namespace locklab {

namespace {

using Id = std::uint32_t;

/// What can happen from a state on.
struct Outlook {
    double violation = 0;
    double schedules = 0;
    double violated_schedules = 0;
    bool inevitable = false;
};

template <std::size_t kWords>
class Graph {
public:
    Graph(const Algorithm& algorithm, const Bounds& bounds)
        : packing_(bounds), rules_(algorithm, bounds) {}

    /// False if it had to stop.
    bool build(std::uint64_t memory, const std::atomic<bool>& stop, Odds& odds) {
        Rules::Lesson told;
        for (bool first = true; first || told != rules_.lesson(); first = false) {
            rules_.begin_anew();
            told = rules_.lesson();
            forget();
            for (const State& start : rules_.initial()) starts_.push_back(id_of(start));
            for (Id id = 0; id < states_.size(); ++id) {
                if (id % 4096 == 0 && stop) odds.why_not = "interrupted";
                if (id % 4096 == 0 && bytes() > memory) odds.why_not = "out of memory";
                if (!odds.why_not.empty()) return false;
                add_successors(id);
            }
            first_.push_back(successors_.size());
        }
        odds.states = states_.size();
        odds.steps = successors_.size();
        return true;
    }

    /// One pass from the ends to the starts. The graph has no cycles: a step learns something,
    /// spends a fault, or lets time pass.
    void look_back() {
        enum class Mark : std::uint8_t { unseen, open, done };
        struct Frame {
            Id id;
            std::size_t next;
        };
        outlooks_.assign(states_.size(), Outlook());
        std::vector<Mark> marks(states_.size(), Mark::unseen);
        std::vector<Frame> stack;
        for (const Id start : starts_) {
            if (marks[start] == Mark::done) continue;
            stack.push_back({start, first_[start]});
            while (!stack.empty()) {
                Frame& frame = stack.back();
                marks[frame.id] = Mark::open;
                if (frame.next == first_[frame.id + 1]) {
                    outlooks_[frame.id] = outlook_of(frame.id);
                    marks[frame.id] = Mark::done;
                    stack.pop_back();
                    continue;
                }
                const Id successor = successors_[frame.next++];
                LOCKLAB_ASSERT(marks[successor] != Mark::open && "a schedule that never ends");
                if (marks[successor] == Mark::unseen) {
                    stack.push_back({successor, first_[successor]});
                }
            }
        }
    }

    void tell(Odds& odds) const {
        for (const Id start : starts_) {
            odds.violation += outlooks_[start].violation / static_cast<double>(starts_.size());
            odds.schedules += outlooks_[start].schedules;
            odds.violated_schedules += outlooks_[start].violated_schedules;
        }
    }

    void tell_along(const Path& path, Odds& odds) {
        const std::vector<State>& starts = rules_.initial();
        const auto start = std::find_if(starts.begin(), starts.end(), [&](const State& state) {
            return path_from(rules_, state).clocks == path.clocks;
        });
        LOCKLAB_ASSERT(start != starts.end());
        State state = *start;
        for (std::size_t made = 0;; ++made) {
            const Outlook& outlook = outlooks_[id_of(state)];
            odds.along.push_back(outlook.violation);
            if (outlook.inevitable && odds.inevitable_after < 0) {
                odds.inevitable_after = static_cast<std::int64_t>(made);
            }
            if (made == path.steps.size()) return;
            state = rules_.after(state, path.steps[made]);
        }
    }

private:
    void forget() {
        states_ = States();
        starts_.clear();
        first_.clear();
        successors_.clear();
    }

    Id id_of(State state) {
        if (rules_.reduces()) rules_.reduce(state);
        return states_.number_of(packing_.packed<kWords>(state));
    }

    void add_successors(Id id) {
        first_.push_back(successors_.size());
        const State state = packing_.unpacked(states_[id]);
        if (rules_.is_violated(state)) return;
        rules_.expand(state, next_);
        for (const State& after : next_.states) successors_.push_back(id_of(after));
    }

    Outlook outlook_of(Id id) const {
        Outlook outlook;
        const std::size_t begin = first_[id];
        const std::size_t end = first_[id + 1];
        if (begin == end) {
            const bool violated = rules_.is_violated(packing_.unpacked(states_[id]));
            return {violated ? 1.0 : 0.0, 1.0, violated ? 1.0 : 0.0, violated};
        }
        outlook.inevitable = true;
        for (std::size_t i = begin; i < end; ++i) {
            const Outlook& after = outlooks_[successors_[i]];
            outlook.violation += after.violation / static_cast<double>(end - begin);
            outlook.schedules += after.schedules;
            outlook.violated_schedules += after.violated_schedules;
            outlook.inevitable = outlook.inevitable && after.inevitable;
        }
        if (outlook.inevitable) outlook.violation = 1;  // not slightly less, by rounding
        return outlook;
    }

    std::uint64_t bytes() const {
        constexpr std::uint64_t kOfEach = 2 * sizeof(PackedState<kWords>) + sizeof(Outlook) + 32;
        return states_.size() * kOfEach + successors_.capacity() * sizeof(Id);
    }

    struct Hash {
        std::size_t operator()(const PackedState<kWords>& state) const { return state.hash(); }
    };
    using States = Interned<PackedState<kWords>, Hash>;

    const Packing packing_;
    Rules rules_;
    States states_;
    std::vector<Id> starts_;
    std::vector<std::size_t> first_;  ///< place of a state's first successor; one more at the end
    std::vector<Id> successors_;
    std::vector<Outlook> outlooks_;
    Successors next_;
};

template <std::size_t kWords>
Odds odds_in(const Algorithm& algorithm, const Bounds& bounds, const Path& path,
             std::uint64_t memory, const std::atomic<bool>& stop) {
    Odds odds;
    try {
        Graph<kWords> graph(algorithm, bounds);
        if (!graph.build(memory, stop, odds)) return odds;
        graph.look_back();
        graph.tell(odds);
        if (!path.steps.empty()) graph.tell_along(path, odds);
        odds.complete = true;
    } catch (const std::length_error& too_many) {
        odds.why_not = too_many.what();
    }
    return odds;
}

}  // namespace

Odds odds_of(const Algorithm& algorithm, const Bounds& bounds, const Path& path,
             std::uint64_t memory, const std::atomic<bool>& stop) {
    const auto odds = Packing(bounds).words() == 2 ? odds_in<2> : odds_in<4>;
    return odds(algorithm, bounds, path, memory, stop);
}

}  // namespace locklab
