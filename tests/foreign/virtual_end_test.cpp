// What a library still does in threads of its own does not come in a play that begins: neither of
// the play before, nor of the first try.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>

#include "harness/foreign/play_drives.h"
#include "harness/foreign/virtual_play.h"
#include "harness/record/history_json.h"
#include "tests/foreign/python_library.h"

namespace locklab::virtual_end_test {
namespace {

/// After each release a thread does `later`, on a connection of its own, which it opens first.
Library library_that(const std::string& later) {
    const std::string thread = R"py(
        import os, threading, time
        def do_later(key=key, ttl=ttl, server=link.getpeername()):
            time.sleep(1.5)
)py" + later + R"py(
        threading.Thread(target=do_later, daemon=True).start()
)py";
    Library library = python_library(python_driver(
        "        said = {'granted': tell('SET', key, 'x', 'NX', 'PX', ttl)[:1] == b'+'}\n",
        "        said = {'released': tell('DEL', key) == b':1\\r\\n'}\n" + thread));
    library.like = "set_nx_lua";
    return library;
}

const std::string kSetIt = R"(
            link = socket.create_connection(server)
            tell_it = b"SET %s late" % key.encode()
            link.sendall(tell_it + b"\r\n")
            link.recv(100)
)";
const std::string kSetItForEver = R"(
            while True:
                time.sleep(0.02)
                link = socket.create_connection(server)
                link.sendall(b"SET %s late PX 10\r\n" % key.encode())
                link.recv(100)
                link.close()
)";

std::string text_of(VirtualWorld& world, const Subject& subject, std::uint64_t number) {
    PlaySpec spec;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    RandomDrive drive(1, number);
    const PlayResult play = play_virtually(world, subject, spec, drive, number);
    EXPECT_TRUE(play.is_whole);
    std::ostringstream text;
    write_history(text, play.history);
    return text.str();
}

void expect_the_same_in_a_fresh_world(const std::string& later) {
    const Library library = library_that(later);
    const Subject subject(library);
    VirtualWorld world(subject, 2);
    for (std::uint64_t play = 0; play < 4; ++play) {
        const std::string it = text_of(world, subject, play);
        VirtualWorld fresh(subject, 2);
        EXPECT_EQ(it, text_of(fresh, subject, play)) << "play " << play;
    }
}

TEST(VirtualEnd, what_a_thread_does_later_is_done_before_the_next_play) {
    expect_the_same_in_a_fresh_world(kSetIt);
}

TEST(VirtualEnd, a_process_that_goes_on_and_on_is_ended) {
    expect_the_same_in_a_fresh_world(kSetItForEver);
}

const std::string kPingForEver = R"(
            link = socket.create_connection(server)
            while True:
                link.sendall(b"PING\r\n")
                link.recv(100)
)";

TEST(VirtualEnd, who_sends_and_sends_at_one_instant_holds_nobody_up) {
    const Library library = library_that(kPingForEver);
    const Subject subject(library);
    VirtualWorld world(subject, 2);
    const bool both[] = {true, true};
    for (int play = 0; play < 2; ++play) {
        world.open({subject.usual_ttl(), subject.usual_ttl(), 1});
        world.close(both);
    }
}

/// It grants always, and ends when its client closes.
TEST(VirtualEnd, what_was_proved_stands_though_a_driver_goes_afterwards) {
    const Library library = python_library(python_driver(
        "        said = {'granted': True}; tell('SET', key, 'x')\n",
        "        said = {'released': True}\n    if a['op'] == 'close':\n        sys.exit(3)\n"));
    const Subject subject(library);
    VirtualWorld world(subject, 2);
    PlaySpec spec;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    for (std::uint64_t number = 0; number < 2; ++number) {
        RandomDrive drive(1, number);
        EXPECT_FALSE(play_virtually(world, subject, spec, drive, number).proved.empty());
    }
}

