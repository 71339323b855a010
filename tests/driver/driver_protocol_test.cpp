// The drivers that drivers/PROTOCOL.md prints: they are run as they stand there.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/check/proved_overlap.h"
#include "harness/driver/driver.h"
#include "tests/core/places.h"
#include "tests/core/readme.h"

namespace locklab::driver_protocol_test {
namespace {

constexpr Duration kLong = std::chrono::seconds(60);

std::string protocol() {
    std::ifstream in(source_dir() + "/drivers/PROTOCOL.md");
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Language {
    const char* name;
    std::vector<std::string> program;  ///< what its text is handed to
    const char* probe;  ///< works where the language, and what its text uses, is here
};

/// Those of this machine, which need not have all: Python alone is needed.
std::vector<Language> languages_here() {
    std::vector<Language> here{{"python", {"python3", "-c"}, "true"},
                               {"javascript", {"node", "-e"}, "command -v node"},
                               {"perl", {"perl", "-e"}, "perl -MJSON::PP -MTime::HiRes -e 0"}};
    std::erase_if(here, [](const Language& each) {
        return std::system((std::string(each.probe) + " >/dev/null 2>&1").c_str()) != 0;
    });
    return here;
}

void PrintTo(const Language& language, std::ostream* out) { *out << language.name; }

class PrintedDriver : public ::testing::TestWithParam<Language> {
protected:
    DriverProcess::Start start() const {
        DriverProcess::Start start{GetParam().program};
        start.words.push_back(
            between(protocol(), std::string("```") + GetParam().name + "\n", "```\n"));
        return start;
    }
    static DriverAnswer ask(Driver& driver, DriverOp op,
                            const nlohmann::ordered_json& more = nullptr) {
        driver.ask(op, more);
        const DriverWord word = driver.hear(kLong);
        if (const auto* failure = std::get_if<DriverFailure>(&word)) {
            ADD_FAILURE() << failure->sentence;
        }
        const auto* answer = std::get_if<DriverAnswer>(&word);
        EXPECT_NE(answer, nullptr);
        return answer == nullptr ? DriverAnswer{} : *answer;
    }
};

TEST_P(PrintedDriver, is_a_lock) {
    const std::string key =
        ::testing::TempDir() + "printed_driver_" + std::to_string(getpid()) + GetParam().name;
    std::filesystem::remove(key);
    Driver first("the first", start());
    Driver second("the second", start());
    for (Driver* driver : {&first, &second}) {
        EXPECT_EQ(ask(*driver, DriverOp::hello).traits.library, "mkdir");
        ask(*driver, DriverOp::open, {{"key", key}, {"ttl_ms", 1000}, {"renew", false}});
    }
    EXPECT_EQ(ask(first, DriverOp::acquire, {{"wait_ms", 0}}).yes, true);
    EXPECT_EQ(ask(second, DriverOp::acquire, {{"wait_ms", 0}}).yes, false);
    EXPECT_EQ(ask(first, DriverOp::step).yes, true);
    EXPECT_TRUE(ask(first, DriverOp::extend).definite);
    EXPECT_EQ(ask(first, DriverOp::release).yes, true);
    EXPECT_EQ(ask(second, DriverOp::acquire, {{"wait_ms", 0}}).yes, true);
    EXPECT_EQ(ask(second, DriverOp::release).yes, true);
    EXPECT_EQ(first.finish(kLong), "");
    EXPECT_EQ(second.finish(kLong), "");
}

INSTANTIATE_TEST_SUITE_P(Languages, PrintedDriver, ::testing::ValuesIn(languages_here()),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(DriverProtocol, names_every_operation) {
    std::vector<std::string> named;
    for (const std::string& word : first_column(protocol())) named.push_back(word);
    std::vector<std::string> known(kDriverOps.begin(), kDriverOps.end());
    known.emplace_back(kCancel);
    EXPECT_EQ(named, known);
}

}  // namespace
}  // namespace locklab::driver_protocol_test
