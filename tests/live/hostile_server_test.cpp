// Servers that answer twice, for ever, without an end or too slowly. Nobody aborts, and nobody
// waits for longer than the headers say.

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "harness/live/blocking_client.h"
#include "harness/live/probe.h"
#include "harness/live/run_registry.h"
#include "tests/live/fake_server.h"
#include "tests/live/live_fixture.h"

namespace locklab::hostile_server_test {
namespace {

using Clock = std::chrono::steady_clock;
using Peer = FakeServer::Peer;

/// Answers whatever it hears with these words.
FakeServer::Serve answering(std::string words) {
    return [words](Peer& peer) {
        while (peer.hear() && peer.say(words)) {
        }
    };
}
void answer_slowly(Peer& peer) {
    while (peer.hear() && peer.drip("+" + std::string(300, 'x'), 50ms)) {
    }
}
/// A text of 900 MB.
void answer_at_length(Peer& peer) {
    if (!peer.hear() || !peer.say("$900000000\r\n")) return;
    while (peer.say(std::string(65'536, 'x'))) {
    }
}
/// Lists in a list, each short enough.
void answer_with_many(Peer& peer) {
    if (!peer.hear() || !peer.say("*10000\r\n")) return;
    std::string list = "*1000\r\n";
    for (int i = 0; i < 1000; ++i) list += ":1\r\n";
    while (peer.say(list)) {
    }
}

struct Hostile {
    const char* name;
    FakeServer::Serve serve;
    const char* words;  ///< what is said of it over a connection that blocks
};

const std::vector<Hostile>& hostiles() {
    static const std::vector<Hostile> all{
        {"slow", answer_slowly, "not complete after 300ms"},
        {"long", answer_at_length, "longer than 1 MB"},
        {"endless_list", answering("*2000000000\r\n:1\r\n"), "longer than 1 MB"},
        {"lists", answer_with_many, "longer than 1 MB"},
        {"deep", answering("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n"),
         "nested"},
        {"other_language", answering("HTTP/1.1 400 Bad Request\r\n\r\n"), "Protocol error"},
        {"closing", [](Peer& peer) { peer.hear(); }, "closed"}};
    return all;
}

Duration time_of(const std::function<void()>& what) {
    const Clock::time_point began = Clock::now();
    what();
    return std::chrono::duration_cast<Duration>(Clock::now() - began);
}

TEST(HostileServer, a_connection_for_questions_ends_in_time) {
    for (const Hostile& hostile : hostiles()) {
        FakeServer server(hostile.serve);
        SyncConnection connection(server.endpoint(), 300ms);
        Reply reply;
        const Duration took = time_of([&] { reply = connection.command(Command::of("PING")); });
        EXPECT_TRUE(reply.is_unknown()) << hostile.name;
        EXPECT_NE(connection.reason().find(hostile.words), std::string::npos)
            << hostile.name << ": " << connection.reason();
        EXPECT_LT(took, 5s) << hostile.name;
    }
}

TEST(HostileServer, a_probe_ends_in_time) {
    for (const Hostile& hostile : hostiles()) {
        FakeServer server(hostile.serve);
        const Duration took = time_of(
            [&] { EXPECT_THROW(probe(server.endpoint()), std::runtime_error) << hostile.name; });
        EXPECT_LT(took, 10s) << hostile.name;
    }
}

TEST(HostileServer, a_client_that_blocks_ends_in_time) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    Workload workload;
    workload.lock_alone = true;
    for (const Hostile& hostile : hostiles()) {
        FakeServer server(hostile.serve);
        BlockingClient client(lock, lock.defaults, workload, server.endpoint(), Key{"k"}, 300ms);
        const Duration took = time_of(
            [&] { EXPECT_THROW(client.run_for(10ms), std::runtime_error) << hostile.name; });
        EXPECT_LT(took, 5s) << hostile.name;
    }
}

/// Three clients that give up on a command after 50 ms, for half a second.
LiveResult run_against(const Endpoint& endpoint, Duration job = 1ms) {
    LiveConfig config = short_run(1'000'000);
    config.workload.job = {job, job};
    config.command_timeout = 50ms;
    config.patience = 500ms;
    config.duration = 500ms;
    LiveLoop loop(endpoint);
    return std::move(run_all(loop, {std::move(config)}).front());
}

TEST(HostileServer, a_run_ends_in_time_and_says_what_broke) {
    for (const Hostile& hostile : hostiles()) {
        FakeServer server(hostile.serve);
        LiveResult result;
        // Beside the run itself: to write down that it begins, and to delete its keys.
        const Duration took = time_of([&] { result = run_against(server.endpoint()); });
        EXPECT_EQ(result.grants, 0U) << hostile.name;
        EXPECT_EQ(result.disconnected.empty(), hostile.name == std::string("slow"))
            << hostile.name << ": " << result.disconnected;
        EXPECT_LT(took, 15s) << hostile.name;
    }
}

TEST(HostileServer, whoever_answers_twice_ends_his_connection) {
    FakeServer at_once(answering("+OK\r\n+OK\r\n"));
    const LiveResult result = run_against(at_once.endpoint());
    EXPECT_EQ(result.disconnected, "it answers what nobody asked");

    // Clients are at work then, and wait for nothing.
    FakeServer later([](Peer& peer) {
        while (peer.hear() && peer.say("+OK\r\n")) {
            std::this_thread::sleep_for(10ms);
            peer.say("+OK\r\n");
        }
    });
    const LiveResult delayed = run_against(later.endpoint(), 100ms);
    EXPECT_EQ(delayed.disconnected, "it answers what nobody asked");

    FakeServer unasked([](Peer& peer) {
        peer.say(":1\r\n:2\r\n");
        peer.hear();
    });
    EXPECT_EQ(run_against(unasked.endpoint()).grants, 0U);
}

TEST(HostileServer, whoever_is_full_says_so) {
    FakeServer full([](Peer& peer) { peer.say("-ERR max number of clients reached\r\n"); });
    const LiveResult result = run_against(full.endpoint());
    EXPECT_EQ(result.grants, 0U);
    EXPECT_FALSE(result.disconnected.empty() && result.refused.empty());
}

TEST(HostileServer, an_error_is_shortened_and_written_out) {
    FakeServer loud(answering("-READONLY \x1b[31m" + std::string(5'000, 'x') + "\r\n"));
    SyncConnection connection(loud.endpoint(), 300ms);
    const Reply reply = connection.command(Command::of("PING"));
    ASSERT_TRUE(reply.is_error());
    EXPECT_TRUE(reply.text().starts_with("READONLY \\x1b[31mxxx")) << reply.text();
    EXPECT_LE(reply.text().size(), 203U);
    EXPECT_EQ(run_against(loud.endpoint()).refused, reply.text());
}

TEST(HostileServer, a_scan_without_an_end_is_ended) {
    FakeServer round(answering("*2\r\n$1\r\n1\r\n*1\r\n$1\r\nk\r\n"));
    SyncConnection connection(round.endpoint(), 300ms);
    const std::string why = delete_keys(connection, "locklab:0123456789abcdef:");
    EXPECT_EQ(why, "the server answers what Redis would not");
}

}  // namespace
}  // namespace locklab::hostile_server_test
