// Searches of a library that ends its own process.

#include "harness/foreign/lasting_world.h"

#include <gtest/gtest.h>

#include "harness/foreign/virtual_search.h"
#include "tests/foreign/fake_library.h"

namespace locklab::lasting_world_test {
namespace {

/// Its process ends where a reply does not come in time.
class LastingWorldTest : public FakeLibraryTest {};

TEST_F(LastingWorldTest, a_play_that_ends_with_its_driver_costs_no_more_than_itself) {
    change("driver.py", "    except (OSError, Refused) as error:\n",
           "    except OSError:\n"
           "        sys.exit(\"it gave up\")\n"
           "    except Refused as error:\n");
    Library library = fake();
    library.installed = folder_ / "drivers/fake";
    library.run = {"/usr/bin/python3", "driver.py"};
    const Subject subject(library);
    PlaySpec spec;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    spec.faults[Hazard::lose_reply] = 1;
    // Fewer than what a search of such drivers ends with.
    constexpr std::uint64_t kPlays = 12;
    for (const PlayOrder order : {PlayOrder::pct, PlayOrder::delay}) {
        const VirtualSearchResult result =
            search_virtually(subject, spec, {order, kPlays, 2, 1}, Watcher());
        EXPECT_FALSE(result.find);
        EXPECT_GT(result.deaths.count, 0U);
        EXPECT_GT(result.plays, 0U);
        EXPECT_EQ(result.plays + result.deaths.count, kPlays);
        EXPECT_NE(result.deaths.first.find("ended with code 1; it said last: it gave up"),
                  std::string::npos)
            << result.deaths.first;
    }
}

}  // namespace
}  // namespace locklab::lasting_world_test
