// How long a play of a lock is: as long as what can go wrong with it takes.

#include "harness/foreign/play_spec.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace locklab::play_spec_test
