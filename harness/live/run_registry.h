// The list of live runs under way on a foreign server. A run that is killed cannot delete its keys,
// and a lock's key may have no time to live, depending on the lock. So each run writes down its
// prefix and its process, in one hash, and the next run deletes what dead ones have left.
//
// The hash is "locklab:runs", with a field for each run. A run deletes its field at its end, and
// the whole hash expires a week after the last run began.
#pragma once

#include <string>

#include "harness/live/endpoint.h"
#include "harness/live/sync_connection.h"

namespace locklab {

/// Best effort: if a server refuses, nothing is written down there.
void enter_run(SyncConnection& connection, const std::string& prefix);
void leave_run(SyncConnection& connection, const std::string& prefix);

/// Deletes every key whose name contains the prefix, for a minute at most. Returns why it could
/// not, as half a sentence; empty if none is left.
std::string delete_keys(SyncConnection& connection, const std::string& prefix);

/// Deletes from the server what dead runs of this machine left. Returns one sentence for all that
/// was deleted, or empty. Runs of other machines are left alone.
std::string clean_up_after_the_dead(const Endpoint& endpoint);

}  // namespace locklab
