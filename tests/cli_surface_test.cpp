// surface.json of a suite, and the options of a campaign that repeat its points.

#include <set>

#include "tests/cli_live_run.h"

namespace locklab {
namespace {

namespace fs = std::filesystem;

class CliSurfaceTest : public CliLiveTest {
protected:
    /// Of a suite so small that it says little, stopped as soon as it is there.
    Json surface() {
        use_sources();
        const fs::path file = here_ / "a run" / "surface.json";
        interrupted({"suite", "--runs", "1", "--out", "a run"},
                    [&](Process&) { return fs::exists(file); });
        return parsed(content_of(file)).at("surface");
    }
};

TEST_F(CliSurfaceTest, has_every_lock_and_each_point_can_be_repeated) {
    const Json points = surface();
    std::map<std::string, std::set<std::pair<std::int64_t, std::int64_t>>> seen;
    std::size_t repeated = 0;
    for (const Json& point : points) {
        SCOPED_TRACE(point.at("replay"));
        const std::string lock = point.at("algorithm");
        const Json& ttl = point.at("ttl_us");
        const std::int64_t ttl_us = ttl.is_null() ? 0 : ttl.get<std::int64_t>();
        EXPECT_TRUE(seen[lock].emplace(ttl_us, point.at("pause_length_us")).second);
        EXPECT_EQ(point.at("clients"), 5);
        EXPECT_EQ(point.at("pause_every_us"), 5'000'000);
        EXPECT_GE(point.at("grants"), 10);
        if (seen[lock].size() != 2) continue;
        ++repeated;
        const Ran ran = paste("cd '" + here_.string() + "' && " +
                              point.at("replay").get<std::string>() + " --json");
        const Json row = parsed(ran.out).at("runs")[0];
        for (const char* key : {"runs", "grants", "overlaps", "writes", "erased_writes",
                                "erased_per_1000_writes", "pause_length_us"}) {
            EXPECT_EQ(row.at(key), point.at(key)) << key;
        }
    }
    const Json locks = parsed(run({"list", "algorithms", "--json"}).out).at("algorithms");
    EXPECT_EQ(seen.size(), locks.size());
    EXPECT_EQ(repeated, locks.size());
    for (const auto& [lock, places] : seen) {
        const bool expires = places.begin()->first > 0;
        EXPECT_EQ(places.size(), expires ? 4U : 2U) << lock;
    }
}

TEST_F(CliTest, a_pause_that_outlasts_the_ttl_erases_writes_and_a_shorter_one_does_not) {
    const auto erased = [&](const std::string& length) {
        const Ran ran = run({"campaign", "set_nx_lua", "--faults", "none", "--ttl", "2s", "--job",
                             "200ms-500ms", "--think", "0s", "--pause-every", "5s",
                             "--pause-length", length, "--grants", "2000", "--json"});
        return parsed(ran.out).at("runs")[0].at("erased_writes").get<int>();
    };
    // A job of half a second at most, and a pause of 1.4 s, end within the 2 s.
    EXPECT_EQ(erased("1400ms"), 0);
    EXPECT_GT(erased("2400ms"), 0);
}

TEST_F(CliTest, regular_pauses_are_in_the_trace) {
    const Ran ran = run({"campaign", "set_nx_del", "--faults", "none", "--ttl", "1s",
                         "--pause-every", "2s", "--pause-length", "3s", "--grants", "300"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_NE(ran.out.find("under a pause of 3s every 2s: violated"), std::string::npos) << ran.out;
    const Ran again =
        paste("cd '" + here_.string() + "' && " + ran.out.substr(ran.out.find("replay: ") + 8));
    EXPECT_EQ(again.code, 1);
    EXPECT_NE(again.out.find("expired_while_held"), std::string::npos) << again.out;
}

TEST_F(CliTest, what_makes_no_sense_of_jobs_and_pauses_is_refused) {
    const auto refused = [&](const Words& more, const Words& said) {
        Words words{"campaign", "set_nx_lua"};
        words.insert(words.end(), more.begin(), more.end());
        expect_sentence(run(words), 64, said);
    };
    refused({"--job", "2s-1s"}, {"--job", "2s-1s", "0s-2s"});
    refused({"--job", "0s"}, {"--job", "longer than nothing"});
    refused({"--think", "soon"}, {"--think", "soon", "300ms"});
    refused({"--pause-every", "5s"}, {"--pause-length", "need each other"});
    refused({"--pause-length", "5s"}, {"--pause-every", "need each other"});
    refused({"--pause-every", "1us", "--pause-length", "1s"}, {"--pause-every 1us", "too often"});
    refused({"--pause-every", "1s", "--pause-length", "1440min", "--clients", "1000"},
            {"5000 hours"});
    refused({"--world", "live", "--pause-every", "1s", "--pause-length", "1s"}, {"--world sim"});
}

}  // namespace
}  // namespace locklab