/// What the first try and release of a driver sent without awaiting an answer has arrived.
TEST(VirtualEnd, a_play_begins_with_nothing_on_its_way) {
    Library library = python_library(python_driver(
        "        said = {'granted': tell('SET', key, 'x', 'NX', 'PX', ttl)[:1] == b'+'}\n",
        "        said = {'released': tell('DEL', key) == b':1\\r\\n'}\n"
        "        link.sendall(b'PING\\r\\n')\n"));
    const Subject subject(library);
    VirtualWorld world(subject, 2);
    world.open({subject.usual_ttl(), subject.usual_ttl(), 1});
    EXPECT_TRUE(world.held().empty());
}

TEST(VirtualEnd, who_sleeps_for_a_day_after_a_command_is_told_so) {
    const Library library = python_library(python_driver(
        "        tell('SET', key, 'x', 'NX', 'PX', ttl); __import__('time').sleep(9e4)\n",
        "        pass\n"));
    const Subject subject(library);
    VirtualWorld world(subject, 1);
    try {
        world.open({subject.usual_ttl(), subject.usual_ttl(), 1});
        FAIL() << "it answered";
    } catch (const DriverTrouble& trouble) {
        EXPECT_STREQ(trouble.what(),
                     "The driver of odd does not answer 'acquire' in virtual time: it waits for "
                     "longer than the 60s that an answer may take.");
    }
}

/// A lock whose process does this in a thread, from its beginning or from each try.
Library library_with_thread(const std::string& does, bool begins_in_try) {
    const std::string begin = "__import__('threading').Thread(target=it, daemon=True).start()\n";
    Library library = python_library(
        "import time\ndef it():\n    " + does + "\n" + (begins_in_try ? "" : begin) +
        python_driver("        said = {'granted': tell('SET', key, 'x', 'NX', 'PX', ttl)[:1] == "
                      "b'+'}\n" +
                          (begins_in_try ? "        " + begin : ""),
                      "        said = {'released': tell('DEL', key) == b':1\\r\\n'}\n"));
    library.like = "set_nx_lua";
    return library;
}

const std::string kTicks = "while True: time.sleep(0.07)";

/// Whether the client has a timer when a play begins, and when it has ended.
std::pair<bool, bool> timers_of(const Library& library) {
    const Subject subject(library);
    VirtualWorld world(subject, 1);
    world.open({subject.usual_ttl(), subject.usual_ttl(), 1});
    const bool at_begin = world.deadline(0).has_value();
    const bool well[] = {true};
    world.close(well);
    return {at_begin, world.deadline(0).has_value()};
}

TEST(VirtualEnd, whose_timers_go_on_after_a_play_begins_anew) {
    EXPECT_EQ(timers_of(library_with_thread(kTicks, true)), std::pair(true, false));
}

/// As Go's and Java's runtimes do.
TEST(VirtualEnd, whose_timers_went_on_from_the_beginning_goes_on) {
    EXPECT_EQ(timers_of(library_with_thread(kTicks, false)), std::pair(true, true));
}

TEST(VirtualEnd, a_play_begins_when_what_began_with_the_process_is_over) {
    EXPECT_EQ(timers_of(library_with_thread("time.sleep(8)", false)), std::pair(false, false));
}

TEST(VirtualEnd, a_play_begins_when_what_was_closed_for_it_is_over) {
    EXPECT_EQ(timers_of(library_with_thread("time.sleep(2)", true)), std::pair(false, false));
}

/// It would else wait for its answer while time passes, and its client might give up.
TEST(VirtualEnd, what_a_library_sends_as_a_play_is_opened_has_arrived) {
    const Library library = library_with_thread(
        "time.sleep(1); link.sendall(b'PING\\r\\n'); open('/dev/null'); link.recv(9)", true);
    const Subject subject(library);
    VirtualWorld world(subject, 1);
    world.open({subject.usual_ttl(), subject.usual_ttl(), 1});
    EXPECT_TRUE(world.held().empty());
}

}  // namespace
}  // namespace locklab::virtual_end_test
