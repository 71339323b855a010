// Searches of a library that ends its own process, or speaks nonsense.

#include "harness/foreign/lasting_world.h"

#include <gtest/gtest.h>

#include "harness/foreign/virtual_search.h"
#include "tests/foreign/fake_library.h"

namespace locklab::lasting_world_test {
namespace {

/// What its process does where a reply does not come in time.
class LastingWorldTest : public FakeLibraryTest {
protected:
    // Fewer than what a search of drivers that are lost ends with.
    static constexpr std::uint64_t kPlays = 12;

    VirtualSearchResult search(const std::string& does, PlayOrder order) const {
        change("driver.py", "    except (OSError, Refused) as error:\n",
               "    except OSError:\n        " + does + "\n    except Refused as error:\n");
        Library library = fake();
        library.installed = folder_ / "drivers/fake";
        library.run = {"/usr/bin/python3", "driver.py"};
        const Subject subject(library);
        FaultBudget faults;
        faults[Hazard::lose_reply] = 1;
        VirtualSearchLimits limits{order, kPlays, 2, 1};
        limits.asks_oracles = true;
        return search_virtually(subject, play_of(subject, faults, 1), limits, Watcher());
    }
};

TEST_F(LastingWorldTest, a_process_that_ends_by_itself_is_a_finding_of_a_play_that_counts) {
    for (const PlayOrder order : {PlayOrder::pct, PlayOrder::delay}) {
        const VirtualSearchResult result = search("sys.exit(\"it gave up\")", order);
        EXPECT_FALSE(result.find);
        EXPECT_GT(result.died, 0U);
        EXPECT_EQ(result.plays, kPlays);
        EXPECT_EQ(result.lost.count, 0U);
        EXPECT_EQ(result.oracles.of(Oracle::deaths).found_in, result.died);
        EXPECT_EQ(result.oracles.of(Oracle::deaths).count.of, 2 * kPlays);
        EXPECT_NE(result.how_it_died.find("ended with code 1; it said last: it gave up"),
                  std::string::npos)
            << result.how_it_died;
    }
}

TEST_F(LastingWorldTest, a_play_whose_driver_is_no_driver_costs_no_more_than_itself) {
    for (const PlayOrder order : {PlayOrder::pct, PlayOrder::delay}) {
        const VirtualSearchResult result = search("print(\"no JSON\", flush=True)", order);
        EXPECT_FALSE(result.find);
        EXPECT_EQ(result.died, 0U);
        EXPECT_GT(result.lost.count, 0U);
        EXPECT_GT(result.plays, 0U);
        EXPECT_EQ(result.plays + result.lost.count, kPlays);
        EXPECT_NE(result.lost.first.find("speaks nonsense"), std::string::npos)
            << result.lost.first;
    }
}

}  // namespace
}  // namespace locklab::lasting_world_test
