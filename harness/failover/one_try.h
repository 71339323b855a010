// One try of a lock on a real server, by blocking calls: the lock's own coroutine, as it is checked
// elsewhere.
#pragma once

#include <chrono>
#include <functional>

#include "harness/core/lock.h"
#include "harness/live/endpoint.h"

namespace locklab {

/// Hears each answer as it comes; Unknown: none came.
using AnswerListener = std::function<void(const Reply& reply)>;

/// Returns when the try has ended. No answer within `limit`, or a broken connection, is Unknown to
/// the lock. Throws std::runtime_error if the lock throws.
Acquired try_once(const Algorithm& algorithm, const LockOptions& options, const Endpoint& server,
                  const Key& key, Duration limit, const AnswerListener& listener = {});

}  // namespace locklab
