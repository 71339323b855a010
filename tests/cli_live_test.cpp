// Live runs from outside: servers that are none, servers of somebody else, and Ctrl-C, after
// which what was finished is kept and nothing else is left.

#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "harness/live/sync_connection.h"
#include "tests/cli_run.h"

namespace locklab {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A socket that listens on a free port of this machine.
class Listener {
public:
    Listener() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* const raw = reinterpret_cast<sockaddr*>(&address);
        socklen_t size = sizeof address;
        const bool ready = bind(socket_, raw, size) == 0 && listen(socket_, 8) == 0 &&
                           getsockname(socket_, raw, &size) == 0;
        EXPECT_TRUE(ready);
        port_ = ntohs(address.sin_port);
    }
    ~Listener() { close(socket_); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    /// Takes one connection and answers its first words with `answer`.
    void serve_once(std::string_view answer) const {
        const int peer = accept(socket_, nullptr, nullptr);
        char words[256];
        EXPECT_GT(read(peer, words, sizeof words), 0);
        EXPECT_GT(write(peer, answer.data(), answer.size()), 0);
        close(peer);
    }
    std::uint16_t port() const { return port_; }

private:
    int socket_;
    std::uint16_t port_ = 0;
};

class CliLiveTest : public CliTest {
protected:
    /// Somebody's Redis, on a port of its own.
    void start_redis(const Words& more = {}) {
        endpoint_.host = "127.0.0.1";
        endpoint_.port = Listener().port();
        Setting setting = setting_;
        setting.folder = temp_;
        setting.out = setting.err = root_.path() / "redis.log";
        Words words{"--port", std::to_string(endpoint_.port), "--save", "", "--appendonly", "no"};
        words.insert(words.end(), more.begin(), more.end());
        redis_ = std::make_unique<Process>("redis-server", words, setting);
        ASSERT_TRUE(await([&] { return !ask("PING").is_unknown(); })) << content_of(setting.out);
    }
    template <class... Arguments>
    Reply ask(Arguments... words) const {
        SyncConnection connection(endpoint_, 5s);
        return connection.command(Command::of(words...));
    }
    std::string address() const { return to_string(endpoint_); }
    bool has_keys() const { return ask("DBSIZE").as_integer() > 0; }

    /// Starts a verb, interrupts it when `ready` says so, and expects it to end well.
    Ran interrupted(const Words& words, const std::function<bool(Process&)>& ready) {
        Process process(LOCKLAB_PROGRAM, words, setting_);
        EXPECT_TRUE(await([&] { return !process.running() || ready(process); }));
        EXPECT_TRUE(process.running()) << content_of(setting_.err);
        const pid_t redis = process.redis();
        EXPECT_EQ(temp_is_empty(), redis == 0);
        process.interrupt();
        Ran ran = process.wait();
        if (ran.err.starts_with("report: ")) ran.err.erase(0, ran.err.find('\n') + 1);
        expect_sentence(ran, 2, {"interrupted"});
        EXPECT_TRUE(redis == 0 || kill(redis, 0) != 0) << "its redis-server still runs";
        EXPECT_TRUE(temp_is_empty());
        return ran;
    }
    /// The result files of a suite that was interrupted.
    Json interrupted_suite(const fs::path& folder) {
        EXPECT_EQ(parsed(content_of(folder / "manifest.json")).at("complete"), false);
        EXPECT_NE(content_of(folder / "report.html").find("</html>"), std::string::npos);
        EXPECT_NE(content_of(folder / "report.md"), "");
        for (const auto& file : fs::recursive_directory_iterator(folder)) {
            const std::string extension = file.path().extension();
            const Words known{"", ".json", ".jsonl", ".csv", ".html", ".md", ".svg"};
            EXPECT_NE(std::find(known.begin(), known.end(), extension), known.end())
                << file.path() << " is half of a file";
        }
        return parsed(content_of(folder / "suite.json"));
    }

