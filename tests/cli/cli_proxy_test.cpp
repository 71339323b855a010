// locklab proxy from outside.

#include <signal.h>

#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"
#include "tests/cli/cli_run.h"
#include "tests/core/places.h"

namespace locklab::cli_proxy_test {
namespace {

class CliProxyTest : public CliTest {
protected:
    void put_rules(const std::string& rules) {
        put_file(here_ / "rules.yaml", "links: [{client: A, node: n0, to: " +
                                           server_.endpoint().socket_path + "}]\n" + rules);
    }
    /// The proxy under way, and where it listens.
    Endpoint start(const Words& words) {
        process_.emplace(built_program(), words, options_);
        const std::string says = "A finds n0 at ";
        const auto said = [&] { return content_of(options_.out) + content_of(options_.err); };
        EXPECT_TRUE(
            await([&] { return !process_->running() || said().find('\n') != std::string::npos; }));
        const std::string text = said();
        EXPECT_TRUE(text.starts_with(says)) << text;
        return parse_endpoint(text.substr(says.size(), text.find('\n') - says.size()));
    }
    Ran stop() {
        process_->interrupt();
        return process_->wait();
    }
    static Command set(const char* value) { return Command::of("SET", "k", value, "NX"); }

    RedisProcess server_;
    std::optional<Process> process_;
};

TEST_F(CliProxyTest, strikes_by_rules_and_tells_what_went_through) {
    put_rules(
        "rules: [{command: set, nth: 2, fault: error, error: READONLY}, {command: GET, fault: "
        "lose_reply}]\n");
    SyncConnection client(start({"proxy", "rules.yaml", "--events", "events"}));
    EXPECT_TRUE(client.command(set("v")).is_ok());
    EXPECT_EQ(client.command(set("v")).text(),
              "READONLY You can't write against a read only replica.");
    const Ran ran = stop();
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("rule 1 (error): 2 commands fitted\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("rule 2 (lose_reply): 0 commands fitted, and none was struck\n"),
              std::string::npos);
    const Ran shown = run({"proxy", "--show", "events"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_NE(shown.out.find("request 1: SET k v NX\n"), std::string::npos) << shown.out;
    EXPECT_NE(shown.out.find("struck 2: error\n"), std::string::npos) << shown.out;
}

TEST_F(CliProxyTest, json_is_one_object) {
    put_rules("");
    SyncConnection client(start({"proxy", "rules.yaml", "--json"}));
    EXPECT_TRUE(client.command(set("v")).is_ok());
    const Ran ran = stop();
    EXPECT_EQ(ran.code, 0);
    const Json said = parsed(ran.out);
    EXPECT_EQ(said.at("connections"), 1);
    EXPECT_EQ(said.at("links")[0].at("client"), "A");
}

TEST_F(CliProxyTest, refuses_with_one_sentence) {
    put_file(here_ / "rules.yaml", "links: []\n");
    expect_refused({"proxy", "rules.yaml"}, {"rules.yaml:1:8", "0 links"});
    expect_refused({"proxy"}, {"which rules?"});
    expect_refused({"proxy", "nowhere.yaml"}, {"nowhere.yaml"});
    expect_refused({"proxy", "--show", "rules.yaml"}, {"no file of a proxy's events"});
}

}  // namespace
}  // namespace locklab::cli_proxy_test
