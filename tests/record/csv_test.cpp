#include "harness/record/csv.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace locklab::csv_test {
namespace {

using Json = nlohmann::ordered_json;

TEST(CsvTest, has_a_line_for_names_and_one_for_each_row) {
    const Json rows{{{"b", 1}, {"a", "x"}}, {{"b", 2.5}, {"a", true}}};
    EXPECT_EQ(to_csv(rows), "b,a\n1,x\n2.5,true\n");
}

TEST(CsvTest, has_the_columns_of_all_rows_and_leaves_empty_what_one_has_not) {
    const Json rows{{{"a", 1}}, {{"b", 2}, {"a", nullptr}}, {{"c", ""}, {"b", 3}}};
    EXPECT_EQ(to_csv(rows), "a,b,c\n1,,\n,2,\n,3,\n");
}

TEST(CsvTest, joins_the_keys_of_what_is_nested_and_the_elements_of_lists) {
    const Json rows{{{"wait_us", {{"p50", 1}, {"deep", {{"er", 2}}}}},
                     {"names", Json::array({"x", 1, nullptr})},
                     {"none", Json::array()},
                     {"empty", Json::object()}}};
    EXPECT_EQ(to_csv(rows), "wait_us_p50,wait_us_deep_er,names,none\n1,2,x;1;,\n");
}

/// RFC 4180, section 2.
TEST(CsvTest, quotes_what_has_commas_quotes_and_line_breaks) {
    const Json rows{{{"a", "x,y"}, {"b", "say \"no\""}, {"c", "two\nlines"}, {"d", "plain; text"}}};
    EXPECT_EQ(to_csv(rows), "a,b,c,d\n\"x,y\",\"say \"\"no\"\"\",\"two\nlines\",plain; text\n");
    EXPECT_EQ(to_csv(Json{{{"a", "cr\r"}}}), "a\n\"cr\r\"\n");
}

TEST(CsvTest, quotes_names_too) { EXPECT_EQ(to_csv(Json{{{"a,b", 1}}}), "\"a,b\"\n1\n"); }

TEST(CsvTest, no_row_is_no_column) { EXPECT_EQ(to_csv(Json::array()), "\n"); }

}  // namespace
}  // namespace locklab::csv_test