    Endpoint endpoint_;
    std::unique_ptr<Process> redis_;
};

Words live(const std::string& algorithm, const Words& more) {
    Words words{"campaign", algorithm, "--world", "live"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST_F(CliLiveTest, what_is_no_redis_is_named) {
    expect_refused(live("set_nx_lua", {"--redis", "127.0.0.1:1"}), {"127.0.0.1:1", "reached"});
    expect_refused({"suite", "--redis", "127.0.0.1:1"}, {"127.0.0.1:1", "reached"});
    for (const char* address : {"localhost", ":6379", "localhost:", "localhost:0", "localhost:x",
                                "localhost:65536", "::1:6379"}) {
        expect_refused(live("set_nx_lua", {"--redis", address}), {address, "host:port"});
    }
    setting_.environment["LOCKLAB_REDIS"] = "localhost";
    expect_refused(live("set_nx_lua", {}), {"\"localhost\"", "host:port"});
    setting_.environment["LOCKLAB_REDIS"] = "";

    const Listener web;
    std::thread server([&] { web.serve_once("HTTP/1.1 400 Bad Request\r\n\r\n"); });
    const std::string address = "127.0.0.1:" + std::to_string(web.port());
    expect_refused(live("set_nx_lua", {"--redis", address}), {address, "not Redis"});
    server.join();
}

TEST_F(CliLiveTest, a_redis_that_wants_a_password_is_refused) {
    start_redis({"--requirepass", "secret"});
    expect_refused(live("set_nx_lua", {"--redis", address()}), {address(), "password"});
}

TEST_F(CliLiveTest, a_redis_of_somebody_else_cannot_be_restarted) {
    start_redis();
    expect_refused(live("set_nx_lua", {"--redis", address(), "--faults", "restart=1"}),
                   {"'restart'", address(), "--redis"});
}

TEST_F(CliLiveTest, a_campaign_on_somebodys_redis_leaves_only_what_was_there) {
    start_redis();
    ask("SET", "theirs", "1");
    setting_.environment["LOCKLAB_REDIS"] = address();
    const Ran ran = run(live("setnx_del", {"--faults", "crash=1", "--grants", "90", "--json"}));
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_EQ(ran.err, "");
    const Json json = parsed(ran.out);
    EXPECT_EQ(json.at("world"), "live");
    const Json& row = json.at("runs").at(0);
    EXPECT_EQ(row.at("verdict"), "stuck");
    EXPECT_EQ(ask("KEYS", "*").elements().size(), 1U);
    EXPECT_EQ(ask("GET", "theirs").text(), "1");

    // The witness is judged again as it was.
    const std::string command = row.at("replay");
    EXPECT_NE(command.find(" check "), std::string::npos) << command;
    const Ran first = paste(command);
    EXPECT_EQ(first.code, 1);
    EXPECT_EQ(first.out.rfind("stuck: ", 0), 0U) << first.out;
    EXPECT_EQ(paste(command).out, first.out);
}

TEST_F(CliLiveTest, ctrl_c_ends_a_simulated_campaign) {
    const Words words{"campaign", "set_nx_lua", "--faults", "none",
                      "--grants", "1000000000", "--json"};
    const Ran ran = interrupted(words, [&](Process&) {
        if (!fs::exists(home_ / "results/traces")) return false;
        std::this_thread::sleep_for(1s);
        return true;
    });
    const Json row = parsed(ran.out).at("runs").at(0);
    EXPECT_EQ(row.at("verdict"), "unknown");
    EXPECT_EQ(row.at("why_unknown"), "the campaign was cut short");
    EXPECT_GT(row.at("grants"), 0);
}

TEST_F(CliLiveTest, ctrl_c_ends_a_live_campaign_and_its_server) {
    const Words words = live("set_nx_lua", {"--faults", "none", "--grants", "100000", "--json"});
    const Ran ran = interrupted(words, [&](Process& process) {
        if (process.redis() == 0 || !fs::exists(home_ / "results/traces")) return false;
        std::this_thread::sleep_for(1s);
        return true;
    });
    EXPECT_EQ(parsed(ran.out).at("runs").at(0).at("verdict"), "unknown");
}

TEST_F(CliLiveTest, ctrl_c_leaves_no_key_on_somebodys_redis) {
    start_redis();
    const Words words =
        live("all", {"--faults", "crash=1", "--grants", "100000", "--redis", address()});
    interrupted(words, [&](Process&) { return has_keys(); });
    EXPECT_FALSE(has_keys());
}

TEST_F(CliLiveTest, ctrl_c_in_the_simulated_part_of_a_suite_keeps_what_is_finished) {
    use_sources();
    const Words words{"suite", "--runs", "300", "--out", "a run"};
    const Ran ran =
        interrupted(words, [&](Process&) { return fs::exists(here_ / "a run/traces"); });
    EXPECT_NE(ran.out.find("a run/report.html"), std::string::npos) << ran.out;
    const Json suite = interrupted_suite(here_ / "a run");
    EXPECT_EQ(suite.at("cells").at(0).at("algorithm"), "no_lock");
    EXPECT_EQ(suite.at("cells").at(0).at("verdict"), "violated");
    for (const Json& cell : suite.at("cells")) {
        EXPECT_TRUE(cell.at("world") == "sim" || cell.at("verdict") == "not_applicable") << cell;
    }
}

TEST_F(CliLiveTest, ctrl_c_in_the_live_part_of_a_suite_keeps_what_is_finished) {
    use_sources();
    const Words words{"suite", "--runs", "4", "--out", "a run", "--json"};
    const Ran ran =
        interrupted(words, [&](Process&) { return fs::exists(here_ / "a run/histories"); });
    EXPECT_EQ(parsed(ran.out).at("complete"), false);
    std::size_t live_cells = 0;
    const Json suite = interrupted_suite(here_ / "a run");
    for (const Json& cell : suite.at("cells")) {
        live_cells += cell.at("world") == "live" && cell.at("verdict") != "not_applicable";
    }
    EXPECT_GE(live_cells, 12U) << "contention was finished";
    EXPECT_FALSE(suite.at("agreement").empty());
    // What was found is shown again by its witness.
    const std::string command = suite.at("cells").at(0).at("replay");
    EXPECT_EQ(paste("cd '" + here_.string() + "' && " + command).code, 1) << command;
}

}  // namespace
}  // namespace locklab
