// Callers who cancel their tries, in plays of driver processes. The lock is a few lines of asyncio
// on the loop that drivers in Python share.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/check/oracle_tally.h"
#include "harness/foreign/play_drives.h"
#include "harness/foreign/real_play.h"
#include "harness/foreign/virtual_search.h"
#include "tests/core/places.h"
#include "tests/foreign/python_library.h"

namespace locklab::virtual_cancel_test {
namespace {

/// `cancelled` is done in a try whose caller cancels it.
std::string cancelled_driver(const std::string& cancelled) {
    return "import asyncio, os, sys\nsys.path.insert(0, '" + source_dir() + "/drivers/shared')" +
           R"py(
from protocol import Driver, address, serve
MINE = "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1]) or 0"
class Lock(Driver):
    traits = dict(library="odd", version="1")
    async def tell(self, *words):
        self.out.write(b"".join([b"*%d\r\n" % len(words)] +
                                [b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words]))
        return await self.into.readline()
    async def connect(self):
        self.into, self.out = await asyncio.open_connection(*self.server)
    async def open(self, asked):
        self.server, self.key = address(asked["nodes"][0]), asked["key"]
        self.ttl = str(asked["ttl_ms"])
        await self.connect()
    async def acquire(self, wait):
        self.token = os.urandom(4).hex()
        try:
            got = await self.tell("SET", self.key, self.token, "NX", "PX", self.ttl)
            return got == b"+OK\r\n"
        except asyncio.CancelledError:
            self.out.close()
            await self.connect()
)py" + cancelled +
           R"py(
            raise
    async def release(self):
        return await self.tell("EVAL", MINE, "1", self.key, self.token) == b":1\r\n"
serve(Lock())
)py";
}

const std::string kNothing = "            pass";
const std::string kBareDelete = R"(            await self.tell("DEL", self.key))";

Library cancelled_library(const std::string& cancelled) {
    Library library = python_library(cancelled_driver(cancelled));
    library.like = "set_nx_lua";
    library.cancels = true;
    return library;
}

PlaySpec spec_of(const Subject& subject, std::uint32_t cancels) {
    FaultBudget faults;
    faults[Hazard::cancel] = cancels;
    return play_of(subject, faults, 1);
}

/// How tries ended that were cancelled.
struct Tries {
    std::size_t cancelled = 0;
    std::size_t unknown = 0;
    std::size_t granted = 0;

    void add(const History& history) {
        std::vector<bool> is_cancelled(history.clients);
        for (const Event& event : history.events) {
            auto its = is_cancelled[event.client.value];
            if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
                EXPECT_EQ(fault->hazard, Hazard::cancel);
                EXPECT_EQ(event.phase, Phase::acquire);
                ++cancelled;
                its = true;
            } else if (const auto* refused = std::get_if<event::Refused>(&event.detail)) {
                if (its) unknown += refused->unsure ? 1 : 0;
                its = false;
            } else if (std::holds_alternative<event::Granted>(event.detail)) {
                if (its) ++granted;
                its = false;
            }
        }
    }
};

TEST(VirtualCancel, a_try_ends_at_once_and_nobody_knows_how) {
    const Library library = cancelled_library(kNothing);
    const Subject subject(library);
    ASSERT_TRUE(subject.can_be_struck_by(Hazard::cancel));
    const PlaySpec spec = spec_of(subject, 2);
    VirtualWorld world(subject, spec.clients);
    Tries tries;
    OracleTally oracles;
    for (std::uint64_t play = 0; play < 60; ++play) {
        RandomDrive drive(1, play);
        const PlayResult result =
            play_virtually(world, subject, spec, drive, play, PlayDetail::commands);
        EXPECT_TRUE(result.is_whole);
        EXPECT_TRUE(result.proved.empty());
        tries.add(result.history);
        oracles.add(play, judge(result.history), spec.ttl / 2);
    }
    EXPECT_GT(tries.cancelled, 20U);
    // What has arrived by then is carried out: the key stays until its TTL is over.
    EXPECT_GT(tries.unknown + tries.granted, tries.cancelled * 9 / 10);
    EXPECT_GT(tries.unknown, tries.granted);
    EXPECT_GT(oracles.of(Oracle::keys_left).count.found, 2U);
}

/// It cannot know whose key it deletes.
TEST(VirtualCancel, who_deletes_by_name_when_cancelled_is_found) {
    const Library library = cancelled_library(kBareDelete);
    const Subject subject(library);
    const PlaySpec spec = spec_of(subject, 1);
    const auto result = search_virtually(subject, spec, {PlayOrder::pct, 400, 2, 1}, {});
    ASSERT_TRUE(result.find);
    EXPECT_TRUE(result.find->came_again);
    const Judgement judgement = judge(result.find->play.history);
    ASSERT_FALSE(judgement.violations.empty());
    EXPECT_EQ(judgement.violations.front().cause, Cause::foreign_delete);
    const RealReplay real = replay_really(
        subject, spec, result.find->play.script, [] { return false; }, 20);
    EXPECT_TRUE(real.proved) << real.missing << real.trouble;

    const auto calm =
        search_virtually(subject, spec_of(subject, 0), {PlayOrder::pct, 100, 2, 1}, {});
    EXPECT_FALSE(calm.find) << "without a cancelled try it does no harm";
}

TEST(VirtualCancel, who_has_no_callers_that_cancel_is_not_struck) {
    Library library = cancelled_library(kNothing);
    library.cancels = false;
    EXPECT_FALSE(Subject(library).can_be_struck_by(Hazard::cancel));
}

}  // namespace
}  // namespace locklab::virtual_cancel_test
