// Every way in which a history file can be wrong, and what is said then.
#include <gtest/gtest.h>

#include <sstream>

#include "harness/record/history_json.h"

namespace locklab::history_errors_test {
namespace {

/// The whole message of the FormatError, or "read".
std::string error_of(const std::string& text) {
    std::istringstream in(text);
    try {
        read_history(in, "h");
    } catch (const FormatError& error) {
        return error.what();
    }
    return "read";
}

struct Bad {
    const char* text;
    const char* message;
};

constexpr Bad kBad[] = {
    {"", "h:1: the file is empty; a history has a line for each event"},
    {"\n", "h:1: the line is empty; every line is one JSON object"},
    {"nonsense", "h:1: it is not JSON from column 2 on; every line is one whole JSON object"},
    {"[1]", "h:1: it is '[1]', not a JSON object like {\"key\":...}"},
    {R"({"t_us":1,"client":0,"event":"wants"}
{"t_us":2,"client":0,"event":"gran)",
     "h:2: it is not JSON from column 35 on; every line is one whole JSON object"},
    {R"({"t_us":1,"client":0,"event":"wants"}

)",
     "h:2: the line is empty; every line is one JSON object"},
    {"{\"t_us\":1,\"client\":0,\"event\":\"\xff\"}",
     "h:1: it is not UTF-8 from column 31 on; every line is one whole JSON object"},
    {R"({"client":0,"event":"wants"})", "h:1: the key 't_us' is missing"},
    {R"({"t_ms":1,"client":0,"event":"wants"})",
     "h:1: the key 't_us' is missing; is 't_ms' meant?"},
    {R"({"t_us":1,"event":"wants"})", "h:1: the key 'client' is missing"},
    {R"({"t_us":1,"client":0})", "h:1: the key 'event' is missing"},
    {R"({"t_us":"1","client":0,"event":"wants"})",
     "h:1: 't_us' is '\"1\"', not a whole number from 0 to 10000000000000000"},
    {R"({"t_us":-1,"client":0,"event":"wants"})",
     "h:1: 't_us' is '-1', not a whole number from 0 to 10000000000000000"},
    {R"({"t_us":1.5,"client":0,"event":"wants"})",
     "h:1: 't_us' is '1.5', not a whole number from 0 to 10000000000000000"},
    {R"({"t_us":10000000000000001,"client":0,"event":"wants"})",
     "h:1: 't_us' is '10000000000000001', not a whole number from 0 to 10000000000000000"},
    {R"({"t_us":99999999999999999999999,"client":0,"event":"wants"})",
     "h:1: 't_us' is '9.999999999999999e+22', not a whole number from 0 to 10000000000000000"},
    {R"({"t_us":1e999,"client":0,"event":"wants"})", "h:1: a number in it is too large"},
    {R"({"t_us":1,"client":10000,"event":"wants"})",
     "h:1: 'client' is '10000', not a whole number from 0 to 9999"},
    {R"({"t_us":1,"client":0,"event":"grantd"})",
     "h:1: unknown event 'grantd'; did you mean 'granted'? Known: wants, refused, sent, executed, "
     "replied, granted, lost, leaving, released, read, wrote, fault, finished, failed, denied, "
     "learnt"},
    {R"({"t_us":1,"client":0,"event":"wants","phase":"acquiring"})",
     "h:1: unknown phase 'acquiring'; did you mean 'acquire'? Known: idle, acquire, inside, "
     "release, background"},
    {R"({"t_us":1,"client":0,"event":"fault","hazard":"pause","by_itself":true})",
     "h:1: 'by_itself' is of a crash alone"},
    {R"({"t_us":1,"client":0,"event":"fault","hazard":"crashed"})",
     "h:1: unknown hazard 'crashed'; did you mean 'crash'? Known: contention, slow_job, crash, "
     "pause, stall, lose_request, lose_reply, delay_request, delay_reply, retry, clock_offset, "
     "clock_jump, server_clock_jump, restart, restart_snapshot, evict, failover, freeze, "
     "error_reply, reset, partition, flush, cancel"},
    {R"({"t_us":1,"client":0,"event":"fault","hazard":"reset","error":"LOADING"})",
     "h:1: 'error' is of an error_reply alone"},
    {R"({"t_us":1,"client":0,"event":"fault","hazard":"error_reply","ran":true})",
     "h:1: 'ran' is of a reset alone"},
    {R"({"t_us":1,"client":0,"event":"granted","leas_us":5})",
     "h:1: unknown key 'leas_us'; did you mean 'lease_us'? Known: event, t_us, client, phase, "
     "lock, grant, token, lease_us, fence, mode, left_us, in a line of the event 'granted'"},
    {R"({"t_us":1,"client":0,"event":"wants","client":1})",
     "h:1: the key 'client' is given twice; give it once"},
    {R"({"t_us":5,"client":0,"event":"wants"}
{"t_us":4,"client":1,"event":"wants"})",
     "h:2: time goes backwards: 't_us' is 4, and was 5 in line 1; order the lines by time"},
    {R"({"t_us":1,"client":0,"event":"wants","lock":1})",
     "h:1: lock 1 does not exist; each client takes 1, counted from 0 ('locks' in the header)"},
    {R"({"format":"locklab-history","version":1,"locks":0})", "h:1: 'locks' must be at least 1"},
    {R"({"format":"locklab-history","version":1,"locks":2}
{"t_us":1,"client":0,"event":"granted"}
{"t_us":2,"client":0,"event":"leaving","lock":1})",
     "h:3: client 0 leaves without a grant; its 'granted' line is missing"},
    {R"({"t_us":1,"client":0,"event":"leaving"})",
     "h:1: client 0 leaves without a grant; its 'granted' line is missing"},
    {R"({"t_us":1,"client":0,"event":"released"})",
     "h:1: client 0 has released the lock without a grant; its 'granted' line is missing"},
    {R"({"t_us":1,"client":0,"event":"granted"}
{"t_us":2,"client":0,"event":"leaving"}
{"t_us":3,"client":0,"event":"released"}
{"t_us":4,"client":0,"event":"released"})",
     "h:4: client 0 has released the lock without a grant; its 'granted' line is missing"},
    {R"({"t_us":1,"client":0,"event":"granted"}
{"t_us":2,"client":0,"event":"granted"})",
     "h:2: client 0 is granted the lock (grant 1 before) without having left; a 'leaving' or "
     "'released' line of it is missing"},
    {R"({"t_us":1,"client":0,"event":"granted"}
{"t_us":2,"client":0,"event":"wants"})",
     "h:2: client 0 wants the lock while it is inside; a 'leaving' or 'released' line of it is "
     "missing, or \"again\":true here"},
    {R"({"t_us":1,"client":0,"event":"granted","grant":1}
{"t_us":2,"client":1,"event":"granted","grant":1})",
     "h:2: grant 1 was given before; grants of all clients are counted 1, 2, 3, ..., and this one "
     "is 2"},
    {R"({"t_us":1,"client":0,"event":"granted","grant":2})",
     "h:1: grant 2 is out of order; grants of all clients are counted 1, 2, 3, ..., and this one "
     "is 1"},
    {R"({"t_us":1,"client":0,"event":"wrote","base":0,"previous":0,"version":1})",
     "h:1: the write has no 'grant', and its client was never granted the lock"},
    {R"({"t_us":1,"client":0,"event":"wrote","base":0,"previous":0,"version":1,"grant":1})",
     "h:1: the write names grant 1, and only 0 have been granted by now"},
    {R"({"t_us":1,"client":0,"event":"fault","hazard":"crash"}
{"t_us":2,"client":0,"event":"granted"})",
     "h:2: client 0 crashed in line 1 and can do no more; one that comes back needs a number of "
     "its own"},
    {R"({"format":"locklab-history","version":1,"clients":2}
{"t_us":1,"client":2,"event":"wants"})",
     "h:2: client 2 does not exist; the header announces 2, counted from 0"},
    {R"({"format":"locklab-histroy","version":1})",
     "h:1: the format is 'locklab-histroy', not 'locklab-history'"},
    {R"({"format":"locklab-history","version":1,"patience":9})",
     "h:1: unknown key 'patience'; did you mean 'patience_us'? Known: format, version, world, "
     "algorithm, clients, tasks, locks, seed, run, key, server, began_us, clock_unit_us, "
     "tells_within_us, answers_within_us, patience_us, "
     "drawn_faults, unequal_clients, permits, in_order, virtual_time, not_modelled, threw, "
     "differs_alone, given, "
     "scripts, in the "
     "header"},
    {R"({"event":"end","t_us":0,"clients":1})",
     "h:1: unknown key 'clients'. Known: event, t_us, in the end line"},
    {R"({"format":"locklab-history","version":2})",
     "h:1: version 2 of the format is not known; this reads version 1"},
    {R"({"format":"locklab-history","version":1,"clients":4000000000})",
     "h:1: 'clients' is '4000000000', not a whole number from 0 to 10000"},
    {R"({"format":"locklab-history","version":1}
{"t_us":1,"client":0,"event":"wants"}
)",
     "h:2: the history is cut short: after a header, the last line is to be "
     "{\"event\":\"end\",\"t_us\":...}"},
    {R"({"format":"locklab-history","version":1}
{"format":"locklab-history","version":1})",
     "h:2: a header stands in the first line only"},
    {R"({"t_us":1,"client":0,"event":"wants"}
{"event":"end","t_us":0})",
     "h:2: time goes backwards: 't_us' is 0, and was 1 in line 1; order the lines by time"},
    {R"({"event":"end","t_us":0}
{"event":"end","t_us":0})",
     "h:2: a line stands after the end; the 'end' line is the last"},
    {R"({"t_us":1,"client":0,"event":"executed","command":{"script":"s","words":["k"]},"reply":1})",
     "h:1: the key 'effect' is missing (none, created, replaced, extended or deleted); only of a "
     "plain 'command' with its 'reply' can it be worked out"},
    {R"({"t_us":1,"client":0,"event":"executed","effect":"none","sent_us":2})",
     "h:1: 'sent_us' lies after 't_us'; a command runs after it was sent"},
    {R"({"t_us":1,"client":0,"event":"sent","command":{"script":"s","words":[]}})",
     "h:1: 'command' is neither a list of 1 to 16 words (65535 bytes at most) nor "
     "{\"script\":\"its name\",\"words\":[...]}, whose \"keys\", if there, says how many of its "
     "words are keys"},
    {R"({"t_us":1,"client":0,"event":"sent","command":{"script":"s","words":["k"],"keys":2}})",
     "h:1: 'command' is neither a list of 1 to 16 words (65535 bytes at most) nor "
     "{\"script\":\"its name\",\"words\":[...]}, whose \"keys\", if there, says how many of its "
     "words are keys"},
    {R"({"t_us":1,"client":0,"event":"sent","command":["SET",5]})",
     "h:1: 'command' is neither a list of 1 to 16 words (65535 bytes at most) nor "
     "{\"script\":\"its name\",\"words\":[...]}, whose \"keys\", if there, says how many of its "
     "words are keys"},
    {R"({"t_us":1,"client":0,"event":"replied","reply":1.5})",
     "h:1: 'reply' is none of null, a whole number, a string, {\"ok\":\"OK\"}, "
     "{\"error\":\"...\"}, {\"unknown\":true}, or a list of these"},
    {R"({"t_us":1,"client":0,"event":"replied","reply":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]})",
     "h:1: it is nested more than 16 deep"},
};

