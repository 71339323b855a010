// Histories made by hand, each with its verdict: tests/data/histories/README.md.
#include <gtest/gtest.h>

#include <sstream>

#include "harness/check/disturbance.h"
#include "harness/check/judge.h"
#include "harness/check/oracle.h"
#include "harness/check/outcome.h"
#include "harness/record/history_json.h"
#include "harness/record/judgement_json.h"
#include "harness/store/redis/key_shadow.h"
#include "tests/check/history_cases.h"

namespace locklab::histories_test {
namespace {

using nlohmann::json;

/// What `locklab check --json` prints, and what other verbs tell of such a history.
json found_in(const HistoryCase& one) {
    std::istringstream in(one.text);
    History history = read_history(in, one.name);
    tell_effects(history);
    const Judgement judgement = judge(history);
    json found = judgement_json(judgement);
    found["client_grants"] = judgement.client_grants;
    found["client_lived"] = judgement.client_lived;
    found["waits_us"] = json::array();
    for (const Duration wait : judgement.waits) found["waits_us"].push_back(us(wait));
    found["recoveries_us"] = json::array();
    for (const Duration each : judgement.liveness.recoveries) {
        found["recoveries_us"].push_back(us(each));
    }
    for (const OracleRow& row : kOracles) {
        const std::string name(row.name);
        found["findings"][name] = found["oracles"][name]["found"];
    }
    found["disturbed"] = was_disturbed(history);
    const std::vector<std::string> names{"A", "B", "C", "D"};
    found["outcome"] = in_words(outcome_of(history, std::chrono::milliseconds(100)), names);
    return found;
}

class Histories : public testing::TestWithParam<HistoryCase> {};

TEST_P(Histories, are_judged) {
    const json& said = GetParam().says;
    const json found = found_in(GetParam());
    EXPECT_TRUE(said.contains("verdict")) << "a case says its verdict";
    for (const auto& [key, value] : said.items()) {
        ASSERT_TRUE(found.contains(key)) << key << " is no key of what is found";
        EXPECT_EQ(named_of(found[key], value), value) << key << " in\n" << GetParam().text;
    }
}

std::string name_of_case(const testing::TestParamInfo<HistoryCase>& one) { return one.param.name; }

INSTANTIATE_TEST_SUITE_P(, Histories, testing::ValuesIn(history_cases()), name_of_case);

}  // namespace
}  // namespace locklab::histories_test
