// What the registry says of a lock, against what the lock does: each is played where all that it
// asks for is seen. A row that says too much fails, and so does one that says too little.

#include "algorithms/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "harness/core/run_spec.h"
#include "harness/core/worker.h"
#include "tests/algorithms/watched.h"
#include "tests/corpus/corpus.h"
#include "tests/explore/fair_locks.h"

namespace locklab::registry_test {
namespace {

using std::chrono::milliseconds;

/// By the names of the row's fields.
using Facts = std::map<std::string, std::uint32_t>;

Facts facts_of(const Algorithm& row) {
    return {{"control", static_cast<std::uint32_t>(row.control)},
            {"redis_servers", row.redis_servers},
            {"is_for_valkey", row.server == ServerKind::valkey},
            {"reads_wall_clock", row.reads_wall_clock},
            {"reads_monotonic_clock", row.reads_monotonic_clock},
            {"renews", row.renews},
            {"reentrant", row.reentrant},
            {"fair", row.fair},
            {"fences", row.fences}};
}

/// Three clients, who want the lock all the time, for jobs up to this length.
Watched::Seen seen_of(const Algorithm& row, Duration longest_job, std::uint64_t grants,
                      bool may_be_stuck = false) {
    Workload workload;
    workload.job = {longest_job / 2, longest_job};
    workload.think = {Duration::zero(), longest_job / 2};
    workload.wait.delay = row.defaults.retry;
    Watched play(row, 3, grants, workload);
    EXPECT_TRUE(play.run() || may_be_stuck);
    return play.seen();
}

/// A holder takes it again at once, and gives that back: nobody else is let in meanwhile.
bool is_reentrant(const Algorithm& row) {
    Workload workload;
    workload.takes_again = Workload::Again::always;
    workload.job = {milliseconds(20), milliseconds(20)};
    workload.wait.delay = milliseconds(1);
    Watched play(row, 3, 20, workload);
    play.run(std::chrono::seconds(2));  // to no end where a holder waits for itself
    const Watched::Seen seen = play.seen();
    return seen.retakes > 0 && !seen.keeps_holder_out && !seen.overlaps;
}

Control control_seen(const Watched::Seen& seen) {
    if (seen.asks_oracle) return Control::never_wrong;
    const bool asks_nobody = seen.redis_servers.empty();
    return asks_nobody && seen.refusals == 0 ? Control::grants_always : Control::none;
}

/// A lease ends under long jobs, unless it is renewed, and others take the lock over.
Facts facts_seen(const Algorithm& row) {
    const Duration scale = make_run_spec(row, row.defaults, {}, FaultBudget()).scale;
    const Watched::Seen calm = seen_of(row, scale / 5, 60);
    const Watched::Seen late = seen_of(row, scale * 5 / 2, 12);
    const auto either = [&](bool Watched::Seen::*fact) { return calm.*fact || late.*fact; };
    EXPECT_TRUE(calm.fences == 0 || calm.fences == calm.grants) << "a token for some grants only";
    return {{"control", static_cast<std::uint32_t>(control_seen(calm))},
            {"redis_servers", static_cast<std::uint32_t>(calm.redis_servers.size())},
            {"is_for_valkey", either(&Watched::Seen::is_for_valkey)},
            {"reads_wall_clock", either(&Watched::Seen::reads_wall_clock)},
            {"reads_monotonic_clock", either(&Watched::Seen::reads_monotonic_clock)},
            {"renews", either(&Watched::Seen::commands_inside)},
            {"reentrant", is_reentrant(row)},
            {"fair", calm.refusals > 0 && !calm.overtaken},
            {"fences", calm.fences > 0}};
}

/// "renews: the row says 0, the lock 1", and so on; empty where they agree.
std::string differences(const Facts& said, const Facts& seen) {
    std::string text;
    for (const auto& [name, value] : said) {
        if (seen.at(name) == value) continue;
        text += (text.empty() ? "" : "; ") + name + ": the row says " + std::to_string(value) +
                ", the lock " + std::to_string(seen.at(name));
    }
    return text;
}

/// To its holder that asks again it gives an error.
class ErrorWhenHeld : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SET", key_, "x", "NX", "PX", ms());
        if (set.failed()) co_return Failed{set};
        if (set.is_ok()) co_return Grant{};
        const Reply wrong = co_await client_.command("INCR", key_);
        co_return Failed{wrong};
    }
};

