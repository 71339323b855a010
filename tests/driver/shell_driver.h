// Drivers of a few words of shell.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "harness/driver/driver_process.h"

namespace locklab {

inline DriverProcess::Start shell(const std::string& script) { return {{"sh", "-c", script}}; }

/// Nothing is left in the process group that this driver led.
inline void expect_gone(pid_t leader) {
    const auto is_there = [leader] { return kill(-leader, 0) == 0 || errno != ESRCH; };
    for (int i = 0; i < 1000 && is_there(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_FALSE(is_there());
}

}  // namespace locklab
