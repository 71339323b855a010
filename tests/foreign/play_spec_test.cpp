// How long a play of a lock is: as long as what can go wrong with it takes.

#include "harness/foreign/play_spec.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/foreign/play_drives.h"
#include "harness/foreign/virtual_search.h"
#include "tests/foreign/python_library.h"

namespace locklab::play_spec_test {
namespace {

TEST(PlaySpec, of_a_lock_that_renews_a_job_may_be_longer_than_its_lease) {
    Library library = python_library("");
    EXPECT_LT(play_of(Subject(library), {}, 1).job_percent, 100);
    library.renews = true;
    EXPECT_GT(play_of(Subject(library), {}, 1).job_percent, 100);
}

TEST(PlaySpec, of_a_lock_on_several_servers_has_them) {
    Library library = python_library("");
    EXPECT_EQ(play_of(Subject(library), {}, 1).nodes, 1U);
    library.usual_servers = 3;
    EXPECT_EQ(play_of(Subject(library), {}, 1).nodes, 3U);
}

/// It is found by two looks, each a TTL after the other, and by who tries for so long.
TEST(PlaySpec, a_job_is_tried_for_as_long_as_it_takes_to_be_given_to_another) {
    Library library = python_library("");
    const PlaySpec usual = play_of(Subject(library), {}, 1);
    library.grants_job = true;
    const PlaySpec longer = play_of(Subject(library), {}, 1);
    EXPECT_GT(longer.fault_percent, 300);
    EXPECT_GT(longer.attempts, usual.attempts * 3);
}

/// Grants each time until it was granted and released once; then it holds on to a file for the TTL
/// that it is told, or for ever if it renews by itself.
const char* const kNeverRenewed =
    "import json, os, sys, time\n"
    "path, token, at, ttl = '', '', 0, 0\n"
    "def held():\n"
    "    try: return float(open(path).read()) > time.monotonic()\n"
    "    except OSError: return False\n"
    "for line in sys.stdin:\n"
    "    asked, said = json.loads(line), {}\n"
    "    match asked['op']:\n"
    "        case 'hello': said = dict(library='odd', version='1', nodes='one', waits=False,\n"
    "            renews=True, extends=False, tells=False, fences=False)\n"
    "        case 'open': path, ttl = '/tmp/' + asked['key'].replace(':', '_'), asked['ttl_ms']\n"
    "        case 'acquire':\n"
    "            said = dict(granted=not held(), token='t')\n"
    "            if said['granted']: open(path, 'w').write(str(time.monotonic() + ttl / 1000))\n"
    "        case 'step': said = dict(ok=True, lost=False)\n"
    "        case 'release':\n"
    "            try: os.remove(path)\n"
    "            except OSError: pass\n"
    "            said = dict(released=True)\n"
    "    print(json.dumps({'id': asked['id'], 'called_us': 0, 'answered_us': 0, **said}),\n"
    "          flush=True)\n";

/// It says that it renews, and never does: no fault is needed to see that.
TEST(PlaySpec, a_renewal_that_is_missing_is_found_without_a_fault) {
    Library library = python_library(kNeverRenewed);
    library.renews = true;
    const Subject subject(library);
    const VirtualSearchResult result =
        search_virtually(subject, play_of(subject, {}, 1), {PlayOrder::pct, 20, 2, 1}, Watcher());
    EXPECT_TRUE(result.find);
}

/// It waits as some libraries do: it pauses for a part of what it may wait, and looks by the clock,
/// which counts in fractions, whether another try would come too late.
const char* const kWaitsByTheClock =
    "import json, os, sys, time\n"
    "path, ttl = '', 0\n"
    "def take():\n"
    "    try: held = float(open(path).read()) > time.monotonic()\n"
    "    except OSError: held = False\n"
    "    if not held: open(path, 'w').write(str(time.monotonic() + ttl / 1000))\n"
    "    return not held\n"
    "def acquire(wait):\n"
    "    stop = time.monotonic() + wait\n"
    "    while not take():\n"
    "        if time.monotonic() + 0.05 > stop: return False\n"
    "        time.sleep(0.05)\n"
    "    return True\n"
    "for line in sys.stdin:\n"
    "    asked, said = json.loads(line), {}\n"
    "    match asked['op']:\n"
    "        case 'hello': said = dict(library='odd', version='1', nodes='one', waits=True,\n"
    "            renews=False, extends=False, tells=False, fences=False)\n"
    "        case 'open': path, ttl = '/tmp/' + asked['key'].replace(':', '_'), asked['ttl_ms']\n"
    "        case 'acquire': said = dict(granted=acquire(asked['wait_ms'] / 1000), token='t')\n"
    "        case 'step': said = dict(ok=True, lost=False)\n"
    "        case 'release':\n"
    "            try: os.remove(path)\n"
    "            except OSError: pass\n"
    "            said = dict(released=True)\n"
    "    print(json.dumps({'id': asked['id'], 'called_us': 0, 'answered_us': 0, **said}),\n"
    "          flush=True)\n";

/// Each play begins at another time, and of fractions of seconds some are rounded up there.
TEST(PlaySpec, whether_there_is_one_more_try_does_not_depend_on_when_the_play_begins) {
    Library library = python_library(kWaitsByTheClock);
    library.waits = true;
    const Subject subject(library);
    FaultBudget faults;
    faults[Hazard::slow_job] = 1;
    const PlaySpec spec = play_of(subject, faults, 1);
    VirtualWorld world(subject, spec.clients);
    std::set<std::string> seen;
    for (int play = 0; play < 40; ++play) {
        RandomDrive drive(1, 3);
        seen.insert(play_virtually(world, subject, spec, drive).transcript);
    }
    EXPECT_EQ(seen.size(), 1U) << *seen.begin() << "\nand\n" << *seen.rbegin();
}

}  // namespace
}  // namespace locklab::play_spec_test