TEST(HistoryErrors, refuses_with_one_sentence) {
    for (const Bad& bad : kBad) EXPECT_EQ(error_of(bad.text), bad.message) << bad.text;
}

TEST(HistoryErrors, too_many_words_or_bytes_are_refused) {
    const auto sent = [](const std::string& words) {
        return error_of(R"({"t_us":1,"client":0,"event":"sent","command":[)" + words + "]}");
    };
    std::string words = "\"w\"";
    for (std::size_t i = 1; i < Command::kMostWords; ++i) words += ",\"w\"";
    EXPECT_EQ(sent(words), "read");
    EXPECT_NE(sent(words + ",\"w\""), "read");
    EXPECT_EQ(sent('"' + std::string(Command::kMostBytes, 'w') + '"'), "read");
    EXPECT_NE(sent('"' + std::string(Command::kMostBytes + 1, 'w') + '"'), "read");
}

TEST(HistoryErrors, a_line_without_end_is_refused) {
    EXPECT_EQ(error_of(std::string(2'000'000, '[')),
              "h:1: the line has more than 1000000 bytes, which is too long for an event");
}

TEST(HistoryErrors, nesting_without_end_is_refused) {
    EXPECT_EQ(error_of(std::string(900'000, '[')), "h:1: it is nested more than 16 deep");
}

}  // namespace
}  // namespace locklab::history_errors_test
