// Which live runs are under way on somebody's server. A run that is killed cannot delete its keys,
// and a lock's key may have no time to live, for that is what the lock is. So each run writes down
// its prefix and who it is, in one hash, and the next one deletes what the dead have left.
//
// The hash is "locklab:runs": it has a field for each run, the run deletes it at its end, and all
// of it expires a week after the last run began.
#pragma once

#include <string>

#include "harness/live/endpoint.h"
#include "harness/live/sync_connection.h"

namespace locklab {

/// Best effort: a server that refuses is one on which nothing is written down.
void enter_run(SyncConnection& connection, const std::string& prefix);
void leave_run(SyncConnection& connection, const std::string& prefix);

/// Deletes every key whose name contains the prefix, for a minute at the most. Returns why it could
/// not, as half a sentence; empty if none is left.
std::string delete_keys(SyncConnection& connection, const std::string& prefix);

/// Deletes what runs of this machine left on the server that are dead by now. Returns one sentence
/// for all that was deleted, or empty. Runs of other machines are left alone.
std::string clean_up_after_the_dead(const Endpoint& endpoint);

}  // namespace locklab
