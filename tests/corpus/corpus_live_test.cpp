// Locks on several servers, on several redis-servers: runs say of each what it says of itself.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

#include "harness/live/live_server.h"
#include "harness/live/sync_connection.h"
#include "tests/campaign/live_cells.h"
#include "tests/corpus/corpus_cases.h"

namespace locklab::corpus {
namespace {

bool can_be_live(const FaultBudget& budget) {
    return std::ranges::all_of(kHazards, [&](const HazardRow& row) {
        return is_made_in(FaultWorld::live, row.hazard) || budget[row.hazard] == 0;
    });
}

std::vector<const Entry*> on_several_servers(Expected expected) {
    std::vector<const Entry*> some = expected_to_be({expected});
    std::erase_if(some,
                  [](const Entry* entry) { return entry->algorithm.topology().masters == 1; });
    return some;
}

/// A restart strikes all runs on that server that are under way: such cells go by themselves.
void expect_to_hold(bool under_a_restart) {
    std::vector<LiveClaim> claims;
    for (const Entry* entry : on_several_servers(Expected::correct)) {
        for (const FaultBudget& budget : budgets_of(*entry)) {
            const bool restarts = budget[Hazard::restart] > 0;
            if (!can_be_live(budget) || restarts != under_a_restart) continue;
            claims.push_back({&entry->algorithm, budget, Claimed::holds});
        }
    }
    ASSERT_GT(claims.size(), 1U);
    run_claims(claims);
}

TEST(CorpusLive, what_is_correct_holds_on_several_servers) { expect_to_hold(false); }

TEST(CorpusLive, what_is_correct_holds_where_one_of_several_servers_forgets) {
    expect_to_hold(true);
}

/// What random runs hardly ever meet: two servers that are asked in different orders, or two faults
/// within one stay. several_servers_test plans it.
constexpr std::array<std::string_view, 3> kPlanned{"half", "majority_forgotten",
                                                   "everywhere_twice_forgotten"};

TEST(CorpusLive, what_is_broken_breaks_on_several_servers) {
    std::vector<LiveClaim> claims;
    std::vector<Cause> causes;
    for (const Entry* entry : on_several_servers(Expected::broken)) {
        const bool planned = std::ranges::count(kPlanned, entry->algorithm.name) > 0;
        const FaultBudget budget = budget_of(entry->faults);
        if (planned || !can_be_live(budget)) continue;
        claims.push_back({&entry->algorithm, budget, Claimed::breaks});
        causes.push_back(entry->cause);
    }
    ASSERT_GT(claims.size(), 1U);
    const std::vector<ClaimedCell> cells = run_claims(claims);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Tally& tally = cells[i].live.count.tally();
        EXPECT_EQ(tally.verdict(), Verdict::violated) << cells[i].name();
        EXPECT_GT(tally.causes()[causes[i]], 0U) << cells[i].name() << ", " << name_of(causes[i]);
    }
}

/// Where the servers of a locklab listen that is about to be killed.
struct Orphans {
    static constexpr std::size_t kServers = 3;
    char sockets[kServers][108] = {};
};

bool is_alive(const char* socket) {
    SyncConnection connection({socket, {}, 0}, std::chrono::seconds(5));
    return !connection.command(Command::of("PING")).is_unknown();
}

TEST(CorpusLive, who_is_killed_leaves_no_server) {
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    int go[2];
    ASSERT_EQ(pipe(go), 0);
    const pid_t parent = fork();
    ASSERT_GE(parent, 0);
    Orphans orphans;
    if (parent == 0) {
        LiveServer server("", Watcher());
        server.start({Orphans::kServers, 0});
        const std::vector<Endpoint> endpoints = server.endpoints();
        for (std::size_t i = 0; i < Orphans::kServers; ++i) {
            endpoints.at(i).socket_path.copy(orphans.sockets[i], sizeof orphans.sockets[i] - 1);
        }
        if (write(told[1], &orphans, sizeof orphans) != sizeof orphans) _exit(1);
        char byte = 0;
        if (read(go[0], &byte, 1) != 1) _exit(1);
        raise(SIGKILL);
    }
    close(told[1]);
    close(go[0]);
    ASSERT_EQ(read(told[0], &orphans, sizeof orphans), static_cast<ssize_t>(sizeof orphans));
    for (const char* socket : orphans.sockets) EXPECT_TRUE(is_alive(socket)) << socket;
    ASSERT_EQ(write(go[1], "!", 1), 1);
    close(told[0]);
    close(go[1]);
    ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
    for (const char* socket : orphans.sockets) {
        for (int i = 0; i < 1000 && is_alive(socket); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        EXPECT_FALSE(is_alive(socket)) << socket;
    }
    RedisProcess::remove_dead_folders();
    for (const char* socket : orphans.sockets) {
        EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(socket).parent_path()));
    }
}

}  // namespace
}  // namespace locklab::corpus
