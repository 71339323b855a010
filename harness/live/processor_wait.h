// How long a process could have run and had no processor: a direct measure of a busy machine.
#pragma once

#include <sys/types.h>

#include <optional>

#include "harness/core/time.h"

namespace locklab {

/// The sum over its present threads, since they began. Nothing if there is no such process, or the
/// kernel does not count this (CONFIG_SCHED_INFO).
std::optional<Duration> processor_wait(pid_t process);
/// The same of the thread that asks.
std::optional<Duration> processor_wait_of_this_thread();
/// The same with the time on a processor.
std::optional<Duration> processor_work(pid_t process);
/// The same of the one thread that waited longest.
std::optional<Duration> longest_processor_wait(pid_t process);

}  // namespace locklab
