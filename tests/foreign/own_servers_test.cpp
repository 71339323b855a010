// Servers that are not Redis, started by a program of a few lines.

#include "harness/foreign/own_servers.h"

#include <gtest/gtest.h>

#include "harness/core/fault_text.h"
#include "harness/foreign/foreign_run.h"
#include "harness/foreign/subject.h"
#include "harness/foreign/team.h"
#include "tests/foreign/python_library.h"
#include "tests/proxy/raw_client.h"

namespace locklab::own_servers_test {
namespace {

using std::chrono::seconds;

DriverProcess::Start program(const std::string& lines) {
    return {{"/usr/bin/python3", "-c", lines}, {}, "/"};
}

/// One server, of lines: "take NAME" and "free NAME" are answered "yes" or "no", and "told" with
/// the orders so far, as Redis says a word.
constexpr const char* kLines = R"(
import json, socketserver, sys, threading
held, told = set(), []
class Client(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            what, _, name = line.decode().strip().partition(" ")
            said = "no" if what == "take" and name in held else "yes"
            if what == "told":
                said = "+" + " ".join(told) + "\r"
            if what == "take":
                held.add(name)
            if what == "free":
                held.discard(name)
            self.wfile.write(said.encode() + b"\n")
class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
server = Server(("127.0.0.1", 0), Client)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"nodes": ["127.0.0.1:%d" % server.server_address[1]]}), flush=True)
for line in sys.stdin:
    told.append(json.loads(line)["op"])
    print(json.dumps({"done": told[-1], "node": 0}), flush=True)
)";

std::string told(const OwnServers& servers) {
    RawClient client(servers.nodes().front());
    client.say("told\n");
    return client.hear();
}

