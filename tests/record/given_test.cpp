// What a history says beside its events: what its run was given, what its scripts do, what commands
// did to other keys, and which round began a task.
#include <gtest/gtest.h>

#include <sstream>

#include "harness/record/history_json.h"
#include "harness/record/trace_json.h"

namespace locklab {
namespace {

constexpr Script kFree{"free", "return redis.call('del', KEYS[1])"};

Algorithm algorithm() {
    Algorithm some;
    some.name = "some_lock";
    return some;
}
const Algorithm kSome = algorithm();
const Algorithm* find(std::string_view name) { return name == kSome.name ? &kSome : nullptr; }

History history() {
    RunSpec spec;
    spec.algorithm = &kSome;
    spec.grants = 7;
    spec.options.clock_unit = std::chrono::milliseconds(1);
    spec.workload.wait.delay = std::chrono::milliseconds(20);
    spec.workload.job.most = std::chrono::milliseconds(30);
    History history;
    history.world = "live";
    history.clients = 3;
    history.given = to_json(GivenRun{spec, std::chrono::milliseconds(4)});
    const Command frees = Command::eval(kFree, Key{"k"});
    history.events.push_back(
        {Instant(), ClientId{0}, Phase::background, event::Sent{1, NodeId{}, frees, 2}});
    event::Executed ran{1,     NodeId{},          Instant(),
                        frees, Reply::integer(1), KeyEffect{KeyEffect::Kind::deleted}};
    ran.others = {{"k:next", {KeyEffect::Kind::created, std::chrono::seconds(1)}}};
    history.events.push_back({Instant(), ClientId{0}, Phase::background, std::move(ran)});
    return history;
}

std::string text_of(const History& history) {
    std::ostringstream out;
    write_history(out, history);
    return out.str();
}

History read_again(const std::string& text) {
    std::istringstream in(text);
    return read_history(in, "file");
}

TEST(Given, is_read_back) {
    const std::string text = text_of(history());
    const History again = read_again(text);
    EXPECT_EQ(text_of(again), text);
    const GivenRun given = read_given(again.given, "file", find);
    EXPECT_EQ(given.spec.grants, 7U);
    EXPECT_EQ(given.lag, std::chrono::milliseconds(4));
    EXPECT_EQ(given.spec.workload.wait.delay, std::chrono::milliseconds(20));
}

TEST(Given, what_scripts_do_is_read_back) {
    const History again = read_again(text_of(history()));
    const auto& sent = std::get<event::Sent>(again.events.at(0).detail);
    ASSERT_NE(sent.command.script(), nullptr);
    EXPECT_EQ(sent.command.script()->lua, kFree.lua);
    EXPECT_EQ(sent.rounds_ago, 2U);
    const auto& ran = std::get<event::Executed>(again.events.at(1).detail);
    ASSERT_EQ(ran.others.size(), 1U);
    EXPECT_EQ(ran.others[0].key, "k:next");
    EXPECT_EQ(ran.others[0].effect.ttl, std::chrono::seconds(1));
}

TEST(Given, a_file_without_it_is_read) {
    History old = history();
    old.given.clear();
    const std::string text = text_of(old);
    EXPECT_EQ(text.find("given"), std::string::npos);
    EXPECT_EQ(read_again(text).given, "");
}

TEST(Given, names_what_is_wrong) {
    const auto objection = [](const std::string& head) {
        try {
            read_again(R"({"format":"locklab-history","version":1,)" + head + "}\n" +
                       R"({"event":"end","t_us":0})" + "\n");
        } catch (const FormatError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(objection(R"("given":7)").find("'given' must be an object"), std::string::npos);
    EXPECT_NE(objection(R"("scripts":["a"])").find("'scripts' must be an object"),
              std::string::npos);
    EXPECT_THROW(read_given(R"({"algorithm":"no_such_lock"})", "file", find), FormatError);
}

}  // namespace
}  // namespace locklab
