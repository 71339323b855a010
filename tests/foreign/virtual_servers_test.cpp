// Plays in virtual time on several servers: the same choices give the same history there too, and a
// search finds what is wrong with a lock only where servers disagree.

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <sstream>
#include <string>

#include "harness/check/judge.h"
#include "harness/foreign/play_drives.h"
#include "harness/foreign/virtual_search.h"
#include "harness/record/history_json.h"
#include "tests/core/places.h"
#include "tests/corpus/corpus.h"

namespace locklab::virtual_servers_test {
namespace {

const Algorithm& lock_named(const char* name) { return corpus::entry_named(name)->algorithm; }

PlaySpec spec_of(const Subject& subject) {
    PlaySpec spec;
    spec.nodes = subject.row().topology().masters;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    return spec;
}

TEST(VirtualServers, the_same_seed_gives_the_same_history) {
    const Subject subject(lock_named("majority"), corpus_driver());
    PlaySpec spec = spec_of(subject);
    ASSERT_EQ(spec.nodes, 3U);
    spec.faults[Hazard::restart] = spec.faults[Hazard::lose_reply] = 1;
    VirtualWorld world(subject, spec.clients, spec.nodes);
    std::set<std::string> seen;
    std::array<std::uint64_t, 3> created{};
    for (int play = 0; play < 10; ++play) {
        RandomDrive drive(1, 5);
        const PlayResult result =
            play_virtually(world, subject, spec, drive, 0, PlayDetail::commands);
        std::ostringstream text;
        write_history(text, result.history);
        seen.insert(text.str() + result.transcript);
        ASSERT_EQ(seen.size(), 1U) << *seen.begin() << "\nand\n" << *seen.rbegin();
        for (const Event& event : result.history.events) {
            const auto* ran = std::get_if<event::Executed>(&event.detail);
            const bool creates = ran != nullptr && ran->effect.kind == KeyEffect::Kind::created;
            if (creates) ++created.at(ran->node.value);
        }
    }
    for (const std::uint64_t keys : created) EXPECT_GT(keys, 0U);
}

VirtualSearchResult search(const char* lock, const FaultBudget& faults, std::uint64_t plays) {
    const Subject subject(lock_named(lock), corpus_driver());
    PlaySpec spec = spec_of(subject);
    spec.faults = faults;
    return search_virtually(subject, spec, {PlayOrder::pct, plays, 3, 1}, Watcher());
}

std::optional<Cause> cause_of_find(const VirtualSearchResult& result) {
    if (!result.find) return std::nullopt;
    EXPECT_TRUE(result.find->came_again);
    const Judgement judgement = judge(result.find->play.history);
    EXPECT_EQ(judgement.verdict, Verdict::violated);
    if (judgement.violations.empty()) return std::nullopt;
    return judgement.violations.front().cause;
}

TEST(VirtualServers, a_find_tells_its_cause) {
    EXPECT_EQ(cause_of_find(search("half", {}, 300)), Cause::other_servers);
    EXPECT_EQ(cause_of_find(search("undoes_others", {}, 300)), Cause::foreign_delete);
}

/// The cause of the first overlap that random plays prove; nothing: none does. Short of its search,
/// for many choices make a majority of three disagree, and to leave out some of them takes long.
std::optional<Cause> cause_in_plays(const char* lock, const FaultBudget& faults,
                                    std::uint64_t plays) {
    const Subject subject(lock_named(lock), corpus_driver());
    PlaySpec spec = spec_of(subject);
    spec.faults = faults;
    VirtualWorld world(subject, spec.clients, spec.nodes);
    for (std::uint64_t play = 0; play < plays; ++play) {
        RandomDrive drive(1, play);
        const PlayResult result =
            play_virtually(world, subject, spec, drive, play, PlayDetail::commands);
        const Judgement judgement = judge(result.history);
        EXPECT_EQ(judgement.overlaps > 0, !result.proved.empty());
        if (!judgement.violations.empty()) return judgement.violations.front().cause;
    }
    return std::nullopt;
}

TEST(VirtualServers, one_that_forgets_breaks_a_majority_and_not_who_asks_all) {
    FaultBudget forgets;
    forgets[Hazard::restart] = 1;
    EXPECT_EQ(cause_in_plays("majority", forgets, 300), Cause::lost_data);
    EXPECT_EQ(cause_in_plays("everywhere", forgets, 60), std::nullopt);
    EXPECT_EQ(cause_in_plays("majority", {}, 60), std::nullopt);
}

}  // namespace
}  // namespace locklab::virtual_servers_test