std::string trouble_of(const std::string& lines) {
    try {
        OwnServers servers("odd", program(lines));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

TEST(OwnServers, hang_and_go_on_once) {
    OwnServers servers("odd", program(kLines));
    ASSERT_EQ(servers.count(), 1U);
    EXPECT_FALSE(servers.away_until());
    EXPECT_TRUE(servers.freeze(NodeId{0}, seconds(100)));
    EXPECT_FALSE(servers.freeze(NodeId{0}, seconds(100))) << "one hangs already";
    EXPECT_FALSE(servers.kill_leader(seconds(100))) << "one hangs already";
    EXPECT_EQ(servers.do_due(OwnServers::Clock::now()), Duration(0));
    EXPECT_TRUE(servers.next_due());
    EXPECT_GE(servers.do_due(*servers.next_due() + seconds(1)), Duration(seconds(1)));
    EXPECT_FALSE(servers.next_due());
    EXPECT_EQ(told(servers), "+stop go_on\r\n");
    servers.restore();
    EXPECT_EQ(told(servers), "+stop go_on await\r\n");
}

TEST(OwnServers, whose_leader_is_killed_have_it_back_at_the_end_of_a_run) {
    OwnServers servers("odd", program(kLines));
    EXPECT_EQ(servers.kill_leader(seconds(100)), std::optional(NodeId{0}));
    EXPECT_TRUE(servers.next_due());
    servers.restore();
    EXPECT_FALSE(servers.next_due());
    EXPECT_EQ(told(servers), "+kill_leader start await\r\n");
}

/// What the servers answer to an order, as a sentence.
std::string trouble_with(const std::string& answer) {
    OwnServers servers("odd", program("import sys\n"
                                      "print('{\"nodes\": [\"127.0.0.1:9\"]}', flush=True)\n"
                                      "sys.stdin.readline()\n" +
                                      answer));
    try {
        static_cast<void>(servers.kill_leader(seconds(1)));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

TEST(OwnServers, that_do_not_do_what_they_are_told_are_a_sentence) {
    EXPECT_EQ(trouble_with("print('{\"error\": \"nobody leads\"}', flush=True)"),
              "The servers of odd do not do {\"op\":\"kill_leader\"}: nobody leads; right would "
              "be one line with \"done\".");
    EXPECT_EQ(trouble_with("print('{\"done\": \"kill_leader\", \"node\": 7}', flush=True)"),
              "The servers of odd do not say which of them was killed; right would be one line, "
              "as {\"done\": \"kill_leader\", \"node\": 0}.");
    EXPECT_EQ(trouble_with("sys.exit('server 1 has ended by itself')"),
              "The servers of odd: their program ended with code 1: server 1 has ended by itself.");
}

TEST(OwnServers, that_do_not_start_are_a_sentence) {
    EXPECT_EQ(trouble_of("import sys; sys.exit('no room')"),
              "The servers of odd: their program ended with code 1: no room.");
    EXPECT_EQ(trouble_of("print('ready', flush=True); input()"),
              "The servers of odd say no JSON object: ready; right would be one in each line.");
    EXPECT_EQ(trouble_of("print('x' * 3_000_000, flush=True); input()"),
              "The servers of odd say too much in one line; right would be at most 1000000 bytes.");
    for (const char* nodes : {"[]", "[7]", "[\"here\"]", "\"127.0.0.1:2379\""}) {
        const std::string line = "{\"nodes\": " + std::string(nodes) + "}";
        EXPECT_EQ(trouble_of("print('" + line + "', flush=True); input()"),
                  "The servers of odd do not say where they are; right would be one line, as "
                  "{\"nodes\": [\"127.0.0.1:2379\"]}.")
            << line;
    }
}

/// Its lock: nothing of it comes to Redis. It waits for ever for an answer, and connects again
/// where its connection has ended.
Library lock_of_lines() {
    Library library = python_library(R"(
import json, socket, sys
connection = None
def ask(what):
    global connection
    for again in range(2):
        try:
            if connection is None:
                host, _, port = node.partition(":")
                connection = socket.create_connection((host, int(port))).makefile("rw")
            connection.write(what + "\n")
            connection.flush()
            said = connection.readline().strip()
            if said:
                return said == "yes"
        except OSError:
            pass
        connection = None
for line in sys.stdin:
    a, said = json.loads(line), {}
    if a["op"] == "hello":
        said = {"library": "odd", "version": "1", "nodes": "one"}
        said |= {key: False for key in ("waits", "renews", "extends", "tells", "fences")}
    if a["op"] == "open":
        node, key = a["nodes"][0], a["key"]
    if a["op"] == "acquire":
        said = {"granted": ask("take " + key)}
    if a["op"] == "step":
        said = {"ok": True, "lost": False}
    if a["op"] == "release":
        said = {"released": ask("free " + key)}
    if a["op"] == "exit":
        break
    print(json.dumps({"id": a["id"], "called_us": 0, "answered_us": 0, **said}), flush=True)
)");
    library.servers = {"/usr/bin/python3", "-c", kLines};
    library.like = "set_nx_lua";
    return library;
}

TEST(OwnServers, are_started_once_by_their_team) {
    const Library library = lock_of_lines();
    const Subject subject(library);
    Team team(subject);
    OwnServers* own = team.start_own_servers();
    ASSERT_NE(own, nullptr);
    EXPECT_EQ(team.start_own_servers(), own);
    EXPECT_EQ(team.open({"locklab:x", seconds(1), seconds(1), {own->nodes(), own->nodes()}}), "");
    EXPECT_EQ(Team::ask(team.driver(0), DriverOp::acquire, {{"wait_ms", 0}}).yes, true);
    EXPECT_EQ(Team::ask(team.driver(1), DriverOp::acquire, {{"wait_ms", 0}}).yes, false);
}

/// How often it struck in the first of ten runs that had it.
std::uint64_t strikes(const Subject& subject, std::string_view faults) {
    LockOptions options = subject.row().defaults;
    options.ttl = std::chrono::milliseconds(200);
    RunSpec spec = make_run_spec(subject.row(), options, options.ttl, parse_faults(faults));
    spec.grants = 6;
    ManagedServers servers(spec.topology);
    Team team(subject);
    std::uint64_t struck = 0;
    for (std::uint64_t seed = 1; struck == 0 && seed <= 10; ++seed) {
        const History history =
            run_foreign({spec, subject, seed, 1}, servers, team, [] { return false; }).history;
        for (const Event& event : history.events) {
            struck += std::holds_alternative<event::Fault>(event.detail) ? 1 : 0;
        }
    }
    return struck;
}

TEST(OwnServers, are_behind_the_proxy_which_strikes_bytes) {
    const Library library = lock_of_lines();
    const Subject subject(library);
    for (const char* faults :
         {"reset=1", "delay_reply=1", "delay_request=1", "lose_reply=1", "partition=1"}) {
        EXPECT_EQ(strikes(subject, faults), 1U) << faults;
    }
}

TEST(OwnServers, lose_their_leader_and_the_history_says_so) {
    const Library library = lock_of_lines();
    const Subject subject(library);
    EXPECT_EQ(strikes(subject, "failover=1"), 1U);
}

TEST(OwnServers, are_struck_by_what_needs_no_redis) {
    const Library library = lock_of_lines();
    const Subject subject(library);
    for (const Hazard hazard :
         {Hazard::crash, Hazard::pause, Hazard::slow_job, Hazard::freeze, Hazard::failover,
          Hazard::reset, Hazard::lose_request, Hazard::lose_reply, Hazard::delay_request,
          Hazard::delay_reply, Hazard::partition}) {
        EXPECT_EQ(subject.why_not_struck_by(hazard), "") << name_of(hazard);
    }
    for (const Hazard hazard : {Hazard::retry, Hazard::error_reply, Hazard::evict, Hazard::restart,
                                Hazard::restart_snapshot, Hazard::server_clock_jump}) {
        EXPECT_EQ(subject.why_not_struck_by(hazard), "its servers are not Redis")
            << name_of(hazard);
    }
    EXPECT_EQ(subject.nodes_asked(1), 0U) << "no command to Redis is missed";
    EXPECT_NE(subject.why_not_on(Topology{}), "");
}

}  // namespace
}  // namespace locklab::own_servers_test
