// Servers that are not Redis, started by a program of a few lines.

#include "harness/foreign/own_servers.h"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/foreign/subject.h"
#include "harness/foreign/team.h"
#include "tests/foreign/python_library.h"

namespace locklab::own_servers_test {
namespace {

using std::chrono::seconds;

DriverProcess::Start program(const std::string& lines) {
    return {{"/usr/bin/python3", "-c", lines}, {}, "/"};
}

/// Its folder is the one server: a lock is a folder in it.
constexpr const char* kFolder =
    "import json, os, sys\n"
    "print(json.dumps({'nodes': [sys.argv[1]]}), flush=True)\n"
    "for line in sys.stdin:\n"
    "    open(sys.argv[1] + '/told', 'a').write(json.loads(line)['op'] + ' ')\n"
    "    print(json.dumps({'done': True}), flush=True)\n";

std::string trouble_of(const std::string& lines) {
    try {
        OwnServers servers("odd", program(lines));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

TEST(OwnServers, hang_and_go_on_once) {
    OwnServers servers("odd", program(kFolder));
    ASSERT_EQ(servers.nodes().size(), 1U);
    EXPECT_FALSE(servers.hung_until());
    EXPECT_TRUE(servers.freeze(NodeId{0}, seconds(100)));
    EXPECT_FALSE(servers.freeze(NodeId{0}, seconds(100))) << "one hangs already";
    EXPECT_EQ(servers.do_due(OwnServers::Clock::now()), Duration(0));
    EXPECT_TRUE(servers.next_due());
    EXPECT_GE(servers.do_due(*servers.next_due() + seconds(1)), Duration(seconds(1)));
    EXPECT_FALSE(servers.next_due());
    servers.thaw();
    std::ifstream told(servers.nodes().front() + "/told");
    std::string all;
    std::getline(told, all);
    EXPECT_EQ(all, "stop go_on ");
}

TEST(OwnServers, that_do_not_start_are_a_sentence) {
    EXPECT_EQ(trouble_of("import sys; sys.exit('no room')"),
              "The servers of odd: their program ended with code 1: no room.");
    EXPECT_EQ(trouble_of("print('ready', flush=True); input()"),
              "The servers of odd say no JSON: ready");
    EXPECT_EQ(trouble_of("print('{\"nodes\": []}', flush=True); input()"),
              "The servers of odd do not say where they are; right would be one line, as "
              "{\"nodes\": [\"127.0.0.1:2379\"]}.");
}

/// A lock of folders: nothing of it comes to Redis.
Library folder_lock() {
    Library library = python_library(R"(
import json, os, sys
for line in sys.stdin:
    a, said = json.loads(line), {}
    if a["op"] == "hello":
        said = {"library": "odd", "version": "1", "nodes": "one"}
        said |= {key: False for key in ("waits", "renews", "extends", "tells", "fences")}
    if a["op"] == "open":
        place = a["nodes"][0] + "/" + a["key"].replace(":", "_")
    if a["op"] == "acquire":
        try:
            os.mkdir(place)
            said = {"granted": True}
        except FileExistsError:
            said = {"granted": False}
    if a["op"] == "step":
        said = {"ok": True, "lost": False}
    if a["op"] == "release":
        os.rmdir(place)
        said = {"released": True}
    if a["op"] == "exit":
        break
    print(json.dumps({"id": a["id"], "called_us": 0, "answered_us": 0, **said}), flush=True)
)");
    library.servers = {"/usr/bin/python3", "-c", kFolder};
    library.like = "set_nx_lua";
    return library;
}

TEST(OwnServers, are_what_drivers_are_told) {
    const Library library = folder_lock();
    const Subject subject(library);
    Team team(subject);
    EXPECT_EQ(team.own_servers(), nullptr) << "not before it is opened";
    const Endpoint redis = parse_endpoint("127.0.0.1:1");
    EXPECT_EQ(team.open({"locklab:x", seconds(1), seconds(1), {{redis}, {redis}}}), "");
    ASSERT_NE(team.own_servers(), nullptr);
    EXPECT_EQ(Team::ask(team.driver(0), DriverOp::acquire, {{"wait_ms", 0}}).yes, true);
    EXPECT_EQ(Team::ask(team.driver(1), DriverOp::acquire, {{"wait_ms", 0}}).yes, false);
}

TEST(OwnServers, are_struck_by_what_needs_no_redis) {
    const Library library = folder_lock();
    const Subject subject(library);
    for (const Hazard hazard : {Hazard::crash, Hazard::pause, Hazard::slow_job, Hazard::freeze}) {
        EXPECT_EQ(subject.why_not_struck_by(hazard), "") << name_of(hazard);
    }
    for (const Hazard hazard :
         {Hazard::lose_reply, Hazard::evict, Hazard::restart, Hazard::server_clock_jump}) {
        EXPECT_EQ(subject.why_not_struck_by(hazard), "its servers are not Redis")
            << name_of(hazard);
    }
    EXPECT_EQ(subject.nodes_asked(1), 0U) << "no command to Redis is missed";
    EXPECT_NE(subject.why_not_on(Topology{}), "");
}

}  // namespace
}  // namespace locklab::own_servers_test
