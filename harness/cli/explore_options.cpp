#include "harness/cli/explore_options.h"

#include "harness/cli/shard_option.h"
#include "harness/cli/world_options.h"

namespace locklab {

OptionList explore_options() {
    return {
        {"clients", kText,
         "clients, 4 at most; without this and the next three: 2 clients in 2 rounds, and 3 in 1 "
         "round; what is not given is deepened until there are 1,000,000 states"},
        kTasksOption,
        kTopologyOption,
        {"rounds", kText, "grants of each client, after which it is done"},
        {"attempts", kText, "tries of each client in a round, after which it gives up"},
        {"leaves", kText, "clients that may go for good after their job, without a release"},
        {"again", kFlag, "each job takes the lock a second time: for locks whose holder may"},
        {"faults", kText,
         "how many of each a run may have, or none (default: what the lock claims to survive, one "
         "after the other)"},
        {"outage", kText, "how long a server that restarts may be away (default: not at all)"},
        {"timeout", kText,
         "how long a client waits for a reply (default: 150ms; of a lock that renews, half a "
         "renewal; with delay_reply 2400ms); a TTL is 1200ms"},
        {"latency", kText,
         "how long a request, and a reply, takes at most that no fault strikes; less than half of "
         "--timeout (default: no time)"},
        kClientTtlOption,
        kClientRenewalOption,
        kClientJobOption,
        kClientModeOption,
        {"lengths", preset("any"),
         "any: jobs, pauses, stalls and delays end at any time up to their length; or exact"},
        {"strategy", preset("exhaustive"),
         "exhaustive; random schedules: random, pct, delay, walk; or plain: every schedule, one by "
         "one"},
        {"budget", preset("100000"), "schedules, at most"},
        {"seed", preset("1"), "of random schedules"},
        {"changes", preset("2"), "of priorities in a schedule (pct), or delays (delay)"},
        {"choices", kText, "of lib:NAME or driver:A: one play of these, as a find names them"},
        {"count", kFlag, "go on after the first violation, and count them"},
        {"probability", kFlag, "of a violation, exactly, and how many schedules there are"},
        {"memory", preset("2048"),
         "MiB for states, of each rank where mpirun shares them out; beyond it the verdict is "
         "unknown"},
        {"threads", preset("0"),
         "0: one for each processor; of each rank of mpirun, one; of drivers, two"},
        {"thresholds", kFlag, "which least sets of faults break the lock, and which do not"},
        {"most-faults", preset("1"), "with --thresholds: faults in a set, at most"},
        {"starvation", kFlag,
         "whether a client can be passed over for ever: a cycle, or a proof that there is none"},
        {"mermaid", kFlag, "print the witness as a Mermaid sequence diagram, and nothing else"},
        {"svg", kFlag, "print the witness as an SVG picture, and nothing else"},
        {"traces", kText, "folder for witnesses (default: results/traces)"},
        kShardOption,
        {"out", kText, "of a shard: its folder"},
    };
}

}  // namespace locklab
