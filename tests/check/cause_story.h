// What the tests of causes share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "harness/check/cause.h"
#include "tests/check/story.h"

namespace locklab {

inline Cause only_cause(const History& history) {
    const auto found = overlaps(stays_inside(history));
    EXPECT_EQ(found.size(), 1U);
    if (found.empty()) return Cause::unexplained;
    return cause_of(KeyLog(history), found.front());
}

/// Client 0 holds the key from 0 on, for 100 ms.
inline Story held(std::string world = "sim") {
    Story story(std::move(world));
    story.wants(0).wants(1).wants(2).sets(0, "a", 100).granted(0, "a", 100);
    return story;
}

}  // namespace locklab
