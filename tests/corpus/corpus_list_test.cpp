// The corpus is as large as it is said to be, and says of each lock what has to be known.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algorithms/registry.h"
#include "tests/corpus/corpus.h"

namespace locklab::corpus {
namespace {

std::ptrdiff_t count(bool of_mutants) {
    return std::ranges::count_if(entries(), [&](const Entry& entry) {
        return (entry.expected != Expected::correct) == of_mutants;
    });
}

TEST(CorpusList, is_large) {
    EXPECT_GE(count(true), 60);
    EXPECT_GE(count(false), 20);
}

TEST(CorpusList, names_are_unique_and_no_articles) {
    std::set<std::string_view> names;
    for (const Entry& entry : entries()) {
        EXPECT_TRUE(names.insert(entry.algorithm.name).second) << entry.algorithm.name;
        EXPECT_EQ(algorithm_named(entry.algorithm.name), nullptr) << entry.algorithm.name;
    }
}

TEST(CorpusList, each_has_a_parent_and_a_sentence) {
    for (const Entry& entry : entries()) {
        const std::string_view name = entry.algorithm.name;
        const Entry* const parent = entry_named(entry.parent);
        EXPECT_TRUE(parent != nullptr || algorithm_named(entry.parent) != nullptr) << name;
        EXPECT_TRUE(parent == nullptr || parent->expected == Expected::correct) << name;
        EXPECT_TRUE(entry.sentence.ends_with('.')) << name;
    }
}

}  // namespace
}  // namespace locklab::corpus