Algorithm stopwatch_row() {
    Algorithm row = corpus::entry_named("deletes_by_stopwatch")->algorithm;
    row.reads_monotonic_clock = true;
    return row;
}

TEST(Registry, says_of_each_lock_what_the_lock_does) {
    for (const Algorithm* row : every_algorithm()) {
        EXPECT_EQ(differences(facts_of(*row), facts_seen(*row)), "") << row->name;
        EXPECT_FALSE(row->new_each_try && row->reentrant)
            << row->name << ": who takes it again would ask a new object";
    }
}

/// What no row says is seen of other locks, so that a row could say it.
TEST(Registry, could_say_of_a_lock_what_none_here_does) {
    std::map<std::string, std::set<std::uint32_t>> values;
    const auto play = [&](const Algorithm& row) {
        const Facts seen = facts_seen(row);
        EXPECT_EQ(differences(facts_of(row), seen), "") << row.name;
        for (const auto& [name, value] : seen) values[name].insert(value);
    };
    for (const Algorithm& row : algorithms()) play(row);
    play(ticket_row());
    play(stopwatch_row());
    play(*algorithm_named("set_nx_delifeq"));
    for (const auto& [name, seen] : values) {
        EXPECT_EQ(seen.size(), name == "control" ? 3U : 2U) << name;
    }
}

TEST(Registry, is_found_out_where_a_row_says_too_much_or_too_little) {
    const auto found = [](const Algorithm& row) {
        return differences(facts_of(row), facts_seen(row));
    };
    EXPECT_EQ(found(corpus::entry_named("deletes_by_stopwatch")->algorithm),
              "reads_monotonic_clock: the row says 0, the lock 1");
    EXPECT_EQ(found(corpus::entry_named("answer_not_looked_at")->algorithm),
              "reads_wall_clock: the row says 0, the lock 1");
    Algorithm row = *algorithm_named("set_nx_lua");
    row.renews = true;
    row.redis_servers = 5;
    EXPECT_EQ(found(row),
              "redis_servers: the row says 5, the lock 1; renews: the row says 1, the lock 0");
    EXPECT_EQ(found(corpus::entry_named("inner_unlock_frees")->algorithm),
              "reentrant: the row says 1, the lock 0");
    EXPECT_FALSE(is_reentrant(written<ErrorWhenHeld>("set_nx_del")));
    row = ticket_row();
    row.fair = false;
    row.fences = true;
    row.control = Control::grants_always;
    EXPECT_EQ(found(row),
              "control: the row says 1, the lock 0; fair: the row says 0, the lock 1; "
              "fences: the row says 1, the lock 0");
}

/// There, a row is made of its options alone: who has a time between two renewals renews.
TEST(Registry, of_the_corpus_says_who_renews) {
    // Their tasks send at once and never again, which may be called one or the other.
    const std::set<std::string_view> odd{"persists_while_inside", "upsert_then_expire"};
    for (const corpus::Entry& entry : corpus::entries()) {
        const Algorithm& row = entry.algorithm;
        const bool renews = seen_of(row, row.defaults.ttl * 5 / 2, 6, true).commands_inside;
        EXPECT_EQ(row.renews == renews, !odd.contains(row.name)) << row.name;
    }
}

TEST(Registry, has_one_of_each_control) {
    const auto rows = [](Control control) {
        return std::ranges::count(algorithms(), control, &Algorithm::control);
    };
    for (const Control control : {Control::grants_always, Control::never_wrong}) {
        EXPECT_EQ(rows(control), 1);
        EXPECT_EQ(the_control(control).control, control);
    }
}

}  // namespace
}  // namespace locklab::registry_test
