// Every entry as a case of its own, named as its lock.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "algorithms/registry.h"
#include "harness/core/fault.h"
#include "tests/corpus/corpus.h"

namespace locklab::corpus {

inline std::ostream& operator<<(std::ostream& out, const Entry& entry) {
    return out << entry.algorithm.name;
}

inline std::vector<const Entry*> expected_to_be(std::initializer_list<Expected> expected) {
    std::vector<const Entry*> some;
    for (const Entry& entry : entries()) {
        for (const Expected one : expected) {
            if (entry.expected == one) some.push_back(&entry);
        }
    }
    return some;
}

inline std::string case_name(const testing::TestParamInfo<const Entry*>& info) {
    return std::string(info.param->algorithm.name);
}

inline FaultBudget budget_of(const std::vector<Hazard>& faults) {
    FaultBudget budget;
    for (const Hazard hazard : faults) {
        // Contention needs no fault: it is always there.
        if (hazard != Hazard::contention) ++budget[hazard];
    }
    return budget;
}

/// The budgets under which a correct lock holds: none, and each of its faults alone.
inline std::vector<FaultBudget> budgets_of(const Entry& correct) {
    std::vector<FaultBudget> all{FaultBudget()};
    for (const Hazard hazard : correct.faults) {
        if (hazard != Hazard::contention) all.push_back(budget_of({hazard}));
    }
    return all;
}

inline const Algorithm& parent_of(const Entry& entry) {
    const Entry* const parent = entry_named(entry.parent);
    return parent != nullptr ? parent->algorithm : *algorithm_named(entry.parent);
}

}  // namespace locklab::corpus
