// A line of Python as a process with the preloaded library.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>

#include "harness/driver/driver_process.h"

namespace locklab {

class Preloaded {
public:
    Preloaded(const std::string& script, std::map<std::string, std::string> environment)
        : process_({{"/usr/bin/python3", "-u", "-c", script}, std::move(environment), {}}) {}

    /// What it says next.
    std::string said() {
        std::string line;
        const auto heard = process_.hear(line, std::chrono::seconds(10));
        return heard == DriverProcess::Heard::line ? line : "nothing";
    }
    /// Says a line to it.
    void say(const std::string& line = "") { EXPECT_TRUE(process_.say(line + "\n")); }
    DriverProcess& process() { return process_; }

private:
    DriverProcess process_;
};

}  // namespace locklab
